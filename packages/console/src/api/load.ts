import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { recallRows, rememberRows } from '../ui/address';
import { formatTime } from '../ui/format';
import { LoadedRows } from './loaded-rows';
import { refreshSession, sessionState } from './session';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown };

export type Load<T> = (signal: AbortSignal) => Promise<T>;

/** Returns the HTTP status of a failed call; 0 if there was no response. */
export const readStatus = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 0;

/** True if a call was refused because the session has ended. A failed sign-in is no such refusal. */
export const isSessionOver = (error: unknown): boolean =>
  readStatus(error) === 401 && sessionState.value.kind === 'signed-in';

/**
 * Returns a message about an error for people. An error without a response only names the call, so
 * it gets a text of its own.
 */
export const describeError = (error: unknown): string => {
  if (isSessionOver(error)) return 'Your session has ended. A change of your role ends it too.';
  if (!(error instanceof Error)) return 'This did not work.';
  const isUnanswered = error.name === 'ConnectionError' || error.name === 'TimeoutError';
  return isUnanswered
    ? 'The service did not answer. Check your connection and try again.'
    : localise(error.message);
};

/**
 * Words a message of the API for people: its instants are in the time zone of the browser, and they
 * find a subscriber with the search box.
 */
const localise = (message: string): string =>
  message
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => formatTime(instant))
    .replace(/GET .*external_id=.* id\./, 'the search box finds one by e-mail or external id.');

/**
 * Returns the fields that an error names as wrong, with the message for each. A form has no objects
 * and lists, so the field `definition.tags_include[0]` is `tags_include` there.
 */
export const readFieldErrors = (error: unknown): ReadonlyMap<string, string> => {
  if (!(error instanceof Error)) return new Map();
  const facts = ('body' in error ? error.body : error) as {
    readonly param?: string | null;
    readonly errors?: readonly { readonly param: string; readonly message: string }[];
  };
  const all = (facts.errors ?? []).map(({ param, message }) => [param, message] as const);
  if (typeof facts.param === 'string') all.unshift([facts.param, error.message]);
  return new Map(
    all.map(([param, message]) => {
      const path = dropIndex(param);
      const name = path.slice(path.lastIndexOf('.') + 1);
      return [name, localise(dropIndex(message).replace(path, name))];
    }),
  );
};

const dropIndex = (text: string): string => text.replace(/\[\d+\]/, '');

/** Checks after a refusal whether the role still is what the page shows. */
const checkRole = (error: unknown): void => {
  if (readStatus(error) === 403) void refreshSession();
};

/**
 * Loads a value, and loads it again when `key` changes. With `everyMs` it is loaded again and again
 * while the page is visible. The old value stays until the new one has arrived, or if loading
 * fails, so that an open dialog stays open.
 */
export const useLoaded = <T>(
  key: string,
  load: Load<T>,
  everyMs?: number,
): { readonly state: Loaded<T>; readonly reload: () => void } => {
  const [state, setState] = useState<Loaded<T>>({ kind: 'loading' });
  const [reloads, setReloads] = useState(0);
  const shown = useRef(key);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const controller = new AbortController();
    if (shown.current !== key) {
      shown.current = key;
      setState({ kind: 'loading' });
    }
    const run = async (): Promise<void> => {
      try {
        const value = await latest.current(controller.signal);
        if (!controller.signal.aborted) setState({ kind: 'ready', value });
      } catch (error) {
        if (controller.signal.aborted) return;
        checkRole(error);
        setState((old) => (old.kind === 'ready' ? old : { kind: 'failed', error }));
      }
    };
    void run();
    const stop = repeatWhileVisible(() => void run(), everyMs);
    return () => {
      controller.abort();
      stop();
    };
  }, [key, reloads, everyMs]);

  const reload = useCallback(() => {
    // After a failure, the second try shows the loading state.
    setState((old) => (old.kind === 'failed' ? { kind: 'loading' } : old));
    setReloads((count) => count + 1);
  }, []);
  return { state, reload };
};

/**
 * Calls `run` every `everyMs` while the page is visible; never, if that is left out. The returned
 * function stops the calls.
 */
export const repeatWhileVisible = (run: () => void, everyMs = 0): (() => void) => {
  const timer =
    everyMs === 0
      ? 0
      : setInterval(() => {
          if (document.visibilityState === 'visible') run();
        }, everyMs);
  return () => {
    clearInterval(timer);
  };
};

