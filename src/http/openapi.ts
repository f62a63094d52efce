import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { publishedProperties } from '../event-store/catalogue';
import { ERROR_TABLE } from './error-table';
import type { Instant } from '../kernel/time';
import { withDates } from './openapi-dates';
import { ERROR_CONTENT, ERROR_SCHEMAS } from './openapi-errors';
import { completeOperations } from './openapi-operations';

type Node = Record<string, unknown>;

const TAGS: readonly (readonly [string, string])[] = [
  ['Subscribers', 'Who subscribes.'],
  ['Subscriptions', 'What they subscribe to, and its states.'],
  ['Plans', 'What subscriptions cost and how long a period is.'],
  ['Payments', 'What is owed and paid, attempt by attempt, and what was given back.'],
  ['Credits', 'Money subscribers have with you; it pays before any charge.'],
  ['Cohorts', 'Groups of subscribers by a definition; membership follows every change.'],
  ['Motions', 'Targeted actions aimed at cohorts, with offers, runs and what they come to.'],
  ['Metrics', 'Series over time, each with its definition.'],
  ['Tickets', 'What subscribers ask for.'],
  ['Events', 'Everything that happened, as destinations receive it.'],
  ['Destinations', 'Where events are delivered.'],
  ['Imports', 'Moving in with subscribers, subscriptions and past payments.'],
  ['Test helpers', 'Test environments only: time, payment methods, fixtures.'],
  ['Replay', 'Events of the last 24 months, once more.'],
  ['Operator', 'Tenants, their keys and destinations. Needs the operator token.'],
];

/** The OpenAPI 3.1 document, made from the DTOs and the answers of the controllers. */
export const buildOpenApi = (app: INestApplication, now: Instant): OpenAPIObject => {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Subscription Event and Management Service')
    .setVersion('1.0.0')
    .setDescription(description())
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'rk_live_… or rk_test_…' });
  for (const [name, text] of TAGS) builder.addTag(name, text);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}_${method}`,
  });
  return withDates(complete(document as unknown as Node), now) as OpenAPIObject;
};

const description = (): string =>
  [
    'Subscription businesses keep their subscribers, subscriptions, payments and tickets here; every',
    'event about them is delivered as a signed webhook.',
    '',
    '## Requests',
    '',
    'Fields and query parameters that an operation does not know are refused with 400',
    '`parameter_unknown`, which names them in `param`: a misspelt filter is no filter. Where an operation',
    'takes no body, none, an empty one and `{}` are the same.',
    '',
    '## Limits',
    '',
    'Each API key has a number of requests per second, of metrics apart, and of requests at once. Every',
    'process of the service counts these for itself: behind a load balancer, N processes admit up to N',
    'times as much. Calls of `POST /v1/replay` are counted per minute and over all processes. The headers',
    '`RateLimit-Policy` and `RateLimit` tell what is left; a refusal is a 429 with `Retry-After` and',
    '`X-Service-Rate-Limited-Reason`.',
    '',
    '## Errors',
    '',
    'Every error has the body `{"error": {"type", "code", "message", "param", "details", "errors",',
    '"doc_url", "request_id"}}`; with `Accept: application/problem+json` the same as RFC 9457. See [all codes](/docs/errors).',
    '',
    '| Status | Code | When |',
    '|---|---|---|',
    ...Object.entries(ERROR_TABLE).map(
      ([code, { status, when }]) => `| ${status} | \`${code}\` | ${when} |`,
    ),
  ].join('\n');

/** What the library leaves to do: security, errors, components for titled schemas, 3.1 nulls. */
const complete = (document: Node): Node => {
  const schemas: Record<string, unknown> = { ...ERROR_SCHEMAS };
  const paths = mapNode(document['paths'] as Node, (path) =>
    mapNode(path as Node, (operation) => withErrors(operation as Node)),
  );
  const converted = convert({ ...document, paths }, schemas) as Node;
  const components = converted['components'] as Node;
  return completeOperations({
    ...converted,
    security: [{ bearer: [] }],
    components: {
      ...components,
      schemas: { ...(components['schemas'] as Node), ...schemas },
    },
  });
};

const mapNode = (node: Node, map: (value: unknown) => unknown): Node =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, map(value)]));

const withErrors = (operation: Node): Node => ({
  ...operation,
  responses: {
    ...(operation['responses'] as Node),
    default: {
      description: 'An error; see the table of codes.',
      content: ERROR_CONTENT,
    },
  },
});

/** Unpublished fields go, titled schemas become components, `nullable` becomes a type (3.1). */
const convert = (value: unknown, schemas: Record<string, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((item) => convert(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const node = publishedProperties(value) as Node;
  const converted = mapNode(withoutNullable(node), (item) => convert(item, schemas));
  const title = node['title'];
  if (typeof title !== 'string' || node['type'] !== 'object') return converted;
  schemas[title] = converted;
  return { $ref: `#/components/schemas/${title}` };
};

const withoutNullable = (node: Node): Node => {
  if (node['nullable'] !== true) return node;
  const { nullable: _, ...schema } = node;
  return typeof schema['type'] === 'string'
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
};
