import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Instant } from '../../kernel/time';
import { CURRENCY_PATTERN } from '../fields/fields';
import { schemaRulesOf } from '../fields/schema-rules';
import { chapters } from './chapters';
import { EventReference } from './event-reference';
import { withDates } from './openapi-dates';
import { ERROR_FAMILIES, ERROR_SCHEMAS, errorResponses } from './openapi-errors';
import { DELIVERY_HEADERS, describeEvents, OBJECT_ID, RECEIVER_RESPONSES } from './openapi-events';
import { withLinks } from './openapi-links';
import { isNode, mapValues, type Node, refTo } from './openapi-node';
import { ANSWER_HEADERS, completeOperations, REQUEST_HEADERS } from './openapi-operations';
import { type Components, convert, described } from './openapi-schemas';
import { withSharedExamples, withSharedParts } from './openapi-sharing';

const TAGS: readonly (readonly [string, string])[] = [
  ['Subscribers', 'The people who subscribe.'],
  ['Subscriptions', 'What they subscribe to, with its states.'],
  ['Plans', 'What subscriptions cost and how long a period is.'],
  ['Payments', 'What is owed and paid, attempt by attempt, and what was refunded.'],
  ['Credits', 'Money that subscribers have with you. It pays before any charge.'],
  ['Cohorts', 'Groups of subscribers by a definition. Membership follows every change.'],
  ['Motions', 'Targeted actions aimed at cohorts, with offers, runs and their results.'],
  ['Metrics', 'Series over time, each with its definition.'],
  ['Tickets', 'What subscribers ask for.'],
  ['Events', 'Everything that happened, as destinations receive it.'],
  ['Destinations', 'Where events are delivered.'],
  ['Replay', 'Sends the events of the last 24 months again.'],
  ['Imports', 'Moves existing subscribers, subscriptions and payments in.'],
  ['Test helpers', 'For test environments only: clocks, sample events and scenarios.'],
  ['Audit', 'Who did what: every change and every view of personal data.'],
  ['Operator', 'Tenants, their keys and destinations. Needs the operator token.'],
  ['Console', 'What the console calls beside the API: sessions, members, keys, settings.'],
  ['Webhooks', 'What your server receives. See also the [event catalogue](/docs/events).'],
];

/** Builds the OpenAPI 3.1 document from the DTOs and the declared answers of the controllers. */
export const buildOpenApi = (app: INestApplication, now: Instant): OpenAPIObject => {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Subscription Event and Management Service')
    .setVersion('1.0.0')
    .setDescription(chapters())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This server')
    .addSecurity('apiKey', {
      type: 'http',
      scheme: 'bearer',
      description: 'A secret API key: `rk_live_…` or `rk_test_…`. The key decides the environment.',
    })
    .addSecurity('operatorToken', {
      type: 'http',
      scheme: 'bearer',
      description: 'The token of the operator, for `/operator/v1`.',
    })
    .addSecurity('session', {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-session',
      description:
        'The session of a person who is signed in to the console; on the machine itself without TLS the cookie is called `session`. Changes are taken from pages of the service only (`Sec-Fetch-Site: same-origin`). Operations of a tenant need the header `X-Service-Tenant`, those of `/v1` also `X-Service-Environment`.',
    });
  for (const [name, text] of TAGS) builder.addTag(name, text);
  const document = SwaggerModule.createDocument(app, builder.build());
  const { types } = app.get(EventReference);
  return withDates(complete(document as unknown as Node, types), now) as OpenAPIObject;
};

type EventTypes = EventReference['types'];

/**
 * Adds the parts that the library does not produce: components, events, security, errors, examples
 * and links.
 */
const complete = (document: Node, types: EventTypes): Node => {
  const components: Components = { ...ERROR_SCHEMAS };
  const { schemas = {}, ...others } = withSharedCurrency(document['components']) as {
    schemas?: Components;
  } & Node;
  Object.assign(
    components,
    mapValues(schemas, (schema, name) => ({
      ...(convert(schema, components) as Node),
      // Unknown fields of a body are refused.
      additionalProperties: false,
      ...schemaRulesOf(name),
    })),
  );
  const paths = convert(withSharedCurrency(document['paths']), components) as Node;
  const webhooks = describeEvents(
    types,
    described(components['Event'], 'Event') as Node,
    components,
  );
  components['ObjectId'] = OBJECT_ID;
  components[CURRENCY_NAME] = CURRENCY;
  const completed = completeOperations({
    ...document,
    paths,
    webhooks,
    'x-error-families': mapValues(ERROR_FAMILIES, ({ codes }) => codes),
    components: {
      ...others,
      schemas: mapValues(components, (schema, name) => described(schema, name)),
      responses: { ...errorResponses(), ...RECEIVER_RESPONSES },
      headers: ANSWER_HEADERS,
      parameters: { ...REQUEST_HEADERS, ...DELIVERY_HEADERS },
    },
  });
  return withSharedParts(withSharedExamples(withLinks(completed)));
};

/** Moves the long pattern of currencies to one component. */
const withSharedCurrency = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withSharedCurrency);
  if (!isNode(value)) return value;
  if (value['type'] !== 'string' || value['pattern'] !== CURRENCY.pattern)
    return mapValues(value, withSharedCurrency);
  const { type: _type, pattern: _pattern, ...own } = value;
  return { ...refTo(CURRENCY_NAME), ...own };
};

const CURRENCY_NAME = 'CurrencyCode';
const CURRENCY = {
  type: 'string',
  pattern: CURRENCY_PATTERN,
  description: 'An ISO 4217 code in upper case, such as `USD`.',
  example: 'USD',
};
