import fc from 'fast-check';
import { resolveReference } from './contract';
import { type RawAnswer, type RawRequest, sendRaw } from './raw-request';
import { createValues } from './schema-values';
import type { RunningService, TestTenant } from './service';

type Json = Record<string, unknown>;

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Valid values of each field of the body. */
  readonly fields: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

/** The longest time of a response, in ms. It leaves room for a busy test machine. */
const SLOW_MS = 5_000;

/** Values at and beyond the limits of any field. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1,
  1.5,
  Number.MAX_SAFE_INTEGER + 2,
  1e308,
  '',
  ' ',
  'a',
  '\u0000',
  '\ud800',
  '\u202e',
  "' or 1=1 --",
  '{{7*7}}',
  '../../etc/passwd',
  '<script>',
  '%00',
  'x'.repeat(3_000),
  '1e400',
  'USD',
  'EUR',
  'month',
  'pm_test_ok',
  'https://example.com/x',
  'http://127.0.0.1:1/',
  'ada@example.com',
  'immediately',
  'period_end',
  '2026-01-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  [],
  [[]],
  [null],
  ['a', 'a'],
  {},
  { a: null },
  { constructor: 1 },
  { type: 'pause', days: 30 },
  Array(501).fill('a'),
];

/**
 * Operations that would take long, write files or end the session. Their bodies have an unknown
 * field, so that none of them is carried out.
 */
const REFUSED_ONLY = new Set([
  'POST /v1/test_helpers/seed',
  'POST /operator/v1/rebuilds',
  'POST /operator/v1/store/backup',
  'POST /operator/v1/store/compact',
  'POST /operator/v1/store/scavenge',
  'POST /operator/v1/master_key/rotate',
  'POST /console/v1/password',
]);
/** It takes no body that could be refused. */
const SIGN_OUT = 'DELETE /console/v1/session';

/**
 * Calls operations of the OpenAPI document with values that are valid, at a boundary or hostile.
 * Returns a line for each forbidden response: a 5xx, a slow one, or an error without the documented
 * body. Runs with the same seed send the same requests.
 */
export const fuzzOperations = async (
  service: RunningService,
  tenant: TestTenant,
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
): Promise<string[]> => {
  const response = await fetch(`${service.url}/openapi.json`);
  const operations = readOperations((await response.json()) as Json);
  const session = (await service.signedIn({ tenant_id: tenant.id, role: 'owner' })).headers;
  const chooseCredential = (target: string): Pick<RawRequest, 'credential' | 'headers'> => {
    if (target.startsWith('/console/')) return { headers: session };
    return { credential: target.startsWith('/v1/') ? tenant.key : service.operatorToken };
  };
  const faults: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const requests = fc.sample(createRequest(operation), { seed: seed + index, numRuns: rounds });
    for (const { target, body } of requests) {
      const { credential = null, headers = {} } = chooseCredential(target);
      const startedAt = performance.now();
      const answer = await sendRaw(service.url, {
        method: operation.method,
        target,
        credential,
        headers: { ...headers, ...(body === undefined ? {} : JSON_TYPE) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const fault = findFault(answer, performance.now() - startedAt);
      if (fault === null) continue;
      const sent = (JSON.stringify(body) ?? '').slice(0, 300);
      faults.push(`${operation.method} ${target.slice(0, 200)} ${sent}: ${fault}`);
    }
  }
  return faults;
};

const JSON_TYPE = { 'content-type': 'application/json' };

const findFault = ({ status, body, code }: RawAnswer, tookMs: number): string | null => {
  if (tookMs > SLOW_MS) return `took ${Math.round(tookMs)} ms`;
  if (status >= 500) return `${status} ${body.slice(0, 200)}`;
  if (status < 400) return null;
  const error = (JSON.parse(body) as { error?: Json }).error ?? {};
  const whole = FIELDS.every((field) => field in error);
  return code !== null && whole ? null : `${status} without the documented body: ${body}`;
};

const FIELDS = ['type', 'code', 'message', 'param', 'details', 'errors', 'doc_url', 'request_id'];

const value = fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 3 }));

const createRequest = ({
  method,
  path,
  parameters,
  fields,
}: Operation): fc.Arbitrary<{ target: string; body: unknown }> => {
  const text = fc.oneof(
    fc.constantFrom(...HOSTILE.filter((each) => typeof each === 'string' && each.isWellFormed())),
    fc.string({ minLength: 1, maxLength: 30 }),
  );
  const query = fc.subarray(parameters.filter((each) => each.in === 'query'));
  return fc
    .record({
      query,
      texts: fc.array(text, { minLength: 12, maxLength: 12 }),
      body: REFUSED_ONLY.has(`${method} ${path}`) ? createRefusedBody(fields) : createBody(fields),
    })
    .map(({ query: chosen, texts, body }) => {
      const encode = (at: number): string => encodeURIComponent(String(texts[at % 12])) || 'x';
      let at = 0;
      const filled = path.replaceAll(/\{[^}]+\}/g, () => encode(at++));
      const search = chosen.map(({ name }) => `${name}=${encode(at++)}`).join('&');
      return { target: search === '' ? filled : `${filled}?${search}`, body };
    });
};

const createBody = (fields: Operation['fields']): fc.Arbitrary<unknown> =>
  Object.keys(fields).length === 0
    ? fc.constant(undefined)
    : fc.oneof({ weight: 6, arbitrary: createObject(fields) }, { weight: 1, arbitrary: value });

const createObject = (fields: Operation['fields']): fc.Arbitrary<Json> => {
  const each = Object.entries(fields).map(([name, valid]) => [name, fc.oneof(valid, value)]);
  return fc.record(Object.fromEntries(each) as Operation['fields'], { requiredKeys: [] });
};

const createRefusedBody = (fields: Operation['fields']): fc.Arbitrary<Json> =>
  createObject(fields).map((body) => ({ ...body, unknown_field: true }));

const readOperations = (document: Json): Operation[] =>
  Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          parameters: ((operation['parameters'] ?? []) as Json[]).map(
            (parameter) => resolveReference(document, parameter) as unknown as Parameter,
          ),
          fields: readFields(document, operation['requestBody'] as Json | undefined),
        }))
        .filter(({ method }) => `${method} ${path}` !== SIGN_OUT),
  );

const readFields = (document: Json, requestBody: Json | undefined): Operation['fields'] => {
  const content = requestBody?.['content'] as Record<string, Json> | undefined;
  const schema = content?.['application/json']?.['schema'] as Json | undefined;
  if (schema === undefined) return {};
  const { properties = {} } = resolveReference(document, schema) as {
    properties?: Record<string, Json>;
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, rules]) => [name, createValues(document, rules)]),
  );
};
