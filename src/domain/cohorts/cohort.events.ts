import { type Static, Type } from '@sinclair/typebox';
import type { EventTexts, FactOf } from '../../kernel/decider';
import { ActorField, Moment, nullable, oneOf } from '../schema/fields';
import { SUBSCRIPTION_STATUSES } from '../billing/subscription.events';
import { ENVIRONMENTS } from '../../kernel/scope';

export const TAG_MATCHES = ['any', 'all'] as const;

/** Conditions of a cohort (D-52). Fields are AND-ed. A missing field or `[]` is no constraint. */
export const CohortDefinition = Type.Object(
  {
    status: Type.Optional(Type.Array(oneOf(SUBSCRIPTION_STATUSES))),
    tenure_days_min: Type.Optional(Type.Number()),
    tenure_days_max: Type.Optional(Type.Number()),
    plan_ids: Type.Optional(Type.Array(Type.String())),
    tags_include: Type.Optional(Type.Array(Type.String())),
    tags_match: Type.Optional(oneOf(TAG_MATCHES)),
    tags_exclude: Type.Optional(Type.Array(Type.String())),
    engagement_score_min: Type.Optional(Type.Number()),
  },
  { title: 'CohortDefinition' },
);
export type CohortDefinition = Static<typeof CohortDefinition>;

/** Reasons for an entry or exit (D-54). */
export const MOVE_REASONS = ['subscriber_changed', 'tenure', 'definition_changed'] as const;
export type MoveReason = (typeof MOVE_REASONS)[number];

const move = Type.Object(
  {
    cohort_id: Type.String(),
    cohort_name: Type.String(),
    reason: oneOf(MOVE_REASONS),
    actor: ActorField,
  },
  {
    description:
      'Memberships follow every change, usually within a second. An entry and an exit that cancel out within that time may cause no events. Entries and exits always alternate, and the last one gives the current membership. Deleting a cohort or erasing a subscriber ends memberships without an event.',
  },
);

/**
 * Events of the subscriber's stream. The type strings and field names are a storage format: add,
 * never rename.
 */
export const cohortEvents = {
  'cohort.entered': move,
  'cohort.exited': move,
};

/** Texts of the API reference that say when each event happens. */
export const cohortEventTexts: EventTexts<typeof cohortEvents> = {
  'cohort.entered':
    'A subscriber became a member of a cohort. Members of a new cohort enter it without an event.',
  'cohort.exited': 'A subscriber is no longer a member of a cohort.',
};

export type CohortMoveFact = FactOf<typeof cohortEvents>;

/** Events of the cohort's own stream. */
export const cohortDefinitionEvents = {
  'cohort.created': Type.Object({
    id: Type.String(),
    tenant_id: Type.String(),
    environment: oneOf(ENVIRONMENTS),
    name: Type.String(),
    description: nullable(Type.String()),
    definition: CohortDefinition,
  }),
  'cohort.updated': Type.Object({
    name: Type.String(),
    description: nullable(Type.String()),
    definition: CohortDefinition,
  }),
  /** Every subscriber who matched when the cohort was created is now a member. */
  'cohort.backfill_completed': Type.Object({ members: Type.Integer() }),
  'cohort.deleted': Type.Object({ deleted_at: Moment }),
};

export type CohortFact = FactOf<typeof cohortDefinitionEvents>;

/**
 * Events of the stream `cohort_backfill-<cohort>`: the first members, in chunks. They enter without
 * an event of their own (D-54), so this stream is the record of who they were.
 */
export const cohortBackfillEvents = {
  'cohort.backfilled': Type.Object({
    scope: Type.String(),
    cohort_id: Type.String(),
    subscriber_ids: Type.Array(Type.String()),
  }),
};

export type CohortBackfillFact = FactOf<typeof cohortBackfillEvents>;
