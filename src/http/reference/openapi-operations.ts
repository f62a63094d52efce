import { REFUSES } from '../pipeline/answers';
import * as patterns from '../fields/header-patterns';
import { nameOf } from './operation-names';
import { OPERATION_TEXTS } from './operation-texts';
import { exampleOf, requestExampleOf } from './openapi-examples';
import { ownCodesText, type Place, refusalsOf } from './openapi-errors';
import { componentOf, mapValues, MEDIA, type Node } from './openapi-node';

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
      mapValues(methods, (operation, method) => complete(document, { operation, method, path })),
    ),
  };
};

const complete = (document: Node, place: Place): Node => {
  const { operation, method, path } = place;
  const { [REFUSES]: _, 'x-required-scopes': _scopes, [MEDIA]: media, ...own } = operation;
  const { name, title } = nameOf(method, path);
  const body = operation['requestBody'] as { content: Record<string, Node> } | undefined;
  const { responses, codes } = refusalsOf(document, place);
  return {
    ...own,
    operationId: name,
    summary: title,
    description: textOf(place),
    security: securityOf(place),
    parameters: [
      ...((operation['parameters'] ?? []) as Node[]).map(describedParameter).map(styled),
      ...headersOf(place),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            ...body,
            content: {
              ...withExamples(document, body.content, requestExampleOf),
              ...(media as Record<string, Node> | undefined),
            },
          },
        }),
    responses: {
      ...mapValues(operation['responses'] as Record<string, Node>, (response, status) =>
        answer(document, response, { status, place }),
      ),
      ...responses,
    },
    'x-error-codes': codes,
  };
};

/**
 * Builds the description: a sentence about the operation, then further text, the scopes and the
 * operation's own errors.
 */
const textOf = (place: Place): string => {
  const { operation, method, path } = place;
  const parts = [
    operation['summary'],
    operation['description'],
    OPERATION_TEXTS[`${method.toUpperCase()} ${path}`],
    scopesText(place),
    ownCodesText(place),
  ].filter((part): part is string => typeof part === 'string' && part !== '');
  return parts.join('\n\n');
};

const scopesOf = ({ operation }: Place): string[] =>
  (operation['x-required-scopes'] ?? []) as string[];

const scopesText = (place: Place): string => {
  if (place.path.startsWith(CONSOLE_PREFIX))
    return RIGHT_TEXTS[rightOf(place) ?? ''] ?? 'Needs nothing.';
  if (!place.path.startsWith(TENANT_PREFIX)) return 'Needs the operator token.';
  const names = scopesOf(place).map((scope) => `\`${scope}\``);
  const key = place.operation['x-test-only'] === true ? 'a test key' : 'an API key';
  return names.length === 0
    ? `Needs ${key}, with any scopes.`
    : `Needs ${key} with the scope${names.length > 1 ? 's' : ''} ${names.join(' and ')}.`;
};

/**
 * Returns the security requirement. The roles of a scheme are the scopes that the key must have
 * (OpenAPI 3.1, "Security Requirement").
 */
const securityOf = (place: Place): Node[] => {
  if (place.path.startsWith(TENANT_PREFIX)) {
    return [{ apiKey: scopesOf(place) }, { session: scopesOf(place) }];
  }
  if (!place.path.startsWith(CONSOLE_PREFIX)) return [{ operatorToken: [] }, { session: [] }];
  return rightOf(place) === undefined ? [] : [{ session: [] }];
};

const rightOf = ({ operation }: Place): string | undefined =>
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
  created_after: 'Only what was created at or after this moment.',
  created_before: 'Only what was created before this moment.',
  order: 'Newest first, or `asc` for oldest first.',
  status: 'Only those in this status.',
  environment: 'Only those of this environment.',
  currency: 'The currency of money; the currency of the tenant where left out.',
  window: 'The time that the series covers, in whole UTC days and months.',
  granularity: 'The length of a bucket.',
  metric: 'The name of the metric.',
  name: 'The name of the scenario.',
  eventType: 'The type of the event, such as `payment.succeeded`.',
  view: 'The table to export.',
  rows: 'How many rows to answer at most.',
};

