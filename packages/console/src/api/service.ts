import { type List, Service } from '@subscription-event-service/sdk';
import type { ListPage } from './load';
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

/** Reads all items of a short SDK list, such as the plans to choose from. */
export const readAllPages = async <Item>(list: List<Item>): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for await (const page of list.pages()) items.push(...page.data);
  return items;
};

/** The cursor as a query parameter; nothing for the first page. */
export const createCursorQuery = (cursor: string | null): { readonly starting_after?: string } =>
  cursor === null ? {} : { starting_after: cursor };
