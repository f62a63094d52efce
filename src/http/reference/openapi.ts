import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Instant } from '../../kernel/time';
import { CURRENCY_PATTERN } from '../fields/fields';
import { EVENT_FILTER_FORMAT, EVENT_TYPE_FORMAT } from '../fields/list-fields';
import { getSchemaRules } from '../fields/schema-rules';
import { readChapters } from './chapters';
import { EventReference } from './event-reference';
import { completeBodies } from './openapi-bodies';
import { replaceDatePlaceholders } from './openapi-dates';
import { ERROR_FAMILIES, ERROR_SCHEMAS, createErrorResponses } from './openapi-errors';
import { DELIVERY_HEADERS, describeEvents, RECEIVER_RESPONSES } from './openapi-events';
import { inlineSchemas } from './openapi-inlining';
import { addLinks } from './openapi-links';
import { isNode, mapValues, type Node, createReference } from './openapi-node';
import { ANSWER_HEADERS, completeOperations, REQUEST_HEADERS } from './openapi-operations';
import { type Components, convertSchema, describeSchema } from './openapi-schemas';
import { shareChoices } from './openapi-shared-choices';
import { shareSchemas } from './openapi-shared-schemas';
import { shareExamples, shareParts } from './openapi-sharing';

const TAGS: readonly (readonly [string, string])[] = [
  ['Subscribers', 'The people who subscribe.'],
  ['Subscriptions', 'What they subscribe to, with its states.'],
  ['Plans', 'What subscriptions cost and how long a period is.'],
  ['Payments', 'Payments, each attempt to collect them, and refunds.'],
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

/** The settings by which two documents of the same sources differ. */
interface DocumentOptions {
  readonly now: Instant;
  /** The address at which all callers reach the service, if it is configured. */
  readonly publicUrl: string | undefined;
  /** The address at which the machine itself reaches the service. */
  readonly localUrl: string;
}

/** Builds the OpenAPI 3.1 document from the DTOs and the declared responses of the controllers. */
export const buildOpenApi = (
  app: INestApplication,
  { now, publicUrl, localUrl }: DocumentOptions,
): OpenAPIObject => {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Subscription Event and Management Service')
    .setVersion('1.0.0')
    .setDescription(readChapters(publicUrl ?? localUrl))
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(publicUrl ?? '/', 'This server')
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
  return replaceDatePlaceholders(
    completeDocument(document as unknown as Node, types),
    now,
  ) as OpenAPIObject;
};

type EventTypes = EventReference['types'];

/**
 * Adds the parts that the library does not produce: components, events, security, errors, examples
 * and links.
 */
const completeDocument = (document: Node, types: EventTypes): Node => {
  const components: Components = { ...ERROR_SCHEMAS };
  const { schemas = {}, ...others } = shareTexts(document['components']) as {
    schemas?: Components;
  } & Node;
  Object.assign(
    components,
    mapValues(schemas, (schema, name) => ({
      ...(convertSchema(schema, components) as Node),
      // Unknown fields of a body are refused.
      additionalProperties: false,
      ...getSchemaRules(name),
    })),
  );
  const paths = convertSchema(shareTexts(document['paths']), components) as Node;
  const webhooks = describeEvents(
    types,
    describeSchema(components['Event'], 'Event') as Node,
    components,
  );
  components[CURRENCY_NAME] = CURRENCY;
  Object.assign(components, createEventTexts(types));
  const completed = completeOperations({
    ...document,
    paths,
    webhooks,
    'x-error-families': mapValues(ERROR_FAMILIES, ({ codes }) => codes),
    components: {
      ...others,
      schemas: mapValues(components, (schema, name) => describeSchema(schema, name)),
      responses: { ...createErrorResponses(), ...RECEIVER_RESPONSES },
      headers: ANSWER_HEADERS,
      parameters: { ...REQUEST_HEADERS, ...DELIVERY_HEADERS },
    },
  });
  const complete = completeBodies(addLinks(completed));
  return shareParts(shareExamples(shareChoices(shareSchemas(inlineSchemas(complete)))));
};

/** Moves the long patterns of currencies and of event types to one component each. */
const shareTexts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shareTexts);
  if (!isNode(value)) return value;
  const name = value['type'] === 'string' ? findTextName(value) : undefined;
  if (name === undefined) return mapValues(value, shareTexts);
  const { type: _type, pattern: _pattern, format: _format, ...own } = value;
  const { minLength: _min, maxLength: _max, ...others } = own;
  return { ...createReference(name), ...others };
};

const findTextName = ({ pattern, format }: Node): string | undefined => {
  if (pattern === CURRENCY.pattern) return CURRENCY_NAME;
  if (format === EVENT_TYPE_FORMAT) return EVENT_TYPE_NAME;
  return format === EVENT_FILTER_FORMAT ? EVENT_FILTER_NAME : undefined;
};

const EVENT_TYPE_NAME = 'EventTypeName';
const EVENT_FILTER_NAME = 'EventTypeFilter';

/** Builds the schemas of an event type and of a filter, by the event types that there are. */
const createEventTexts = (types: EventTypes): Components => {
  const families = new Map<string, string[]>();
  for (const { type } of types) {
    const [family = '', name = ''] = type.split('.');
    families.set(family, [...(families.get(family) ?? []), name]);
  }
  const createPattern = (...more: string[]): string =>
    [...families]
      .map(([family, names]) => `${family}\\.(${[...more, ...names].join('|')})`)
      .join('|');
  return {
    [EVENT_TYPE_NAME]: {
      type: 'string',
      pattern: `^(${createPattern()})$`,
      description: 'A type of the [event catalogue](/docs/events).',
      example: 'payment.failed',
    },
    [EVENT_FILTER_NAME]: {
      type: 'string',
      pattern: `^(\\*|${createPattern('\\*')})$`,
      description:
        'A type of the [event catalogue](/docs/events), a family such as `payment.*`, or `*`.',
      example: 'payment.*',
    },
  };
};

const CURRENCY_NAME = 'CurrencyCode';
const CURRENCY = {
  type: 'string',
  pattern: CURRENCY_PATTERN,
  description: 'An ISO 4217 code in upper case, such as `USD`.',
  example: 'USD',
};
