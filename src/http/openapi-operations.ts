import { exampleOf, requestExampleOf } from './openapi-examples';
import { refusals, withoutMarks } from './openapi-errors';

type Node = Record<string, unknown>;

const CHANGING = ['post', 'put', 'patch', 'delete'];

/**
 * What every operation has without saying so: headers, the refusals of the pipeline, descriptions
 * of well-known parameters, and an example of each body. Made here once for all of them.
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

interface Place {
  readonly operation: Node;
  readonly method: string;
  readonly path: string;
}

const complete = (document: Node, place: Place): Node => {
  const { operation } = place;
  const body = operation['requestBody'] as { content: Record<string, Node> } | undefined;
  return {
    ...withoutMarks(operation),
    summary: operation['summary'] ?? summaryOf(operation),
    parameters: [
      ...((operation['parameters'] ?? []) as Node[]).map(described).map(styled),
      ...headersOf(place),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: { ...body, content: withExamples(document, body.content, requestExampleOf) },
        }),
    responses: {
      ...mapValues(operation['responses'] as Record<string, Node>, (response, status) =>
        respond(document, response, status),
      ),
      ...refusals(document, place),
    },
  };
};

const mapValues = <From, To>(
  node: Readonly<Record<string, From>>,
  map: (value: From, key: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, map(value, key)]));

/** `Cohort_members` → `Cohort: members`, where a controller says nothing better. */
const summaryOf = ({ operationId }: Node): string => {
  const [subject = '', verb = ''] = String(operationId).split('_');
  const words = subject.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return `${words}: ${verb.replaceAll(/(?=[A-Z])/g, ' ').toLowerCase()}`;
};

const WELL_KNOWN: Readonly<Record<string, string>> = {
  limit: 'Items of a page, 1 to 100.',
  created_after: 'Created at or after this moment.',
  created_before: 'Created before this moment.',
  order: 'Newest first, or `asc` for oldest first.',
  subscriber_id: 'Of this subscriber.',
  subscription_id: 'Of this subscription.',
  status: 'In this status.',
  environment: 'Of this environment.',
};

const described = (parameter: Node): Node => {
  const { name, in: place, description } = parameter as { name: string } & Node;
  if (typeof description === 'string' && description !== '') return parameter;
  const words = name
    .replace(/Id$/, '')
    .replaceAll(/(?=[A-Z])/g, ' ')
    .toLowerCase();
  const text =
    place === 'path'
      ? `The id of the ${words}.`
      : (WELL_KNOWN[name] ?? `Only those with this ${name.replaceAll('_', ' ')}.`);
  return { ...parameter, description: text };
};

/** A list in the query is one comma-separated value (`QueryList`). */
const styled = (parameter: Node): Node =>
  parameter['in'] === 'query' && (parameter['schema'] as Node)['type'] === 'array'
    ? { ...parameter, style: 'form', explode: false }
    : parameter;

/** Without examples: the page of the reference would send them along with every call. */
const header = (name: string, description: string, schema: Node = {}): Node => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});

const headersOf = ({ method, path }: Place): Node[] => {
  if (!CHANGING.includes(method)) {
    return path.startsWith('/v1/')
      ? [
          header(
            'X-Service-Log-Position',
            'The value a write answered: the read waits until it shows that write. Anything else is a 400.',
            { pattern: '^[0-9]{1,19}$' },
          ),
        ]
      : [];
  }
  return [
    header(
      'Idempotency-Key',
      'A text of your own such as `renewal-2026-03-10`: a repeat within 24 hours answers the original response (D-82).',
      {
        maxLength: 255,
      },
    ),
    header(
      'If-Match',
      'The ETag you read, such as `"12"`; another version answers 409 version_conflict.',
    ),
  ];
};

const RESPONSE_HEADERS: Node = {
  'X-Request-Id': { description: 'Names the request in the log.', schema: { type: 'string' } },
  ETag: {
    description: 'Of a single resource that belongs to a subscriber: its version.',
    schema: { type: 'string' },
  },
  'X-Service-Log-Position': {
    description: 'Of a write: where it stands in the log.',
    schema: { type: 'string' },
  },
};

const respond = (document: Node, response: Node, status: string): Node => {
  const content = response['content'] as Record<string, Node> | undefined;
  if (status === 'default') return response;
  return {
    ...response,
    description: response['description'] === '' ? meaningOf(status) : response['description'],
    headers: RESPONSE_HEADERS,
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
