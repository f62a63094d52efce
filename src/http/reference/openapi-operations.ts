import { HAS_VERSION, isVersioned, REFUSES } from '../pipeline/answers';
import * as patterns from '../fields/header-patterns';
import { createOperationName } from './operation-names';
import { OPERATION_TEXTS } from './operation-texts';
import { createExample, createRequestExample } from './openapi-examples';
import { describeOwnCodes, type Place, findRefusals } from './openapi-errors';
import { getComponentName, mapValues, MEDIA, type Node } from './openapi-node';

const CHANGING = ['post', 'put', 'patch', 'delete'];
export const TENANT_PREFIX = '/v1/';
const CONSOLE_PREFIX = '/console/v1/';

/**
 * Completes every operation: its name, headers, required scopes, errors of the pipeline,
 * descriptions of well-known parameters, and an example of each body.
 */
export const completeOperations = (document: Node): Node => {
  const paths = document['paths'] as Record<string, Record<string, Node>>;
  return {
    ...document,
    paths: mapValues(paths, (methods, path) =>
      mapValues(methods, (operation, method) =>
        completeOperation(document, { operation, method, path }),
      ),
    ),
  };
};

const completeOperation = (document: Node, place: Place): Node => {
  const { operation, method, path } = place;
  const {
    [REFUSES]: _,
    [HAS_VERSION]: __,
    'x-required-scopes': _scopes,
    [MEDIA]: media,
    ...own
  } = operation;
  const { name, title } = createOperationName(method, path);
  const body = operation['requestBody'] as { content: Record<string, Node> } | undefined;
  const { responses, codes } = findRefusals(document, place);
  return {
    ...own,
    operationId: name,
    summary: title,
    description: createText(place),
    security: createSecurity(place),
    parameters: [
      ...((operation['parameters'] ?? []) as Node[])
        .map(describeParameter)
        .map(addStyle)
        .map(addIdPattern)
        .map(removeFalseRequired),
      ...listHeaders(place),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            ...body,
            content: {
              ...addExamples(document, body.content, createRequestExample),
              ...(media as Record<string, Node> | undefined),
            },
          },
        }),
    responses: {
      ...mapValues(operation['responses'] as Record<string, Node>, (response, status) =>
        createAnswer(document, response, { status, place }),
      ),
      ...(method === 'get' && hasVersion(operation) ? { '304': NOT_MODIFIED } : {}),
      ...responses,
    },
    'x-error-codes': codes,
  };
};

/**
 * Builds the description: a sentence about the operation, then further text, the scopes and the
 * operation's own errors.
 */
const createText = (place: Place): string => {
  const { operation, method, path } = place;
  const parts = [
    operation['summary'],
    operation['description'],
    OPERATION_TEXTS[`${method.toUpperCase()} ${path}`],
    describeScopes(place),
    describeOwnCodes(place),
  ].filter((part): part is string => typeof part === 'string' && part !== '');
  return parts.join('\n\n');
};

const listScopes = ({ operation }: Place): string[] =>
  (operation['x-required-scopes'] ?? []) as string[];

const describeScopes = (place: Place): string => {
  if (place.path.startsWith(CONSOLE_PREFIX))
    return RIGHT_TEXTS[findRight(place) ?? ''] ?? 'Needs nothing.';
  if (!place.path.startsWith(TENANT_PREFIX)) return 'Needs the operator token.';
  const names = listScopes(place).map((scope) => `\`${scope}\``);
  const key = place.operation['x-test-only'] === true ? 'a test key' : 'an API key';
  if (names.length === 0) return `Needs ${key}, with any scopes.`;
  const right = `the scope${names.length > 1 ? 's' : ''} ${names.join(' and ')}`;
  return place.operation['x-test-only'] === true
    ? `Needs ${key} with ${right}.`
    : `Needs ${right}.`;
};

/**
 * Returns the security requirement. The roles of a scheme are the scopes that the key must have
 * (OpenAPI 3.1, "Security Requirement").
 */
