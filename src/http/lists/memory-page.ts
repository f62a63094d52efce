import {
  type Page,
  readPageRequest,
  type PageQuery,
  readsUpwards,
  countRowsToRead,
  toPage,
  type Key,
} from './pagination';

interface MemoryList<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  readonly filters: Readonly<Record<string, unknown>>;
  readonly keyOf: (item: Item) => Key;
}

/**
 * Builds a page of a list that is in memory, such as a directory. Cursors and rules are those of
 * the other lists.
 */
export const readMemoryPage = async <Item>(
  query: PageQuery,
  { name, items, filters, keyOf }: MemoryList<Item>,
): Promise<Page<Item>> => {
  const keys = items.map(keyOf);
  const request = await readPageRequest(query, {
    list: name,
    filters,
    keyOf: (id) => Promise.resolve(keys.find((key) => key.id === id) ?? null),
  });
  const upwards = readsUpwards(request);
  const boundary = request.boundary?.key;
  const sorted = items
    .filter((item) => boundary === undefined || isBeyond(keyOf(item), boundary, upwards))
    .sort((a, b) => compareRows(keyOf(a), keyOf(b)) * (upwards ? 1 : -1));
  return toPage(request, { items: sorted.slice(0, countRowsToRead(request)), keyOf });
};

const compareRows = (a: Key, b: Key): number =>
  a.createdAt === b.createdAt ? compareTexts(a.id, b.id) : compareTexts(a.createdAt, b.createdAt);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isBeyond = (key: Key, boundary: Key, upwards: boolean): boolean =>
  upwards ? compareRows(key, boundary) > 0 : compareRows(key, boundary) < 0;
