import { LoopDelay } from '../support/loop-delay';
import { sendRaw } from '../support/raw-request';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

/** The longest time in ms for which a request may block the event loop. */
const BLOCKED_MS_MAX = 50;
/**
 * The number of measurements, of which the best counts, because compilers and garbage collectors
 * run at times.
 */
const MEASUREMENTS = 6;
/** The largest number of errors in an error body. */
const ERRORS_MAX = 20;
const BODY_CHARS = 1024 * 1024 - 64;

interface Operation {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly string[];
}

const createKeys = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));

const fillBody = (unit: string, around: (text: string) => string): string =>
  around(unit.repeat(Math.floor((BODY_CHARS - around('').length) / unit.length)));

/** Bodies of the largest allowed size. Each is for one of the operation's fields if it has any. */
const BODIES: Readonly<Record<string, (field: string) => string>> = {
  'objects of very many keys': () => JSON.stringify(createKeys(80_000)),
  'very many keys inside a field': (field) => JSON.stringify({ [field]: createKeys(70_000) }),
  'objects of 200 keys in a list': (field) =>
    JSON.stringify({ [field]: Array(480).fill(createKeys(190)) }),
  'as many values as a body may hold': (field) =>
    JSON.stringify({ [field]: Array(24).fill(createKeys(199)) }),
  'deep nesting': (field) => `{"${field}":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  'a long list of numbers': (field) => fillBody('1,', (text) => `{"${field}":[${text}1]}`),
  'a long list of objects': (field) => fillBody('{},', (text) => `{"${field}":[${text}{}]}`),
  'lists of lists': (field) => JSON.stringify({ [field]: Array(400).fill(Array(400).fill([])) }),
  'a long text': (field) => fillBody('a', (text) => `{"${field}":"${text}"}`),
  'a long text of blanks': (field) => fillBody(' ', (text) => `{"${field}":"${text}"}`),
  'a long text of line ends': (field) => fillBody('\\n', (text) => `{"${field}":"${text}"}`),
  'an address without end': (field) => fillBody('a.@', (text) => `{"${field}":"${text}"}`),
  'a template without end': (field) => fillBody('{{a', (text) => `{"${field}":"${text}"}`),
  'a URL without end': (field) => fillBody('../', (text) => `{"${field}":"https://x/${text}"}`),
  'a very long number': (field) => fillBody('9', (text) => `{"${field}":${text}}`),
  'a very long name': () => fillBody('n', (text) => `{"${text}":1}`),
  'lists of long texts': (field) => JSON.stringify({ [field]: Array(500).fill('x'.repeat(2_000)) }),
};

/** Files of half a megabyte, whose lines are read one by one. */
const LINES: Readonly<Record<string, string | Buffer>> = {
  'lines that are no JSON': 'x\n'.repeat(250_000),
  'empty objects': '{}\n'.repeat(170_000),
  'long lines of deep nesting': `${'['.repeat(60_000)}\n`.repeat(8),
  'long lines of very many keys': `${JSON.stringify(createKeys(5_000))}\n`.repeat(8),
  'lines of bytes that are no text': Buffer.from('\xff\n'.repeat(250_000), 'latin1'),
  'one line without an end': 'x'.repeat(500_000),
};

describe('the event loop', () => {
  const loopDelay = new LoopDelay();
  let service: Service;
  let tenant: TestTenant;
  let operations: Operation[];

  beforeAll(async () => {
    service = await Service.start(loopDelay.options);
    tenant = await service.tenant();
    operations = listOperations((await tenant.api.get('/openapi.json')).ok);
  });

  afterAll(async () => {
    await service.dispose();
    loopDelay.dispose();
  });

  const chooseCredential = (target: string): string =>
    target.startsWith('/operator/') ? service.operatorToken : tenant.key;

  /**
   * Measures how long the work of a request blocked the loop. On a busy machine the clock includes
   * the time that the thread waited for a processor, so the smaller of the lag and the CPU time
   * counts.
   */
  const measure = async (send: () => Promise<number>): Promise<[number, number]> => {
    await loopDelay.readMaxMs(service);
    const before = service.eventLoopCpuMs;
    const status = await send();
    const workedMs = service.eventLoopCpuMs - before;
    return [Math.min(workedMs, await loopDelay.readMaxMs(service)), status];
  };

  /**
   * Repeats a request until it does not block the loop, and returns the shortest time of all
   * attempts.
   */
  const measureShortest = async (send: () => Promise<number>): Promise<[number, number]> => {
    let best = Infinity;
    let status = 0;
    for (let turn = 0; turn < MEASUREMENTS && best > BLOCKED_MS_MAX; turn += 1) {
      const [heldMs, answered] = await measure(send);
      best = Math.min(best, heldMs);
      status = answered;
    }
    return [best, status];
  };

  it.each(Object.entries(BODIES))('is not blocked by %s', async (name, bodyFor) => {
    const held: string[] = [];
    for (const { method, target, fields } of operations) {
      const body = bodyFor(fields[0] ?? 'field');
      const headers = { 'content-type': 'application/json' };
      const credential = chooseCredential(target);
      const [ms, status] = await measureShortest(
        async () =>
          (await sendRaw(service.url, { method, target, credential, headers, body })).status,
      );
      if (ms > BLOCKED_MS_MAX || status >= 500)
        held.push(`${method} ${target}: ${ms} ms, ${status}`);
    }
    expect([name, held]).toEqual([name, []]);
  });

  it.each(Object.entries(LINES))(
    'is not blocked by an import of %s',
    async (_, body) => {
      const headers = { 'content-type': 'application/x-ndjson' };
      const importing = { method: 'POST', target: '/v1/imports', credential: tenant.key, headers };
      let longestMs = Infinity;
      for (let turn = 0; turn < MEASUREMENTS && longestMs > BLOCKED_MS_MAX; turn += 1) {
        await loopDelay.readMaxMs(service);
        const answer = await sendRaw(service.url, { ...importing, body });
        expect(answer.status).toBe(202);
        const { id } = JSON.parse(answer.body) as { id: string };
        await until('the import to end', async () => {
          return (await tenant.api.get(`/v1/imports/${id}`)).ok['finished_at'];
        });
        longestMs = Math.min(longestMs, await loopDelay.readMaxMs(service));
      }
      expect(longestMs).toBeLessThan(BLOCKED_MS_MAX);
    },
    300_000,
  );

  it.each(Object.entries(BODIES))('answers at most 20 errors to %s', async (_, bodyFor) => {
    for (const { method, target, fields } of operations) {
      const body = bodyFor(fields[0] ?? 'field');
      const headers = { 'content-type': 'application/json' };
      const credential = chooseCredential(target);
      const answer = await sendRaw(service.url, { method, target, credential, headers, body });
      const { error } = JSON.parse(answer.body) as { error?: { errors: unknown[] | null } };
      const listed = error?.errors?.length ?? 0;
      expect([target, listed <= ERRORS_MAX]).toEqual([target, true]);
    }
  });
});

const listOperations = (document: Json): Operation[] =>
  Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) => {
        const content = (requestBody as { content?: Record<string, Json> } | undefined)?.content;
        if (content === undefined) return [];
        const schema = content['application/json']?.['schema'] as { $ref?: string } | undefined;
        const target = path.replaceAll(/\{[^}]+\}/g, 'x1');
        return [{ method: method.toUpperCase(), target, fields: listFields(document, schema) }];
      }),
  );

const listFields = (document: Json, schema: { $ref?: string } | undefined): string[] => {
  const name = schema?.$ref?.split('/').at(-1);
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const found = (name === undefined ? schema : schemas[name]) as { properties?: Json } | undefined;
  return Object.keys(found?.properties ?? {});
};
