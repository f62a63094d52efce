import { METRICS } from '../../src/features/metrics/catalogue';
import type { RunningService, TestTenant } from './service';

type Json = Record<string, unknown>;
/** What was read, by path. */
export type Everything = Readonly<Record<string, unknown>>;

/** Lists that are not compared, with the reason. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  // E-mails of test environments are not in the log, so they are lost after a restore.
  '/v1/test_helpers/outbox',
  // The health of destinations is that of the last 24 hours.
  '/v1/destinations/health',
  // These show what a version of the service knows, and nothing of the tenant.
  '/v1/event_types',
  '/v1/metrics',
  '/v1/schema_versions',
]);

/** What has no pages, with the query that it needs; null if it is not compared. */
const WITHOUT_PAGES: Readonly<Record<string, string | null>> = {
  '/v1/events/counts': 'created_after=2026-01-01T00:00:00Z&created_before=2026-03-01T00:00:00Z',
  '/v1/search': 'q=ada%40example.com',
  // It is read by measure, like every metric.
  '/v1/metrics/recovery': null,
  // Its months depend on the time at which it is read.
  '/v1/metrics/retention': null,
};

/**
 * Reads all of a tenant's data: every list of the API reference with all pages, the lists of each
 * item, and every metric. Throws if any of it cannot be read.
 */
export const readEverything = async (
  service: RunningService,
  { api }: TestTenant,
): Promise<Everything> => {
  const found: Record<string, unknown> = {};
  const lists = await findLists(service);

  const readPages = async (path: string): Promise<Json[]> => {
    const items: Json[] = [];
    for (let cursor = ''; ;) {
      const { data, has_more, next_cursor } = (await api.get(`${path}?limit=100${cursor}`)).ok;
      items.push(...(data as Json[]));
      if (has_more !== true) return items;
      cursor = `&starting_after=${encodeURIComponent(String(next_cursor))}`;
    }
  };
  /** Reads a list, and the lists below the path of each of its items. */
  const readList = async (path: string): Promise<void> => {
    const items = await readPages(path);
    found[path] = items;
    const kind = path.split('/').at(-1) ?? '';
    for (const part of lists.partsByKind.get(kind) ?? []) {
      for (const { id, replay_id } of items) {
        const below = `/v1/${kind}/${String(id ?? replay_id)}/${part}`;
        if (!(below in found)) await readList(below);
      }
    }
  };

  for (const path of lists.paths) await readList(path);
  for (const path of lists.withoutPages) found[path] = (await api.get(path)).ok;
  for (const { name, measure } of METRICS) {
    const which = measure === undefined ? '' : `&measure=${measure}`;
    const path = `/v1/metrics/${name}?window=all_time&granularity=month${which}`;
    const answer = await api.get(path);
    // An earlier version may not have the metric.
    if (answer.status !== 404) found[path] = answer.ok['points'];
  }
  return found;
};

/** Names the lists that have no item, of lists below an item those that are empty for all items. */
export const listEmptyLists = (everything: Everything): string[] => {
  const counts = new Map<string, number>();
  for (const [path, content] of Object.entries(everything)) {
    if (!Array.isArray(content)) continue;
    const list = path.replace(/^(\/v1\/\w+)\/\w+\//, '$1/{id}/');
    counts.set(list, (counts.get(list) ?? 0) + content.length);
  }
  return [...counts].filter(([, count]) => count === 0).map(([list]) => list);
};

interface Lists {
  readonly paths: readonly string[];
  /** The lists of one object, such as `deliveries` of an event, by the kind of object. */
  readonly partsByKind: ReadonlyMap<string, readonly string[]>;
  /** Other paths, with the query that they need. */
  readonly withoutPages: readonly string[];
}

const findLists = async (service: RunningService): Promise<Lists> => {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: unknown } }>>;
  };
  const paths: string[] = [];
  const withoutPages: string[] = [];
  const partsByKind = new Map<string, string[]>();
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (get === undefined || NOT_COMPARED.has(path)) continue;
    const isList = JSON.stringify(get.parameters ?? []).includes('/StartingAfter');
    const [, kind = '', part = ''] = /^\/v1\/(\w+)\/\{\w+\}\/(\w+)$/.exec(path) ?? [];
    if (isList && part !== '') partsByKind.set(kind, [...(partsByKind.get(kind) ?? []), part]);
    if (!/^\/v1\/[^{]*$/.test(path)) continue;
    if (isList) paths.push(path);
    else withoutPages.push(...describeWithoutPages(path));
  }
  return { paths: paths.sort(), partsByKind, withoutPages };
};

const describeWithoutPages = (path: string): string[] => {
  const query = WITHOUT_PAGES[path];
  if (query === undefined) throw new Error(`Say in WITHOUT_PAGES how ${path} is read.`);
  return query === null ? [] : [`${path}?${query}`];
};
