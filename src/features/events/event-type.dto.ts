import { type Static, Type } from '@sinclair/typebox';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';

/**
 * An event type and the JSON Schema of its `data`. Privacy modes act on the fields with a `pii`
 * tag.
 */
export const EventTypeResource = Type.Object(
  {
    type: Type.String({ example: 'ticket.submitted' }),
    family: Type.String({ example: 'ticket' }),
    schema_version: Type.String({ example: 'v1' }),
    description: Type.String({
      description: 'When it happens.',
      example: 'A ticket was submitted.',
    }),
    schema: Type.Object(
      {},
      { additionalProperties: true, example: { type: 'object', properties: {} } },
    ),
  },
  { title: 'EventType' },
);
export type EventTypeResource = Static<typeof EventTypeResource>;

export const SchemaVersionResource = Type.Object(
  {
    version: Type.String({ example: 'v1' }),
    status: oneOf(['current', 'supported', 'deprecated']),
    sunset_at: nullable(Moment),
  },
  { title: 'SchemaVersion' },
);
export type SchemaVersionResource = Static<typeof SchemaVersionResource>;
