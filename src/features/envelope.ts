import { Type } from '@sinclair/typebox';
import { Moment, nullable, oneOf } from './fields.events';

/** The envelope (specification, "Event envelope"), as destinations in mode `full` receive it. */
export const Envelope = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    schema_version: Type.String(),
    created_at: Moment,
    tenant: Type.Object({ id: Type.String(), name: Type.String() }),
    subscriber: Type.Object({
      id: Type.String(),
      email: Type.Optional(nullable(Type.String())),
      email_hashed: Type.String(),
      created_at: Moment,
    }),
    subscription: Type.Optional(Type.Object({}, { additionalProperties: true })),
    data: Type.Object({}, { additionalProperties: true }),
    environment: oneOf(['live', 'test']),
    sequence: Type.Integer(),
    test_clock_id: Type.Optional(Type.String()),
  },
  { title: 'Event' },
);