const createSecurity = (place: Place): Node[] => {
  if (place.path.startsWith(TENANT_PREFIX)) {
    return [{ apiKey: listScopes(place) }, { session: listScopes(place) }];
  }
  if (!place.path.startsWith(CONSOLE_PREFIX)) return [{ operatorToken: [] }, { session: [] }];
  return findRight(place) === undefined ? [] : [{ session: [] }];
};

const findRight = ({ operation }: Place): string | undefined =>
  operation['x-member-right'] as string | undefined;

const RIGHT_TEXTS: Readonly<Record<string, string>> = {
  session: 'Needs a session.',
  tenant: 'Needs the session of a member of the tenant.',
  keys: 'Needs the session of an owner, admin or developer of the tenant.',
  members: 'Needs the session of an owner or admin of the tenant.',
  settings: 'Needs the session of an owner or admin of the tenant.',
};

const WELL_KNOWN: Readonly<Record<string, string>> = {
  limit: 'How many objects a page has, 1 to 100.',
  created_after: 'Only objects created at this moment or later.',
  created_before: 'Only objects created before this moment.',
  order: 'Newest first, or `asc` for oldest first.',
  status: 'Only those in this status.',
  environment: 'Only those of this environment.',
  currency: 'The currency of amounts. Default: the currency of the tenant.',
  window: 'The time that the series covers, in whole UTC days and months.',
  granularity: 'The length of a bucket.',
  metric: 'The name of the metric.',
  name: 'The name of the scenario.',
  eventType: 'The type of the event, such as `payment.succeeded`.',
  view: 'The table to export.',
  rows: 'The largest number of rows to return.',
};

const describeParameter = (parameter: Node): Node => {
  const { name, in: place, description } = parameter as { name: string } & Node;
  if (typeof description === 'string' && description !== '') return parameter;
  const words = name
    .replace(/_?[iI]d$/, '')
    .replaceAll(/(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
  const text =
    WELL_KNOWN[name] ??
    (place === 'path' ? `The id of the ${words}.` : `Only those of this ${words}.`);
  return { ...parameter, description: text };
};

/** The characters of ids, of names of metrics and of types of events. */
const ID_PATTERN = '^[A-Za-z0-9_:-][A-Za-z0-9_.:-]*$';
const ID_CHARS_MAX = 128;

/** Limits a path parameter to the characters of ids. No object has an id with other characters. */
const addIdPattern = (parameter: Node): Node => {
  const schema = parameter['schema'] as Node;
  const isFree = parameter['in'] === 'path' && !('pattern' in schema) && !('enum' in schema);
  return isFree
    ? { ...parameter, schema: { ...schema, pattern: ID_PATTERN, maxLength: ID_CHARS_MAX } }
    : parameter;
};

/**
 * Sets the style of a parameter. A list in the query is one comma-separated value (`QueryList`).
 */
const addStyle = (parameter: Node): Node =>
  parameter['in'] === 'query' && (parameter['schema'] as Node)['type'] === 'array'
    ? { ...parameter, style: 'form', explode: false }
    : parameter;

/** Removes `required: false`, which is the default. */
const removeFalseRequired = ({ required, ...parameter }: Node): Node =>
  required === true ? { ...parameter, required } : parameter;

/** Builds a header without an example. The reference page would send an example with every call. */
const createHeader = (name: string, description: string, schema: Node): Node => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema },
});

/** Headers of requests, as shared components. */
export const REQUEST_HEADERS = {
  IdempotencyKey: createHeader(
    'Idempotency-Key',
    'A text of your own such as `renewal-2026-03-10`: a repeat with it within 24 hours answers the original response and changes nothing. Personal fields are shown as the rights of the repeating key allow, and a secret only to the key that made the request (others read `[hidden]`).',
    { minLength: 1, maxLength: 255, pattern: patterns.IDEMPOTENCY_KEY.source },
  ),
  IfMatch: createHeader(
    'If-Match',
    'The `ETag` that you read, such as `"12"`. If the object has changed since, the response is 409 `version_conflict`.',
    { pattern: patterns.IF_MATCH.source },
  ),
  IfNoneMatch: createHeader(
    'If-None-Match',
    'The `ETag` that you read. If the object has not changed since, the response is 304 without a body.',
    {},
  ),
  LogPosition: createHeader(
    'X-Service-Log-Position',
    'The value of this header in the response of a write: the read waits until it shows that write.',
    { pattern: patterns.LOG_POSITION.source },
  ),
};

