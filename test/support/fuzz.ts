import fc from 'fast-check';
import { resolved } from './contract';
import { type RawAnswer, sendRaw } from './raw-request';
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
  readonly fields: readonly string[];
}

/** The longest time of an answer, in ms. It leaves room for a busy test machine. */
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

/** Operations that would end the run for all others, or take long on purpose. */
const LEFT_OUT = new Set(['POST /v1/test_helpers/seed', 'POST /operator/v1/rebuilds']);

/**
 * Calls operations of the OpenAPI document with values that are valid, at a boundary or hostile.
 * Returns a line for each forbidden answer: a 5xx, a slow one, or an error without the documented
 * body. Runs with the same seed send the same requests.
 */
export const fuzz = async (
  service: RunningService,
  tenant: TestTenant,
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
): Promise<string[]> => {
  const response = await fetch(`${service.url}/openapi.json`);
  const operations = operationsOf((await response.json()) as Json);
  const faults: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const requests = fc.sample(requestTo(operation), { seed: seed + index, numRuns: rounds });
    for (const { target, body } of requests) {
      const startedAt = performance.now();
      const answer = await sendRaw(service.url, {
        method: operation.method,
        target,
        credential: target.startsWith('/operator/') ? service.operatorToken : tenant.key,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const fault = faultOf(answer, performance.now() - startedAt);
      if (fault === null) continue;
      const sent = (JSON.stringify(body) ?? '').slice(0, 300);
      faults.push(`${operation.method} ${target.slice(0, 200)} ${sent}: ${fault}`);
    }
  }
  return faults;
};

const faultOf = ({ status, body, code }: RawAnswer, tookMs: number): string | null => {
  if (tookMs > SLOW_MS) return `took ${Math.round(tookMs)} ms`;
  if (status >= 500) return `${status} ${body.slice(0, 200)}`;
  if (status < 400) return null;
  const error = (JSON.parse(body) as { error?: Json }).error ?? {};
  const whole = FIELDS.every((field) => field in error);
  return code !== null && whole ? null : `${status} without the documented body: ${body}`;
};

const FIELDS = ['type', 'code', 'message', 'param', 'details', 'errors', 'doc_url', 'request_id'];

const value = fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 3 }));

const requestTo = ({
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
      body: bodyOf(fields),
    })
    .map(({ query: chosen, texts, body }) => {
      const encode = (at: number): string => encodeURIComponent(String(texts[at % 12])) || 'x';
      let at = 0;
      const filled = path.replaceAll(/\{[^}]+\}/g, () => encode(at++));
      const search = chosen.map(({ name }) => `${name}=${encode(at++)}`).join('&');
      return { target: search === '' ? filled : `${filled}?${search}`, body };
    });
};

const bodyOf = (fields: readonly string[]): fc.Arbitrary<unknown> =>
  fields.length === 0
    ? fc.constant(undefined)
    : fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record(Object.fromEntries(fields.map((field) => [field, value])), {
            requiredKeys: [],
          }),
        },
        { weight: 1, arbitrary: value },
      );

const operationsOf = (document: Json): Operation[] =>
  Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          parameters: ((operation['parameters'] ?? []) as Json[]).map(
            (parameter) => resolved(document, parameter) as unknown as Parameter,
          ),
          fields: fieldsOf(document, operation['requestBody'] as Json | undefined),
        }))
        .filter((each) => !LEFT_OUT.has(`${each.method} ${path}`)),
  );

const fieldsOf = (document: Json, requestBody: Json | undefined): string[] => {
  const content = requestBody?.['content'] as Record<string, Json> | undefined;
  const schema = content?.['application/json']?.['schema'] as { $ref?: string } | undefined;
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const name = schema?.$ref?.split('/').at(-1);
  const found = (name === undefined ? schema : schemas[name]) as { properties?: Json } | undefined;
  return Object.keys(found?.properties ?? {});
};
