import { Type } from '@sinclair/typebox';
import { Moment, oneOf } from './fields';
import { ENVIRONMENTS } from '../../kernel/scope';

/** The `Subscription` resource. Its comment is null in every envelope. */
const EventSubscription = Type.Unsafe<object>({ $ref: '#/components/schemas/Subscription' });

/** The envelope (specification, "Event envelope") that destinations in mode `full` receive. */
export const Envelope = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    schema_version: Type.String(),
    created_at: Moment,
    tenant: Type.Object({ id: Type.String(), name: Type.String() }, { title: 'EventTenant' }),
    subscriber: Type.Object(
      {
        id: Type.String(),
        email: Type.Optional(
          Type.Union([Type.String(), Type.Null()], {
            description: 'The e-mail address. Left out in the privacy mode `hashed_only`.',
          }),
        ),
        email_hashed: Type.String(),
        created_at: {
          ...Moment,
          description:
            'When the first subscription became active or its trial began; until then, when the subscriber was registered. So it may change once. `GET /v1/subscribers/{subscriberId}` shows the registration.',
        },
      },
      { title: 'EventSubscriber' },
    ),
    subscription: Type.Optional(EventSubscription),
    data: Type.Object({}, { additionalProperties: true }),
    environment: oneOf(ENVIRONMENTS),
    sequence: Type.Integer(),
    test_clock_id: Type.Optional(Type.String()),
  },
  { title: 'Event' },
);
