import type { ErrorCode } from '../../kernel/errors';
import { isIdFilter } from '../../kernel/required-ids';
import { REFUSES } from '../pipeline/answers';
import { type ErrorBody, createProblemBody } from '../pipeline/error-body';
import { ERROR_TABLE } from '../pipeline/error-table';
import { LIMIT_REASONS } from '../pipeline/rate-limit';
import { getComponentName, isNode, type Node, createReference } from './openapi-node';

export interface Place {
  readonly operation: Node;
  readonly method: string;
  readonly path: string;
}

/** The properties of an operation that determine its errors. */
interface Traits {
  readonly changes: boolean;
  readonly tenants: boolean;
  readonly operator: boolean;
  readonly testOnly: boolean;
  readonly parameters: ReadonlySet<string>;
  readonly namesObjects: boolean;
}

/** Fields that name another object. An unknown object is answered with 404. */
const NAMES_OBJECT =
  /_ids?$|^(plan|to_plan|test_clock|follow_up_of|retry_of|offer|offer_override)$/;

const findTraits = (document: Node, { operation, method, path }: Place): Traits => {
  const parameters = (operation['parameters'] ?? []) as { name: string; in: string }[];
  const fields = listBodyFields(document, operation);
  return {
    changes: ['post', 'put', 'patch', 'delete'].includes(method),
    tenants: path.startsWith('/v1/'),
    operator: path.startsWith('/operator/'),
    testOnly: operation['x-test-only'] === true,
    parameters: new Set(parameters.map(({ name }) => name)),
    namesObjects:
      path.includes('{') ||
      parameters.some(({ name }) => name === 'cohort_id' || isIdFilter(name)) ||
      fields.some((name) => name !== 'external_id' && NAMES_OBJECT.test(name)),
  };
};

const listBodyFields = (document: Node, operation: Node): string[] => {
  const { content = {} } = (operation['requestBody'] ?? {}) as {
    content?: Record<string, { schema: Node }>;
  };
  const { schemas } = document['components'] as { schemas: Record<string, Node> };
  return Object.values(content).flatMap(({ schema }) => {
    const component = getComponentName(schema);
    const { properties } = (component === undefined ? undefined : schemas[component]) ?? schema;
    return isNode(properties) ? Object.keys(properties) : [];
  });
};

interface Family {
  readonly applies: (traits: Traits) => boolean;
  readonly codes: readonly ErrorCode[];
}

/** The errors that the pipeline and the validation can answer for every operation of a kind. */
export const ERROR_FAMILIES: Readonly<Record<string, Family>> = {
  every: {
    applies: () => true,
    codes: [
      'parameter_invalid',
      'parameter_unknown',
      'parameter_missing',
      'request_malformed',
      'headers_too_large',
      'request_timeout',
      'api_key_missing',
      'api_key_invalid',
      // Operators have no rate limit, but too many wrong credentials are limited.
      'rate_limited',
      'session_invalid',
      'cross_site_request',
      'role_not_allowed',
      'tenant_suspended',
      'internal_error',
      'service_unavailable',
    ],
  },
  write: {
    applies: ({ changes }) => changes,
    codes: [
      'invalid_json',
      'payload_too_large',
      'unsupported_media_type',
      'idempotency_key_invalid',
      'idempotency_key_in_use',
      'idempotency_key_reused',
      'version_conflict',
    ],
  },
  tenant: {
    applies: ({ tenants }) => tenants,
    codes: [
      'api_key_expired',
      'api_key_revoked',
      'insufficient_scope',
      'ip_not_allowed',
      'too_many_concurrent_requests',
    ],
  },
  operator: {
    applies: ({ operator }) => operator,
    codes: ['api_key_expired', 'api_key_revoked', 'rate_limited'],
  },
  list: {
    applies: ({ parameters }) => parameters.has('limit'),
    codes: ['limit_out_of_range', 'invalid_cursor', 'cursor_conflict'],
  },
  test: { applies: ({ testOnly }) => testOnly, codes: ['test_helpers_live_forbidden'] },
  reference: { applies: ({ namesObjects }) => namesObjects, codes: ['resource_not_found'] },
};

/** The families of error codes that an operation can answer with, followed by its other codes. */
export type OperationCodes = readonly string[];

interface Codes {
  readonly families: readonly string[];
  readonly own: readonly ErrorCode[];
}

const listCodes = (document: Node, place: Place): Codes => {
  const traits = findTraits(document, place);
  const families = Object.entries(ERROR_FAMILIES).filter(([, { applies }]) => applies(traits));
  const common = new Set(families.flatMap(([, { codes }]) => codes));
  const own = (place.operation[REFUSES] ?? []) as ErrorCode[];
  return {
    families: families.map(([name]) => name),
    own: own.filter((code) => !common.has(code)),
  };
};

