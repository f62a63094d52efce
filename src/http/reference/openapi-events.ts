import { capitalise } from '../../kernel/text';
import { isDeepStrictEqual } from 'node:util';
import type { EventTypeFacts } from './event-reference';
import { mapValues, type Node, createReference } from './openapi-node';
import { type Components, convertSchema } from './openapi-schemas';

/**
 * Returns the name of an event's schema: `payment.method_updated` becomes
 * `PaymentMethodUpdatedEvent`.
 */
export const createSchemaName = (type: string): string =>
  `${type.split(/[._]/).map(capitalise).join('')}Event`;

const MINIMAL = 'MinimalEvent';

const FIELDS = 'EventFields';

/**
 * Adds a schema for each event type to the components and returns the section `webhooks`. The
 * fields around `type` and `data` are those of the schema `Event`.
 */
export const describeEvents = (
  types: readonly EventTypeFacts[],
  envelope: Node,
  components: Components,
): Node => {
  const shared = nameSharedData(types, components);
  const story = findExampleFields(types);
  components[FIELDS] = addExamples(removeOwnFields(envelope), story);
  for (const facts of types) {
    components[createSchemaName(facts.type)] = {
      description: facts.when,
      allOf: [
        createReference(FIELDS),
        {
          type: 'object',
          required: ['type', 'data'],
          properties: {
            type: { type: 'string', const: facts.type, description: 'The type of the event.' },
            data: {
              ...createDataSchema(facts, components, shared),
              description: 'What happened.',
              example: facts.examples.full['data'],
            },
          },
        },
      ],
    };
  }
  components[MINIMAL] = createMinimalSchema(types);
  return Object.fromEntries(
    types.map((facts) => [facts.type, { post: createWebhook(facts, story) }]),
  );
};

/**
 * Returns example values for the fields around `data`, from the sample of an event with a
 * subscription.
 */
const findExampleFields = (types: readonly EventTypeFacts[]): Node => {
  const { full = {} } =
    types.find(({ examples }) => 'subscription' in examples.full)?.examples ?? {};
  const { type: _type, data: _data, ...story } = full;
  return story;
};

const addExamples = (schema: Node, story: Node): Node => ({
  ...schema,
  properties: mapValues(schema['properties'] as Record<string, Node>, (field, name) =>
    name in story ? { ...field, example: story[name] } : field,
  ),
});

/** Returns the envelope without the fields that differ between types. */
const removeOwnFields = (envelope: Node): Node => {
  const isCommon = (name: string): boolean => name !== 'type' && name !== 'data';
  const properties = Object.entries(envelope['properties'] as Node);
  return {
    ...envelope,
    description: 'The fields that all events have.',
    required: (envelope['required'] as string[]).filter(isCommon),
    properties: Object.fromEntries(properties.filter(([name]) => isCommon(name))),
  };
};

/**
 * Events whose fields of `data` others share. The schema has the name of this event, so that the
 * name stays when an event is added. Otherwise it has the name of the first event that has it.
 */
const DATA_OWNERS = [
  'cohort.entered',
  'credit.applied',
  'motion.accepted',
  'payment.method_expiring',
  'payment.refund_failed',
  'subscription.cancellation_scheduled',
  'subscription.pause_scheduled',
  'ticket.closed',
  'ticket.reopened',
];

const nameSharedData = (
  types: readonly EventTypeFacts[],
  components: Components,
): Map<string, string> =>
  new Map(
    types
      .filter(({ type }) => DATA_OWNERS.includes(type))
      .map(({ type, schema }) => [
        JSON.stringify(convertSchema(schema, components)),
        createDataName(type),
      ]),
  );

const createDataName = (type: string): string => createSchemaName(type).replace(/Event$/, 'Data');

/** Returns the schema of `data`. Events with the same fields share one schema. */
const createDataSchema = (
  { type, schema }: EventTypeFacts,
  components: Components,
  shared: Map<string, string>,
): Node => {
  const converted = convertSchema(schema, components) as Node;
  const text = JSON.stringify(converted);
  const name = shared.get(text) ?? createDataName(type);
  shared.set(text, name);
  components[name] ??= converted;
  return createReference(name);
};

const createMinimalSchema = (types: readonly EventTypeFacts[]): Node => ({
  type: 'object',
  description: 'An event as destinations of the privacy mode `minimal` receive it, with ids only.',
  required: ['id', 'type', 'created_at', 'subscriber'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', description: 'The id of the event.' },
    type: {
      type: 'string',
      enum: types.map(({ type }) => type),
      description: 'The type of the event.',
    },
    created_at: { type: 'string', format: 'date-time', description: 'When it happened.' },
    subscriber: describeId('The subscriber.'),
    subscription: describeId('The subscription; left out by events without one.'),
  },
});

const describeId = (description: string): Node => ({
  type: 'object',
  description,
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'string', description: 'Its id.' } },
});

/**
 * An event whose values are those of the example story needs no example of its own: its schema
 * contains the values.
 */
const createWebhookExample = ({ type, examples: { full } }: EventTypeFacts, story: Node): Node =>
  isDeepStrictEqual(full, { ...story, type, data: full['data'] }) ? {} : { example: full };

const createWebhook = (facts: EventTypeFacts, story: Node): Node => ({
  operationId: `webhooks.${facts.type}`,
  summary: facts.type,
  description: facts.when,
  tags: ['Webhooks'],
  security: [],
  parameters: Object.keys(DELIVERY_HEADERS).map((name) => ({
    $ref: `#/components/parameters/${name}`,
  })),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          anyOf: [createReference(createSchemaName(facts.type)), createReference(MINIMAL)],
        },
        ...createWebhookExample(facts, story),
      },
    },
  },
  responses: {
    '2XX': { $ref: '#/components/responses/EventReceived' },
    '410': { $ref: '#/components/responses/DestinationGone' },
    default: { $ref: '#/components/responses/DeliveryFailed' },
  },
});

/** The responses of a receiver to a delivery. */
export const RECEIVER_RESPONSES: Record<string, Node> = {
  EventReceived: {
    description: 'The event was received. The body of the response is kept for 30 days.',
  },
  DestinationGone: {
    description: 'The destination is gone: it is disabled, and nothing more is sent.',
  },
  DeliveryFailed: { description: 'The delivery failed and is repeated by the schedule.' },
};

const createHeader = (name: string, description: string): Node => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/**
 * Headers that a receiver needs, as shared components. The chapter on webhooks lists all headers.
 */
export const DELIVERY_HEADERS: Record<string, Node> = Object.fromEntries(
  [
    createHeader(
      'X-Service-Signature',
      'The stable signature: `t=<time of the event>,v1=<hex HMAC>`.',
    ),
    createHeader('webhook-id', 'The id of the event. Repeats have the same.'),
    createHeader('webhook-timestamp', 'When this attempt was made (Standard Webhooks).'),
    createHeader('webhook-signature', 'The signature of this attempt (Standard Webhooks).'),
  ].map((parameter) => [String(parameter['name']), parameter]),
);
