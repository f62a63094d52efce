import { type List, Service } from '@subscription-event-service/sdk';
import type { ListPage } from './load';
import { fetchWatched } from './console-api';
import { type Environment, place } from './session';

const clients = new Map<string, Service>();

/**
 * The SDK client for the tenant and environment in the address. It sends the cookie of the session
 * instead of an API key. Each tenant and environment has one client, so that reads see its earlier
 * writes.
 */
export const service = (): Service => {
  const here = place.value;
  if (here === null) throw new Error('There is no tenant in the address.');
  return getClient(here.tenantId, here.environment);
};

const getClient = (tenantId: string, environment: Environment): Service => {
  const key = `${tenantId}/${environment}`;
  const known = clients.get(key);
  if (known !== undefined) return known;
  const client = new Service({
    credentials: 'same-origin',
    fetch: fetchWatched,
    headers: { 'x-service-tenant': tenantId, 'x-service-environment': environment },
  });
  clients.set(key, client);
  return client;
};

/** Reads the first page of an SDK list, for `useList`. */
export const readFirstPage = async <Item>(list: List<Item>): Promise<ListPage<Item>> => {
  const { data, hasMore, nextCursor } = await list;
  return { data, has_more: hasMore, next_cursor: nextCursor };
};

const PAGE_ROWS = 100;

/** The query of one page of an SDK list. */
interface PageQuery {
  readonly limit: number;
  /** The cursor; absent for the first page. */
  readonly starting_after?: string;
}

/** Returns a function that loads the pages of an SDK list, for `useList`. */
export const createLoader =
  <Item>(list: (page: PageQuery, options: { readonly signal: AbortSignal }) => List<Item>) =>
  (cursor: string | null, signal: AbortSignal): Promise<ListPage<Item>> =>
    readFirstPage(
      list(
        { limit: PAGE_ROWS, ...(cursor === null ? {} : { starting_after: cursor }) },
        { signal },
      ),
    );

/** Reads all items of a short SDK list, such as the plans to choose from. */
export const readAllPages = async <Item>(list: List<Item>): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for await (const page of list.pages()) items.push(...page.data);
  return items;
};
