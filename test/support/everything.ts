import { METRICS } from '../../src/features/metrics/catalogue';
import type { RunningService, TestTenant } from './service';

type Json = Record<string, unknown>;

/**
 * Lists that change by themselves: e-mails of test environments are not in the log and are lost
 * after a restore, and the health of destinations is of the last 24 hours.
 */
export const SHORT_LIVED = new Set(['/v1/test_helpers/outbox', '/v1/destinations/health']);
/** Lists of what a version of the service knows. They hold none of the tenant's data. */
export const CATALOGUES = new Set(['/v1/event_types', '/v1/metrics', '/v1/schema_versions']);
/** The lists that each object of a list has below its own path. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  '/v1/subscribers': ['timeline', 'events', 'credits'],
  '/v1/destinations': ['deliveries'],
  '/v1/cohorts': ['members'],
  '/v1/events': ['deliveries'],
};

/**
 * Reads all of a tenant's data: every list of the API reference with all pages, the lists of each
 * item, and every metric.
 */
export const readEverything = async (
  service: RunningService,
  { api }: TestTenant,
): Promise<Readonly<Record<string, unknown>>> => {
  const found: Record<string, unknown> = {};
  const list = async (path: string): Promise<Json[]> => {
    const items: Json[] = [];
    for (let cursor = ''; ;) {
      const separator = path.includes('?') ? '&' : '?';
      const { body, status } = await api.get(`${path}${separator}limit=100${cursor}`);
      if (status !== 200 || !Array.isArray(body['data'])) return items;
      items.push(...(body['data'] as Json[]));
      if (body['has_more'] !== true) return items;
      cursor = `&starting_after=${encodeURIComponent(String(body['next_cursor']))}`;
    }
  };
  for (const path of await listPaths(service)) {
    const items = await list(path);
    found[path] = items;
    for (const part of PARTS[path] ?? []) {
      for (const { id } of items) {
        found[`${path}/${String(id)}/${part}`] = await list(`${path}/${String(id)}/${part}`);
      }
    }
  }
  for (const { name, measure } of METRICS) {
    const which = measure === undefined ? '' : `&measure=${measure}`;
    const path = `/v1/metrics/${name}?window=all_time&granularity=month${which}`;
    const { status, body } = await api.get(path);
    // An earlier version may not have the metric.
    if (status !== 404) found[path] = body['points'] ?? body;
  }
  return found;
};

const listPaths = async (service: RunningService): Promise<string[]> => {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Json };
  return Object.entries(document.paths)
    .filter(([path, methods]) => /^\/v1\/[^{]*$/.test(path) && 'get' in (methods as Json))
    .map(([path]) => path)
    .filter((path) => !SHORT_LIVED.has(path) && !CATALOGUES.has(path))
    .sort();
};
