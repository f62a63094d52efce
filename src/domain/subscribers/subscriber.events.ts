import { Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import { ActorField, Moment, nullable, PersonalText, unpublished } from '../schema/fields';

const Tags = Type.Array(Type.String());
/** Metadata keys are kept; the values are personal (D-64). */
const Metadata = Type.Record(Type.String(), PersonalText);
const Email = Type.Union([Type.String(), Type.Null()], { pii: 'email' });

/** The type strings and field names are a storage format: add, never rename. */
export const subscriberEvents = {
  'subscriber.created': Type.Object({
    email: Email,
    external_id: nullable(Type.String()),
    tags: Tags,
    metadata: Metadata,
    test_clock: nullable(Type.String()),
    actor: ActorField,
  }),
  'subscriber.updated': Type.Object({
    previous: Type.Object({
      email: Type.Optional(Email),
      tags: Type.Optional(Tags),
      metadata: Type.Optional(Metadata),
      engagement_score: Type.Optional(nullable(Type.Number())),
    }),
    email: Type.Optional(Email),
    tags: Type.Optional(Tags),
    metadata: Type.Optional(Metadata),
    engagement_score: Type.Optional(Type.Number()),
    observed_at: Type.Optional(Moment),
    actor: ActorField,
  }),
  'subscriber.erased': Type.Object({
    erased_at: Moment,
    actor: ActorField,
    /**
     * True for a subscriber deleted together with its test clock (D-111). Only the events are left.
     */
    removed: unpublished(Type.Optional(Type.Literal(true))),
  }),
};

export type SubscriberFact = FactOf<typeof subscriberEvents>;
