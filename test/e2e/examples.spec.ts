import { type Api, type Answer } from '../support/api';
import { resolveReference } from '../support/contract';
import { RunningService, type TestTenant } from '../support/service';
import { createObjectOwner, createObjectMakers } from '../support/object-makers';
import { until } from '../support/until';

type Json = Record<string, unknown>;

interface Example {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
}

/** Examples that this service refuses because of their subject, not because of their content. */
const REFUSED: Readonly<Record<string, string>> = {
  // Analysts' roles are roles of a PostgreSQL server, which the embedded database does not have.
  'POST /operator/v1/analysts': 'analysts_need_postgresql',
  // No listener runs at the address of the example.
  'POST /operator/v1/local_listeners': 'url_not_allowed',
  // This service creates and keeps its master key itself, and accepts no file with one.
  'POST /operator/v1/master_key/rotate': 'parameter_invalid',
};

/**
 * New users send the examples of the API reference. This suite sends each one unchanged except for
 * ids.
 */
describe('examples of requests', () => {
  let service: RunningService;
  let tenant: TestTenant;
  let live: TestTenant;
  let document: Json;
  let examples: Example[];
  let makerOf: ReturnType<typeof createObjectMakers>;

  beforeAll(async () => {
    service = await RunningService.shared();
    const owner = await createObjectOwner(service);
    ({ tenant, live } = owner);
    makerOf = createObjectMakers(owner);
    document = (await tenant.api.get('/openapi.json')).ok;
    // The console's operations need a session instead of a key (console-sessions.spec.ts), and a
    // backup writes to the named directory (backup.spec.ts).
    examples = listExamples(document).filter(
      ({ path }) => !path.startsWith('/console/') && path !== '/operator/v1/store/backup',
    );
  });

  const send = async ({ method, path, type, body }: Example): Promise<Answer> => {
    const operation = `${method} ${path}`;
    let url = path;
    for (const [whole, name] of path.matchAll(/\{(\w+)\}/g)) {
      const make = makerOf(operation, name!);
      if (make === undefined) throw new Error(`no maker of ${name!}`);
      url = url.replace(whole, await make());
    }
    const own = path.includes('{refundId}') ? live.api : tenant.api;
    const api: Api = path.startsWith('/operator/') ? service.operator : own;
    if (typeof body === 'string') {
      return api.send(method, url, { body, headers: { 'content-type': type } });
    }
    const filled: Json = { ...(body as Json) };
    for (const name of Object.keys(filled)) {
      const make = makerOf(operation, name);
      if (make !== undefined) filled[name] = await make();
    }
    return api.send(method, url, { body: filled });
  };

  it('are all accepted by the service', async () => {
    const failures: string[] = [];
    for (const example of examples) {
      const name = `${example.method} ${example.path}`;
      const { status, body } = await send(example);
      const error = body['error'] as Json | undefined;
      if (status < 300 || (error !== undefined && REFUSED[name] === error['code'])) continue;
      failures.push(`${name} ${JSON.stringify(example.body)}: ${status} ${JSON.stringify(error)}`);
    }
    expect(failures).toEqual([]);
    expect(examples.length).toBeGreaterThan(40);
  });

  it('use last month in replays, so that they do not become outdated', () => {
    const { body } = examples.find(({ path }) => path === '/v1/replay')!;
    const { from, to } = body as { from: string; to: string };
    const now = new Date();
    const startOf = (months: number): string =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString();
    expect([from, to]).toEqual([startOf(-1), startOf(0)]);
  });

  it('include no optional header, which the page of the reference would send with every call', () => {
    const withExample = listParameters(document).filter(
      ({ in: place, example, schema }) =>
        place === 'header' && (example ?? (schema as Json)['example']) !== undefined,
    );
    expect(withExample).toEqual([]);
  });

  it('import every line of their file', async () => {
    const example = examples.find(({ type }) => type === 'application/x-ndjson')!;
    const id = (await send(example)).expect(202)['id'] as string;
    const done = await until('the import', async () => {
      const state = (await tenant.api.get(`/v1/imports/${id}`)).ok;
      return state['finished_at'] === null ? null : state;
    });
    expect(done).toMatchObject({ status: 'completed', lines_ok: 3 });
  });
});

const listParameters = (document: Json): Json[] =>
  Object.values(document['paths'] as Record<string, Json>)
    .flatMap((methods) => Object.values(methods as Record<string, Json>))
    .flatMap((operation) => (operation['parameters'] ?? []) as Json[])
    .map((parameter) => resolveReference(document, parameter));

/** Returns the example of each body of an operation. */
const listExamples = (document: Json): Example[] =>
  Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Json>).flatMap(([method, operation]) => {
      const { content = {} } = (operation['requestBody'] ?? {}) as {
        content?: Record<string, { example?: unknown; schema: Json }>;
      };
      return Object.entries(content).map(([type, { example, schema }]) => ({
        method: method.toUpperCase(),
        path,
        type,
        body: example ?? schema['example'],
      }));
    }),
  );
