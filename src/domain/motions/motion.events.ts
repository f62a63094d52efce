import { type Static, Type } from '@sinclair/typebox';
import type { EventTexts, FactOf } from '../../kernel/decider';
import {
  ActorField,
  Amount,
  CurrencyCode,
  Moment,
  nullable,
  oneOf,
  PersonalText,
  markUnpublished,
} from '../schema/fields';
import { DISCOUNT_DURATIONS, PRORATION_BEHAVIORS } from '../billing/subscription.events';
import { ENVIRONMENTS } from '../../kernel/scope';

export const MOTION_KINDS = [
  'cancel_save',
  'payment_recovery',
  'win_back',
  'trial_conversion',
  'upsell',
  'announcement',
] as const;
export type MotionKind = (typeof MOTION_KINDS)[number];

export const MOTION_STATUSES = ['draft', 'active', 'paused', 'archived'] as const;
export type MotionStatus = (typeof MOTION_STATUSES)[number];

export const TRIGGER_MODES = ['manual', 'on_cohort_enter'] as const;
export type TriggerMode = (typeof TRIGGER_MODES)[number];

export const OFFER_TYPES = [
  'discount_percent',
  'discount_amount',
  'pause',
  'plan_switch',
  'trial_extension',
  'credit',
  'redirect',
] as const;

const lasting = {
  duration: oneOf(DISCOUNT_DURATIONS),
  months: Type.Optional(Type.Integer()),
};

/** An offer to a subscriber, by `type` (D-31). */
export const Offer = Type.Union(
  [
    Type.Object({ type: Type.Literal('discount_percent'), percent: Type.Number(), ...lasting }),
    Type.Object({
      type: Type.Literal('discount_amount'),
      amount: Amount,
      currency: CurrencyCode,
      ...lasting,
    }),
    Type.Object({ type: Type.Literal('pause'), days: Type.Integer() }),
    Type.Object({
      type: Type.Literal('plan_switch'),
      to_plan: Type.String(),
      proration_behavior: oneOf(PRORATION_BEHAVIORS),
    }),
    Type.Object({ type: Type.Literal('trial_extension'), days: Type.Integer() }),
    Type.Object({
      type: Type.Literal('credit'),
      amount: Amount,
      currency: CurrencyCode,
      expires_in_days: Type.Optional(Type.Integer()),
    }),
    Type.Object({ type: Type.Literal('redirect'), url: Type.String(), label: Type.String() }),
  ],
  { title: 'Offer' },
);
export type Offer = Static<typeof Offer>;

export const MotionLimits = Type.Object(
  {
    /** Null means no limit. */
    max_triggers_per_subscriber: nullable(Type.Integer()),
    cooldown_days: Type.Integer(),
    max_redemptions: Type.Integer(),
  },
  { title: 'MotionLimits' },
);
export type MotionLimits = Static<typeof MotionLimits>;

/** The tenant's definition of a motion (D-30). */
export const MotionTerms = Type.Object({
  name: Type.String(),
  description: nullable(Type.String()),
  kind: oneOf(MOTION_KINDS),
  cohort_ids: Type.Array(Type.String()),
  offer: nullable(Offer),
  trigger_mode: oneOf(TRIGGER_MODES),
  limits: MotionLimits,
  offer_valid_hours: Type.Integer(),
  attribution_days: Type.Integer(),
  holdout_percent: Type.Integer(),
});
export type MotionTerms = Static<typeof MotionTerms>;

/** Events of the motion's own stream. */
export const motionDefinitionEvents = {
  'motion.created': Type.Object({
    id: Type.String(),
    tenant_id: Type.String(),
    environment: oneOf(ENVIRONMENTS),
    terms: MotionTerms,
  }),
  'motion.updated': Type.Object({ terms: MotionTerms }),
  'motion.status_changed': Type.Object({ status: oneOf(MOTION_STATUSES) }),
  'motion.deleted': Type.Object({ deleted_at: Moment }),
};

export type MotionFact = FactOf<typeof motionDefinitionEvents>;

export const RUN_STATUSES = [
  'queued',
  'triggered',
  'presented',
  'accepted',
  'applied',
  'declined',
  'expired',
  'failed',
  'suppressed',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The result of an accepted offer, such as `{type: 'pause', ref: 'sub_…'}`. */
export const Applied = Type.Object(
  { type: Type.String(), ref: nullable(Type.String()) },
  { title: 'AppliedOffer' },
);
export type Applied = Static<typeof Applied>;

/** One motion applied to one subscriber (D-34). */
export const MotionRun = Type.Object(
  {
    id: Type.String(),
    motion_id: Type.String(),
    subscriber_id: Type.String(),
    /** The motion's kind when it was triggered. Absent in runs from before this field existed. */
    kind: Type.Optional(oneOf(MOTION_KINDS)),
    status: oneOf(RUN_STATUSES),
    offer: nullable(Offer),
    offer_overridden: Type.Boolean(),
    cohort_id: nullable(Type.String()),
    /** The reason for a decline, a failure or a suppression. */
    reason: PersonalText,
    applied: nullable(Applied),
    created_at: Moment,
    expires_at: Moment,
    presented_at: nullable(Moment),
    accepted_at: nullable(Moment),
    /** The time at which the run was applied, declined, expired, failed or suppressed. */
    ended_at: nullable(Moment),
  },
  { title: 'MotionRun' },
);
export type MotionRun = Static<typeof MotionRun>;

/** The whole current run, which the fold and the read model copy. */
const whole = markUnpublished(MotionRun);

const outcome = Type.Object({
  motion_id: Type.String(),
  run_id: Type.String(),
  outcome: oneOf(RUN_STATUSES),
  reason: PersonalText,
  offer: nullable(Offer),
  applied: nullable(Applied),
  actor: ActorField,
  run: whole,
});

/**
 * Events of the subscriber's stream. The type strings and field names are a storage format: add,
 * never rename.
 */
export const motionEvents = {
  'motion.triggered': Type.Object({
    motion_id: Type.String(),
    motion_name: Type.String(),
    run_id: Type.String(),
    kind: oneOf(MOTION_KINDS),
    offer: nullable(Offer),
    offer_overridden: Type.Boolean(),
    expires_at: Moment,
    cohort_id: nullable(Type.String()),
    actor: ActorField,
    run: whole,
  }),
  'motion.presented': outcome,
  'motion.accepted': outcome,
  'motion.declined': outcome,
  'motion.expired': outcome,
  'motion.applied': outcome,
  'motion.failed': outcome,
  'motion.suppressed': outcome,
};

/** Texts of the API reference that say when each event happens. */
export const motionEventTexts: EventTexts<typeof motionEvents> = {
  'motion.triggered':
    'A motion was triggered for a subscriber. Show the offer to the subscriber and report what came of it.',
  'motion.presented': 'The offer of a motion was presented to the subscriber.',
  'motion.accepted': 'The subscriber accepted the offer of a motion.',
  'motion.declined': 'The subscriber declined the offer of a motion.',
  'motion.expired': 'The offer of a motion was not answered in time.',
  'motion.applied': 'An accepted offer was carried out.',
  'motion.failed': 'An accepted offer could not be carried out. `reason` says why.',
  'motion.suppressed':
    'The subscriber belongs to the holdout of a motion: no offer is shown, for comparison.',
};

export type MotionRunFact = FactOf<typeof motionEvents>;
