import { fromMillis } from '../../kernel/time';
import { readMemoryPage } from './memory-page';
import type { Page, PageQuery } from './pagination';

interface ShortList<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
}

/**
 * Builds a page of a short list, in the order of its items. Without `limit` the page is the whole
 * list, for clients that do not read further pages.
 */
export const readShortPage = async <Item>(
  query: PageQuery,
  { name, items, idOf }: ShortList<Item>,
): Promise<Page<Item>> => {
  // The items have no creation time, so the cursor contains their place in the list instead.
  const placed = items.map((item, index) => ({
    item,
    key: { createdAt: fromMillis(items.length - index), id: idOf(item) },
  }));
  const page = await readMemoryPage(
    { ...query, limit: query.limit ?? items.length },
    { name, items: placed, filters: {}, keyOf: ({ key }) => key },
  );
  return { ...page, data: page.data.map(({ item }) => item) };
};