const referToHeader = (name: keyof typeof REQUEST_HEADERS): Node => ({
  $ref: `#/components/parameters/${name}`,
});

const listHeaders = ({ operation, method, path }: Place): Node[] => {
  if (CHANGING.includes(method)) {
    const version = hasVersion(operation) ? [referToHeader('IfMatch')] : [];
    return [referToHeader('IdempotencyKey'), ...version];
  }
  if (!path.startsWith(TENANT_PREFIX)) return [];
  const version = hasVersion(operation) ? [referToHeader('IfNoneMatch')] : [];
  return [...version, referToHeader('LogPosition')];
};

const RATE_LIMIT_HEADERS = {
  RateLimit: {
    description:
      'The rest of the limit: `"live";r=99;t=1` means 99 more requests now (`r`), and the whole limit again in 1 second (`t`). An operation with a limit of its own, such as `POST /v1/replay`, shows both, separated by a comma.',
    schema: { type: 'string' },
    example: '"test";r=24;t=1',
  },
  RateLimitPolicy: {
    description:
      'The limit of the key: `"test";q=25;w=1` means 25 requests (`q`) in 1 second (`w`).',
    schema: { type: 'string' },
    example: '"test";q=25;w=1',
  },
};

/** Headers of responses, as shared components. */
export const ANSWER_HEADERS = {
  ...RATE_LIMIT_HEADERS,
  ETag: {
    description: 'The version of the object, if it belongs to a subscriber. Send it as `If-Match`.',
    schema: { type: 'string' },
  },
  LogPosition: {
    description:
      'The position of the write in the log. A read that sends it back is certain to show that write.',
    schema: { type: 'string' },
  },
};

const createAnswerHeader = (name: keyof typeof ANSWER_HEADERS): Node => ({
  $ref: `#/components/headers/${name}`,
});

/** True if the object of an operation has a version (`HasVersion`). */
const hasVersion = (operation: Node): boolean => {
  const declared = operation[HAS_VERSION];
  if (typeof declared === 'boolean') return declared;
  const responses = Object.values(operation['responses'] as Record<string, Node>);
  return responses.some((response) => isVersioned(nameBody(response['content'])));
};

/** Returns the component of a JSON body. */
const nameBody = (content: unknown): string | undefined => {
  const media = content as Record<string, Node> | undefined;
  return getComponentName(media?.['application/json']?.['schema'] as Node | undefined) ?? undefined;
};

const listAnswerHeaders = ({ method }: Place, content: Record<string, Node> | undefined): Node => {
  const headers = {
    ...(isVersioned(nameBody(content)) ? { ETag: createAnswerHeader('ETag') } : {}),
    ...(CHANGING.includes(method)
      ? { 'X-Service-Log-Position': createAnswerHeader('LogPosition') }
      : {}),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
};

const NOT_MODIFIED: Node = {
  description: 'Not modified.',
  headers: { ETag: createAnswerHeader('ETag') },
};

const createAnswer = (
  document: Node,
  response: Node,
  at: { status: string; place: Place },
): Node => {
  const { status, place } = at;
  const content = response['content'] as Record<string, Node> | undefined;
  return {
    ...response,
    description: response['description'] === '' ? describeStatus(status) : response['description'],
    ...listAnswerHeaders(place, content),
    ...(content === undefined ? {} : { content: addExamples(document, content, createExample) }),
  };
};

const describeStatus = (status: string): string =>
  ({ '201': 'Created.', '202': 'Accepted.', '204': 'Done.' })[status] ?? 'OK.';

const addExamples = (
  document: Node,
  content: Record<string, Node>,
  make: typeof createExample,
): Record<string, Node> =>
  mapValues(content, (media, type) =>
    type === 'application/json' && !('example' in media)
      ? { ...media, example: make(document, media['schema'] as Node) }
      : media,
  );