/**
 * Returns the name of the shared response of a status. It is short, because every operation refers
 * to many.
 */
const createStatusName = (status: number): string => `Error${status}`;

/** Statuses that are not specific to an operation. They are described under `default`. */
const RARE_STATUSES = new Set([405, 408, 413, 415, 431, 500, 503]);

export interface Refusals {
  /** Shared responses by status. */
  readonly responses: Record<string, Node>;
  readonly codes: OperationCodes;
}

/** Returns the errors of an operation. */
export const findRefusals = (document: Node, place: Place): Refusals => {
  const codes = listCodes(document, place);
  const common = codes.families.flatMap((family) => ERROR_FAMILIES[family]?.codes ?? []);
  const statuses = new Set([...common, ...codes.own].map((code) => ERROR_TABLE[code].status));
  const shown = [...statuses].filter((status) => !RARE_STATUSES.has(status)).sort((a, b) => a - b);
  const responses = Object.fromEntries(
    shown.map((status) => [status, { $ref: `#/components/responses/${createStatusName(status)}` }]),
  );
  return {
    codes: [...codes.families, ...codes.own],
    responses: { ...responses, default: { $ref: '#/components/responses/AnyError' } },
  };
};

/**
 * Returns a sentence with the operation's own codes; null if it has none. The response of each
 * status describes them.
 */
export const describeOwnCodes = (place: Place): string | null => {
  const own = (place.operation[REFUSES] ?? []) as ErrorCode[];
  if (own.length === 0) return null;
  const items = own.map((code) => `\`${code}\` (${ERROR_TABLE[code].status})`);
  return `Refused with ${items.join(', ')}.`;
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
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

/** Builds one response for each status, shared by all operations. */
export const createErrorResponses = (): Record<string, Node> => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of Object.keys(ERROR_TABLE) as ErrorCode[]) {
    const { status } = ERROR_TABLE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return {
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        createStatusName(status),
        createResponse(status, codes),
      ]),
    ),
    AnyError: {
      description:
        'Any other error: a request that cannot be read, is too large or too slow, a bug, or a store that does not answer (`503` with `Retry-After`).',
      content: ERROR_CONTENT,
    },
  };
};

const createResponse = (status: number, codes: readonly ErrorCode[]): Node => ({
  description: codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].when}`).join(' '),
  ...(status === 429 ? { headers: LIMIT_HEADERS } : {}),
  content: {
    'application/json': {
      ...(ERROR_CONTENT['application/json'] as Node),
      // The description lists every code. The bodies differ only in code and message.
      ...(codes[0] === undefined ? {} : { example: createErrorExample(codes[0]) }),
    },
    'application/problem+json': {
      ...(ERROR_CONTENT['application/problem+json'] as Node),
      ...(codes[0] === undefined
        ? {}
        : { example: createProblemBody(createErrorExample(codes[0])) }),
    },
  },
});

const createErrorExample = (code: ErrorCode): ErrorBody => {
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

const createObjectSchema = (properties: Node): Node => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const FACTS: Node = {
  param: { type: ['string', 'null'] },
  details: { type: 'object', additionalProperties: true },
  errors: { type: 'array', items: createReference('FieldError') },
};

/** The schemas of the two forms of an error. */
export const ERROR_SCHEMAS: Record<string, Node> = {
  ErrorCode: {
    type: 'string',
    enum: Object.keys(ERROR_TABLE),
    description: 'The kind of error, for programs. New codes may be added.',
  },
  FieldError: createObjectSchema({
    param: { type: 'string' },
    code: createReference('ErrorCode'),
    message: { type: 'string' },
  }),
  ErrorDetail: createObjectSchema({
    type: {
      type: 'string',
      enum: [...new Set(Object.values(ERROR_TABLE).map(({ type }) => type))],
      description: 'The family of the code.',
    },
    code: createReference('ErrorCode'),
    message: { type: 'string' },
    ...FACTS,
    doc_url: { type: 'string' },
    request_id: { type: 'string' },
  }),
  Error: createObjectSchema({ error: createReference('ErrorDetail') }),
  Problem: createObjectSchema({
    type: { type: 'string', description: 'The `doc_url` of the error.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The `request_id` of the error.' },
    code: createReference('ErrorCode'),
    ...FACTS,
  }),
};

/** The media types of an error. A client gets the second one if its `Accept` header names it. */
const ERROR_CONTENT: Node = {
  'application/json': { schema: createReference('Error') },
  'application/problem+json': { schema: createReference('Problem') },
};