/** One page of a list, as the API returns it. */
export interface ListPage<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export interface ListState<T> {
  readonly rows: readonly T[];
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly error: unknown;
  /**
   * New rows that belong above the shown ones. They are shown only when the reader asks for them.
   */
  readonly newRows: readonly T[];
  readonly loadMore: () => void;
  readonly showNew: () => void;
  readonly reload: () => void;
}

const POLL_MS = 10_000;
/** Maximum number of rows that are loaded again at once when the reader comes back to a list. */
const RECALLED_ROWS_MAX = 5_000;

interface ListOptions<T> {
  /** Changes with the filters. A new key loads the list from its beginning. */
  readonly key: string;
  readonly load: (cursor: string | null, signal: AbortSignal) => Promise<ListPage<T>>;
  readonly getId: (row: T) => string;
  /** How often the page looks for new and changed rows at its top, in ms; 0 for never. */
  readonly pollMs?: number;
}

/**
 * Loads the page after the cursor. After Back, the first page contains as many rows as the reader had
 * seen.
 */
const loadPage = async <T>(
  { key, load }: ListOptions<T>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<T>> => {
  const enough = cursor === null ? Math.min(recallRows(key), RECALLED_ROWS_MAX) : 0;
  let page = await load(cursor, signal);
  while (page.has_more && page.data.length < enough) {
    const next = await load(page.next_cursor, signal);
    page = { ...next, data: [...page.data, ...next.data] };
  }
  return page;
};

/** Loads a list page by page. New rows are announced, so that the shown ones do not move. */
export const useList = <T>(options: ListOptions<T>): ListState<T> => {
  const { key, getId, pollMs = POLL_MS } = options;
  const [rows, setRows] = useState<readonly T[]>([]);
  const [newest, setNewest] = useState<ListPage<T> | null>(null);
  const [lastPage, setLastPage] = useState<ListPage<T> | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const [reloads, setReloads] = useState(0);
  const latest = useRef(options);
  latest.current = options;
  const [loaded] = useState(() => new LoadedRows<T>());
  const generation = useRef<AbortController | null>(null);
  const hasMore = lastPage?.has_more === true;
  const newRows = newest === null ? [] : loaded.omitLoaded(newest.data, getId);

  /** Appends the rows of the next page to the shown ones. */
  const showPage = (page: ListPage<T>): void => {
    setRows(loaded.append(page.data, latest.current.getId));
    setLastPage(page);
    setError(null);
  };

  /** Loads the page after the cursor. */
  const loadAfter = async (from: string | null, { signal }: AbortController): Promise<void> => {
    setLoading(true);
    try {
      const page = await loadPage(latest.current, from, signal);
      if (!signal.aborted) showPage(page);
    } catch (failure) {
      if (signal.aborted) return;
      checkRole(failure);
      setError(failure);
    }
    if (!signal.aborted) setLoading(false);
  };

  useEffect(() => {
    const controller = (generation.current = new AbortController());
    setRows(loaded.clear());
    setNewest(null);
    setError(null);
    void loadAfter(null, controller);
    const pollNewest = async (): Promise<void> => {
      const page = await latest.current.load(null, controller.signal).catch(() => null);
      if (page === null || controller.signal.aborted) return;
      // No row is shown yet, so none can move.
      if (loaded.rows.length === 0) showPage(page);
      else setNewest(page);
      setRows(loaded.refresh(page.data, latest.current.getId));
    };
    const stop = repeatWhileVisible(() => void pollNewest(), pollMs);
    return () => {
      controller.abort();
      stop();
    };
  }, [key, reloads, pollMs]);

  useEffect(() => rememberRows(key, rows.length), [key, rows.length]);

  const loadMore = useCallback(() => {
    const controller = generation.current;
    if (controller === null || isLoading || !hasMore) return;
    setError(null);
    void loadAfter(lastPage.next_cursor, controller);
  }, [lastPage, isLoading]);

  const reload = useCallback(() => {
    // At once, so that the button for the second try is gone before anybody can press it twice.
    setError(null);
    setLoading(true);
    setReloads((count) => count + 1);
  }, []);
  const showNew = (): void => {
    // Other rows may lie between the newest page and the shown ones.
    if (newest?.has_more === true && newRows.length === newest.data.length) reload();
    else setRows(loaded.prepend(newRows, getId));
  };
  return { rows, isLoading, hasMore, error, newRows, loadMore, showNew, reload };
};
