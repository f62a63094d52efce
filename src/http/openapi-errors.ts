import type { ErrorCode } from '../kernel/errors';
import { REFUSES } from './answers';
import { type ErrorBody, problemBody } from './error-body';
import { ERROR_TABLE } from './error-table';
import { LIMIT_REASONS } from './rate-limit';

type Node = Record<string, unknown>;

interface Place {
  readonly operation: Node;
  readonly method: string;
  readonly path: string;
}

/** What can be told of an operation, and so what it refuses. */
interface Traits {
  readonly changes: boolean;
  readonly tenants: boolean;
  readonly testOnly: boolean;
  readonly parameters: ReadonlySet<string>;
  readonly namesObjects: boolean;
}

/** Fields that name another object: an unknown one is a 404 (D-81). */
const NAMES_OBJECT =
  /_ids?$|^(plan|to_plan|test_clock|follow_up_of|retry_of|offer|offer_override)$/;

const traitsOf = (document: Node, { operation, method, path }: Place): Traits => {
  const parameters = (operation['parameters'] ?? []) as { name: string; in: string }[];
  const fields = bodyFields(document, operation);
  return {
    changes: ['post', 'put', 'patch', 'delete'].includes(method),
    tenants: path.startsWith('/v1/'),
    testOnly: operation['x-test-only'] === true,
    parameters: new Set(parameters.map(({ name }) => name)),
    namesObjects:
      path.includes('{') ||
      parameters.some(({ name }) => name === 'cohort_id') ||
      fields.some((name) => name !== 'external_id' && NAMES_OBJECT.test(name)),
  };
};

interface Schema {
  readonly $ref?: string;
  readonly properties?: Node;
}

const bodyFields = (document: Node, operation: Node): string[] => {
  const body = operation['requestBody'] as
    { content: Record<string, { schema: Schema }> } | undefined;
  const { schemas } = document['components'] as { schemas: Record<string, Schema> };
  return Object.values(body?.content ?? {}).flatMap(({ schema }) => {
    const name = schema.$ref?.replace('#/components/schemas/', '');
    const { properties = {} } = (name === undefined ? undefined : schemas[name]) ?? schema;
    return Object.keys(properties);
  });
};

type Rule = readonly [applies: (traits: Traits) => boolean, ...codes: ErrorCode[]];

const always = (): boolean => true;
const changes = (traits: Traits): boolean => traits.changes;
const tenants = (traits: Traits): boolean => traits.tenants;

/** What the pipeline and the validation refuse of every operation of a kind. */
const RULES: readonly Rule[] = [
  [always, 'parameter_invalid', 'parameter_unknown', 'parameter_missing'],
  [always, 'request_malformed', 'headers_too_large', 'request_timeout'],
  [changes, 'invalid_json', 'payload_too_large', 'unsupported_media_type'],
  [changes, 'idempotency_key_invalid', 'idempotency_key_in_use', 'idempotency_key_reused'],
  [changes, 'version_conflict'],
  [({ parameters }) => parameters.has('limit'), 'limit_out_of_range'],
  [({ parameters }) => parameters.has('starting_after'), 'invalid_cursor', 'cursor_conflict'],
  [always, 'api_key_missing', 'api_key_invalid'],
  [tenants, 'api_key_expired', 'api_key_revoked', 'insufficient_scope', 'ip_not_allowed'],
  [({ testOnly }) => testOnly, 'test_helpers_live_forbidden'],
  [({ namesObjects }) => namesObjects, 'resource_not_found'],
  [tenants, 'rate_limited', 'too_many_concurrent_requests'],
  [always, 'internal_error', 'service_unavailable'],
];

/** Every code an operation can answer, in the order of the error table. */
const codesOf = (document: Node, place: Place): ErrorCode[] => {
  const traits = traitsOf(document, place);
  const own = (place.operation[REFUSES] ?? []) as ErrorCode[];
  const codes = new Set([
    ...RULES.flatMap(([applies, ...some]) => (applies(traits) ? some : [])),
    ...own,
  ]);
  return (Object.keys(ERROR_TABLE) as ErrorCode[]).filter((code) => codes.has(code));
};

/** The refusals of an operation by status; no other code is answered under these. */
export const refusals = (document: Node, place: Place): Record<string, Node> => {
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of codesOf(document, place)) {
    const status = String(ERROR_TABLE[code].status);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      { ...refusal(codes), ...(status === '429' ? { headers: LIMIT_HEADERS } : {}) },
    ]),
  );
};

const LIMIT_HEADERS: Node = {
  'Retry-After': {
    description: 'Seconds after which the call may be repeated.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-Service-Rate-Limited-Reason': {
    description:
      'Which limit it was: the rate of the key, what runs at once (requests of the key, or replays), or the rate of the operation.',
    schema: { type: 'string', enum: [...LIMIT_REASONS] },
  },
};

const refusal = (codes: readonly ErrorCode[]): Node => ({
  description: codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].when}`).join(' '),
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          { properties: { error: { properties: { code: { enum: [...codes] } } } } },
        ],
      },
      examples: examplesOf(codes, errorExample),
    },
    'application/problem+json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { properties: { code: { enum: [...codes] } } },
        ],
      },
      examples: examplesOf(codes, (code) => problemBody(errorExample(code))),
    },
  },
});

const examplesOf = (codes: readonly ErrorCode[], make: (code: ErrorCode) => unknown): Node =>
  Object.fromEntries(codes.map((code) => [code, { value: make(code) }]));

const errorExample = (code: ErrorCode): ErrorBody => {
  const { type, when } = ERROR_TABLE[code];
  return {
    error: {
      type,
      code,
      message: when,
      param: null,
      details: {},
      errors: [],
      doc_url: `/docs/errors#${code}`,
      request_id: 'req_4bf92f3577b34da6a3ce929d0e0e4736',
    },
  };
};

/** An operation without what was noted on it for this. */
export const withoutMarks = ({ [REFUSES]: _codes, ...operation }: Node): Node => operation;

const FACTS: Node = {
  param: { type: ['string', 'null'] },
  details: { type: 'object', additionalProperties: true },
  errors: {
    type: 'array',
    items: {
      type: 'object',
      required: ['param', 'code', 'message'],
      properties: {
        param: { type: 'string' },
        code: { type: 'string' },
        message: { type: 'string' },
      },
    },
  },
};

const CODE: Node = { type: 'string', enum: Object.keys(ERROR_TABLE) };

const whole = (properties: Node): Node => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** The two views of an error (D-80). */
export const ERROR_SCHEMAS: Node = {
  Error: whole({
    error: whole({
      type: { type: 'string' },
      code: CODE,
      message: { type: 'string' },
      ...FACTS,
      doc_url: { type: 'string' },
      request_id: { type: 'string' },
    }),
  }),
  Problem: whole({
    type: { type: 'string', description: 'The `doc_url` of an error.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The `request_id` of an error.' },
    code: CODE,
    ...FACTS,
  }),
};

/** What an error is answered as: the second where `Accept` names it. */
export const ERROR_CONTENT: Node = {
  'application/json': { schema: { $ref: '#/components/schemas/Error' } },
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
};
