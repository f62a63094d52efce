import { call, callConsole, type CallOptions } from './console-api';
import type { ListPage } from './load';
import { place } from './session';

/** Calls an endpoint of the console for the tenant in the address. */
export const callTenant = <T>(path: string, options: CallOptions = {}): Promise<T> =>
  callConsole(path, { ...options, tenantId: place.value?.tenantId ?? '' });

/** Calls an endpoint below `/operator/v1`. */
export const callOperator = <T>(path: string, options: CallOptions = {}): Promise<T> =>
  call(`/operator/v1${path}`, options);

/** The query of one page of a list, with its filters. */
export const createPageQuery = (
  filters: Readonly<Record<string, string | undefined>>,
  cursor: string | null,
): string => {
  const query = new URLSearchParams({ limit: '100' });
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined) query.set(name, value);
  if (cursor !== null) query.set('starting_after', cursor);
  return query.toString();
};

/** The path of one page of a list, with its filters. */
export const createPagePath = (
  path: string,
  filters: Readonly<Record<string, string | undefined>>,
  cursor: string | null,
): string => `${path}?${createPageQuery(filters, cursor)}`;

/** Loads the pages of a list of operators, for `useList`. */
export const createPageLoader =
  <T>(path: string, filters: Readonly<Record<string, string | undefined>> = {}) =>
  (cursor: string | null, signal: AbortSignal): Promise<ListPage<T>> =>
    callOperator(createPagePath(path, filters, cursor), { signal });

/** Reads a list page by page to its end, or until that many rows. Each page is handed over at once. */
export const readEachPage = async <T>(
  loadPage: (cursor: string | null) => Promise<ListPage<T>>,
  onRows: (rows: readonly T[]) => void,
  rowsMax = Infinity,
): Promise<void> => {
  let cursor: string | null = null;
  let count = 0;
  do {
    const page: ListPage<T> = await loadPage(cursor);
    onRows(page.data);
    count += page.data.length;
    cursor = page.has_more ? page.next_cursor : null;
  } while (cursor !== null && count < rowsMax);
};

/** Reads all rows of a short list, page by page. */
export const readAllRows = async <T>(
  loadPage: (cursor: string | null) => Promise<ListPage<T>>,
  rowsMax = Infinity,
): Promise<{ readonly data: readonly T[] }> => {
  const data: T[] = [];
  const add = (rows: readonly T[]): void => {
    data.push(...rows);
  };
  await readEachPage(loadPage, add, rowsMax);
  return { data };
};
