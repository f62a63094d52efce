import { createShared } from '../shared-state';

/**
 * The address of the shown page. It contains the state of the page: filters, tabs, open panels. The
 * entry of the browser's history contains how far the page was read, so that Back shows the same
 * rows at the same position again.
 */

interface Entry {
  /** The position in the history. It shows how far Back or Forward went. */
  readonly index: number;
  readonly scroll?: number;
  /** The number of rows that each list had loaded, by the key of the list. */
  readonly rows?: Readonly<Record<string, number>>;
}

/** How long the scroll position is restored while the page is still loading, in ms. */
const RESTORE_MS = 5_000;

const readEntry = (): Partial<Entry> => (history.state as Partial<Entry> | null) ?? {};

let index = readEntry().index ?? 0;
const rowCounts = new Map<string, number>();

/** Keeps the number of rows that a list has loaded. The returned function forgets it. */
export const rememberRows = (list: string, count: number): (() => void) => {
  rowCounts.set(list, count);
  return () => {
    rowCounts.delete(list);
  };
};

/** Returns the number of rows that a list had when the reader left the page; 0 if it is new. */
export const recallRows = (list: string): number => readEntry().rows?.[list] ?? 0;

/** Returns the path without a slash at its end, and the parameters of the query. */
const readAddress = (): {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
} => ({
  path: location.pathname.replace(/\/+$/, ''),
  query: Object.fromEntries(new URLSearchParams(location.search)),
});

const address = createShared(readAddress());

/** Stores how far the page was read. */
const leaveEntry = (): void => {
  const entry: Entry = { index, scroll: scrollY, rows: Object.fromEntries(rowCounts) };
  history.replaceState(entry, '');
};

/** Opens a page of the console. With `isReplaced`, Back does not lead to the shown page. */
const route = (target: string, isReplaced = false): void => {
  const { path } = address.value;
  if (isReplaced) {
    history.replaceState(history.state, '', target);
  } else {
    leaveEntry();
    index += 1;
    history.pushState({ index } satisfies Entry, '', target);
  }
  address.value = readAddress();
  if (address.value.path !== path) scrollTo(0, 0);
};

/** Reads the address, and opens other pages. */
export const useLocation = (): {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly route: typeof route;
} => ({ ...address.value, route });

/** Returns the last part of the path, such as the id of the object that the page shows. */
export const useLastPart = (): string =>
  decodeURIComponent(address.value.path.split('/').at(-1) ?? '');

/** A secret that was not copied yet. It cannot be shown again. */
const SECRET = '[data-secret]';

/** True if something on the page would be lost: changes that are not saved, or a secret. */
const wouldLose = (): boolean => document.querySelector(`form[data-typed], ${SECRET}`) !== null;

/**
 * Asks before the changes of a form are lost. A form stays while only the filters or the steps of
 * its page change.
 */
export const mayLeaveFor = (target: string): boolean => {
  const { pathname, searchParams } = new URL(target, location.origin);
  const { path, query } = address.value;
  const isSamePage = pathname === path && searchParams.get('tab') === (query.tab ?? null);
  const lost =
    document.querySelector(SECRET) === null
      ? 'The changes are not saved.'
      : 'The secret is not copied, and is not shown again.';
  return isSamePage || !wouldLose() || confirm(`Leave the page? ${lost}`);
};

/** Opens the page of a link without loading the console again. */
const followLink = (event: MouseEvent): void => {
  const isSpecial = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  const link = (event.target as Element).closest('a');
  if (
    isSpecial ||
    event.button !== 0 ||
    link?.origin !== location.origin ||
    !link.pathname.startsWith('/console') ||
    link.target !== '' ||
    link.hash !== ''
  ) {
    return;
  }
  event.preventDefault();
  const target = link.pathname + link.search;
  if (mayLeaveFor(target)) route(target);
};

/** Scrolls as soon as the page is long enough, because its rows may still be loading. */
const restoreScroll = (top = 0): void => {
  const [at, end] = [index, performance.now() + RESTORE_MS];
  const step = (): void => {
    if (index !== at) return;
    scrollTo(0, top);
    if (Math.abs(scrollY - top) > 1 && performance.now() < end) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};

/** Follows links, and the buttons Back and Forward of the browser. */
export const followAddress = (): void => {
  history.scrollRestoration = 'manual';
  history.replaceState({ ...readEntry(), index }, '');
  restoreScroll(readEntry().scroll);
  addEventListener('click', followLink);
  addEventListener('popstate', () => {
    const entry = readEntry();
    const next = entry.index ?? index;
    if (next === index) return;
    if (!mayLeaveFor(location.href)) {
      history.go(index - next);
      return;
    }
    index = next;
    address.value = readAddress();
    restoreScroll(entry.scroll);
  });
  addEventListener('beforeunload', (event) => {
    if (wouldLose()) event.preventDefault();
  });
  addEventListener('pagehide', leaveEntry);
};
