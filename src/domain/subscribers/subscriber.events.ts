import { Type } from '@sinclair/typebox';
import type { EventTexts, FactOf } from '../../kernel/decider';
import { ActorField, Moment, nullable, PersonalText, markUnpublished } from '../schema/fields';

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
    removed: markUnpublished(Type.Optional(Type.Literal(true))),
  }),
};

/** Texts of the API reference that say when each event happens. */
export const subscriberEventTexts: EventTexts<typeof subscriberEvents> = {
  'subscriber.created': 'A subscriber was registered.',
  'subscriber.updated':
    'The e-mail address, tags, metadata or engagement score of a subscriber changed. `previous` has the old values of what changed.',
  'subscriber.erased':
    'The personal data of a subscriber was erased. Past events of the subscriber are shown without it from now on; erase your own copy.',
};

export type SubscriberFact = FactOf<typeof subscriberEvents>;