const describedParameter = (parameter: Node): Node => {
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

/**
 * Sets the style of a parameter. A list in the query is one comma-separated value (`QueryList`).
 */
const styled = (parameter: Node): Node =>
  parameter['in'] === 'query' && (parameter['schema'] as Node)['type'] === 'array'
    ? { ...parameter, style: 'form', explode: false }
    : parameter;

/**
 * Builds a header without an example, because the page of the reference would send the example with
 * every call.
 */
const header = (name: string, description: string, schema: Node): Node => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});

/** Headers of requests, as shared components. */
export const REQUEST_HEADERS = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'A text of your own such as `renewal-2026-03-10`: a repeat with it within 24 hours answers the original response and changes nothing. Personal fields are shown as the rights of the repeating key allow, and a secret only to the key that made the request (others read `[hidden]`).',
    { minLength: 1, maxLength: 255, pattern: patterns.IDEMPOTENCY_KEY.source },
  ),
  IfMatch: header(
    'If-Match',
    'The `ETag` you read, such as `"12"`: where the object has changed since, the answer is 409 `version_conflict`.',
    { pattern: patterns.IF_MATCH.source },
  ),
  LogPosition: header(
    'X-Service-Log-Position',
    'What a write answered in its header of this name: the read waits until it shows that write.',
    { pattern: patterns.LOG_POSITION.source },
  ),
};

const sharedHeader = (name: keyof typeof REQUEST_HEADERS): Node => ({
  $ref: `#/components/parameters/${name}`,
});

const headersOf = ({ method, path }: Place): Node[] => {
  if (CHANGING.includes(method)) return [sharedHeader('IdempotencyKey'), sharedHeader('IfMatch')];
  return path.startsWith(TENANT_PREFIX) ? [sharedHeader('LogPosition')] : [];
};

const RATE_LIMIT_HEADERS = {
  RateLimit: {
    description:
      'What is left of the limit: `"live";r=99;t=1` means 99 more requests now (`r`), and the whole limit again in 1 second (`t`). An operation with a limit of its own, such as `POST /v1/replay`, shows both, separated by a comma.',
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

/** Headers of answers, as shared components. */
export const ANSWER_HEADERS = {
  ...RATE_LIMIT_HEADERS,
  ETag: {
    description:
      'The version of the object, where it belongs to a subscriber. Send it as `If-Match`.',
    schema: { type: 'string' },
  },
  LogPosition: {
    description:
      'Where the write stands in the log. A read that sends it back shows that write for certain.',
    schema: { type: 'string' },
  },
};

const answerHeader = (name: keyof typeof ANSWER_HEADERS): Node => ({
  $ref: `#/components/headers/${name}`,
});

/** The objects that belong to a subscriber. Their version is the header `ETag`. */
const VERSIONED = new Set(['Credit', 'Payment', 'Refund', 'Subscriber', 'Subscription', 'Ticket']);

const answerHeaders = ({ method }: Place, content: Record<string, Node> | undefined): Node => {
  const component = componentOf(content?.['application/json']?.['schema'] as Node | undefined);
  const headers = {
    ...(VERSIONED.has(component ?? '') ? { ETag: answerHeader('ETag') } : {}),
    ...(CHANGING.includes(method) ? { 'X-Service-Log-Position': answerHeader('LogPosition') } : {}),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
};

const answer = (document: Node, response: Node, at: { status: string; place: Place }): Node => {
  const { status, place } = at;
  const content = response['content'] as Record<string, Node> | undefined;
  return {
    ...response,
    description: response['description'] === '' ? meaningOf(status) : response['description'],
    ...answerHeaders(place, content),
    ...(content === undefined ? {} : { content: withExamples(document, content, exampleOf) }),
  };
};

const meaningOf = (status: string): string =>
  ({ '201': 'Created.', '202': 'Accepted.', '204': 'Done.' })[status] ?? 'OK.';

const withExamples = (
  document: Node,
  content: Record<string, Node>,
  make: typeof exampleOf,
): Record<string, Node> =>
  mapValues(content, (media, type) =>
    type === 'application/json' && !('example' in media)
      ? { ...media, example: make(document, media['schema'] as Node) }
      : media,
  );
