import { type Static, Type } from '@sinclair/typebox';
import { type EventTexts, type FactOf, unreachable } from '../../kernel/decider';
import { Reinstatement } from './credit.events';
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
import { Line, Payment, PaymentMethod } from './payment.events';
import { PlanTerms } from '../plans/plan.events';

export const SUBSCRIPTION_STATUSES = [
  'active',
  'trialing',
  'paused',
  'cancelled',
  'lapsed',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/**
 * The reason for the end of a subscription. It always tells whether the end was voluntary (D-02).
 */
export const END_REASONS = [
  'cancellation_requested',
  'payment_failed',
  'payment_disputed',
  'trial_ended_without_payment',
  'plan_expired',
  'merchant',
] as const;
export type EndReason = (typeof END_REASONS)[number];

export const CANCELLATION_FEEDBACK = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
] as const;
export type CancellationFeedback = (typeof CANCELLATION_FEEDBACK)[number];

export const PRORATION_BEHAVIORS = ['create_prorations', 'none', 'always_invoice'] as const;
export type ProrationBehavior = (typeof PRORATION_BEHAVIORS)[number];

export const DISCOUNT_DURATIONS = ['once', 'repeating', 'forever'] as const;

/** A reduction of each period of a subscription, as a percentage or an amount (D-31). */
export const Discount = Type.Object(
  {
    percent: nullable(Type.Number()),
    amount: nullable(Amount),
    currency: nullable(CurrencyCode),
    duration: oneOf(DISCOUNT_DURATIONS),
    /** Periods that start after this instant are not reduced. Null means no end. */
    ends_at: nullable(Moment),
  },
  { title: 'Discount' },
);
export type Discount = Static<typeof Discount>;

const Status = oneOf(SUBSCRIPTION_STATUSES);
const Reason = Type.String();
const MotionRun = nullable(Type.String());
const Terms = markUnpublished(PlanTerms);

/** Fields that the fold needs when a subscription begins. */
const begun = {
  subscriber_id: markUnpublished(Type.String()),
  external_id: markUnpublished(nullable(Type.String())),
  terms: Terms,
  payment_method: markUnpublished(nullable(PaymentMethod)),
};

const pause = {
  effective: oneOf(['period_end', 'immediately']),
  effective_at: Moment,
  resumes_at: nullable(Moment),
  remaining_seconds: Type.Integer(),
  reason: Reason,
  motion_run_id: MotionRun,
  actor: ActorField,
};

const cancellation = {
  reason: oneOf(END_REASONS),
  feedback: nullable(oneOf(CANCELLATION_FEEDBACK)),
  comment: PersonalText,
  actor: ActorField,
};

/** The lines of a free period. Absent if there is a payment, which carries its own lines. */
const unchargedLines = { lines: Type.Optional(Type.Array(Line)) };

/** The open payments that end with a subscription, and the credits that they held. */
const Closing = markUnpublished(
  Type.Object({
    payments: Type.Array(Payment),
    reinstated: Type.Array(Reinstatement),
  }),
);

/**
 * Credits that the open payments held and that are usable again (D-24). Absent if there are none.
 */
const returned = {
  credits_reinstated: Type.Optional(
    Type.Array(Type.Object({ credit_id: Type.String(), amount: Amount, remaining: Amount })),
  ),
};

export const Proration = Type.Object(
  {
    behavior: oneOf(PRORATION_BEHAVIORS),
    proration_date: Moment,
    lines: Type.Array(Line),
    net: Amount,
    currency: CurrencyCode,
    applied: oneOf(['next_renewal', 'immediately', 'none']),
  },
  { title: 'Proration' },
);
export type Proration = Static<typeof Proration>;

/** The type strings and field names are a storage format: add, never rename. */
export const subscriptionEvents = {
  'subscription.trial_started': Type.Object({
    plan: Type.String(),
    trial_end: Moment,
    payment_method_present: Type.Boolean(),
    reason: Reason,
    actor: ActorField,
    ...begun,
  }),
  'subscription.trial_will_end': Type.Object({
    trial_end: Moment,
    payment_method_present: Type.Boolean(),
    reason: Reason,
    actor: ActorField,
  }),
  'subscription.trial_extended': Type.Object({
    days: Type.Integer(),
    trial_end: Moment,
    previous: Type.Object({ trial_end: Moment }),
    motion_run_id: MotionRun,
    reason: Reason,
    actor: ActorField,
  }),
  'subscription.activated': Type.Object({
    plan: Type.String(),
    reason: oneOf(['new', 'trial_converted']),
    previous: Type.Object({ status: Type.Optional(Status) }),
    payment_id: nullable(Type.String()),
    period_start: Moment,
    period_end: Moment,
    actor: ActorField,
    ...unchargedLines,
    ...begun,
    /** The first payment. Its own event comes before the subscription exists in the fold. */
    payment: markUnpublished(nullable(Payment)),
  }),
  'subscription.renewed': Type.Object({
    plan: Type.String(),
    period_start: Moment,
    period_end: Moment,
    amount: Amount,
    currency: CurrencyCode,
    payment_id: nullable(Type.String()),
    renewal_count: Type.Integer(),
    reason: Reason,
    actor: ActorField,
    ...unchargedLines,
    terms: Terms,
  }),
  'subscription.renewal_upcoming': Type.Object({
    renews_at: Moment,
    estimated_amount: Amount,
    currency: CurrencyCode,
    lines: Type.Array(Line),
    reason: Reason,
    actor: ActorField,
  }),
  'subscription.plan_changed': Type.Object({
    from_plan: Type.String(),
    to_plan: Type.String(),
    direction: oneOf(['upgrade', 'downgrade', 'lateral']),
    proration: Proration,
    /** The period that runs after the change. A change of the interval begins a new one (D-12). */
    period_start: Moment,
    period_end: Moment,
    motion_run_id: MotionRun,
    reason: Reason,
    actor: ActorField,
    terms: Terms,
  }),
  'subscription.discount_applied': Type.Object({
    discount: Discount,
    motion_run_id: MotionRun,
    reason: Reason,
    actor: ActorField,
  }),
  'subscription.pause_scheduled': Type.Object(pause),
  'subscription.pause_unscheduled': Type.Object({ reason: Reason, actor: ActorField }),
  'subscription.paused': Type.Object({
    ...pause,
    remaining_ms: markUnpublished(Type.Integer()),
  }),
  'subscription.resumed': Type.Object({
    resulting_status: oneOf(['active', 'trialing']),
    billing: oneOf(['continue', 'new_period']),
    period_shifted_seconds: Type.Integer(),
    period_start: Moment,
    period_end: Moment,
    payment_id: nullable(Type.String()),
    reason: Reason,
    actor: ActorField,
    ...unchargedLines,
    terms: Terms,
  }),
  'subscription.cancellation_scheduled': Type.Object({ cancel_at: Moment, ...cancellation }),
  /** `cancel_at` is the instant at which the subscription would have been cancelled. */
  'subscription.cancellation_unscheduled': Type.Object({ cancel_at: Moment, ...cancellation }),
  'subscription.cancelled': Type.Object({
    ...cancellation,
    previous: Type.Object({ status: Status }),
    voluntary: Type.Boolean(),
    mrr_lost: Amount,
    currency: CurrencyCode,
    ...returned,
    closing: Closing,
  }),
  'subscription.past_due': Type.Object({
    payment_id: Type.String(),
    grace_ends_at: Moment,
    next_payment_attempt_at: nullable(Moment),
    reason: Reason,
    actor: ActorField,
  }),
  'subscription.lapsed': Type.Object({
    reason: oneOf(END_REASONS),
    previous: Type.Object({ status: Status }),
    voluntary: Type.Boolean(),
    payment_id: nullable(Type.String()),
    attempts: Type.Integer(),
    actor: ActorField,
    ...returned,
    closing: Closing,
  }),
  'subscription.reactivated': Type.Object({
    previous: Type.Object({ status: Status }),
    days_away: Type.Integer(),
    plan: Type.String(),
    payment_id: nullable(Type.String()),
    motion_run_id: MotionRun,
    period_start: Moment,
    period_end: Moment,
    reason: Reason,
    actor: ActorField,
    ...unchargedLines,
    terms: Terms,
  }),
};

/** Texts of the API reference that say when each event happens. */
export const subscriptionEventTexts: EventTexts<typeof subscriptionEvents> = {
  'subscription.trial_started': 'A subscription began with a trial.',
  'subscription.trial_will_end': 'A trial of at least 4 days ends in 3 days.',
  'subscription.trial_extended': 'A trial was made longer, by an offer.',
  'subscription.activated':
    'A subscription became active for the first time: its first charge succeeded, or its trial was converted. Give access now.',
  'subscription.renewed': 'A new period began and is paid.',
  'subscription.renewal_upcoming': 'A subscription renews in 7 days.',
  'subscription.plan_changed':
    'The plan of a subscription changed. The event comes before the charge or credit that it causes.',
  'subscription.discount_applied': 'A discount was applied to a subscription, by an offer.',
  'subscription.pause_scheduled': 'A pause was scheduled for the end of the period.',
  'subscription.pause_unscheduled': 'A scheduled pause was undone.',
  'subscription.paused':
    'A subscription was paused. It is not charged and gives no access until it is resumed.',
  'subscription.resumed': 'A paused subscription was resumed.',
  'subscription.cancellation_scheduled':
    'A cancellation was scheduled for the end of the period. Access stays until then.',
  'subscription.cancellation_unscheduled': 'A scheduled cancellation was undone.',
  'subscription.cancelled': 'A subscription ended on purpose. Take access away.',
  'subscription.past_due':
    'A payment of a subscription failed for the first time. It is retried; access stays until `grace_ends_at`.',
  'subscription.lapsed':
    'A subscription ended because it was not paid, or because its trial ended without a payment method. Take access away.',
  'subscription.reactivated':
    'A cancelled or lapsed subscription became active again. Give access back.',
};

export type SubscriptionFact = FactOf<typeof subscriptionEvents>;

/** An event that begins a subscription. */
export type BeginningFact = Extract<
  SubscriptionFact,
  { type: 'subscription.trial_started' | 'subscription.activated' }
>;

/** True if the event begins a subscription. False for an event that needs one. */
export const beginsSubscription = <F extends SubscriptionFact>(
  fact: F,
): fact is Extract<F, BeginningFact> => {
  const { type }: SubscriptionFact = fact;
  switch (type) {
    case 'subscription.trial_started':
    case 'subscription.activated':
      return true;
    case 'subscription.trial_will_end':
    case 'subscription.trial_extended':
    case 'subscription.renewed':
    case 'subscription.renewal_upcoming':
    case 'subscription.plan_changed':
    case 'subscription.discount_applied':
    case 'subscription.pause_scheduled':
    case 'subscription.pause_unscheduled':
    case 'subscription.paused':
    case 'subscription.resumed':
    case 'subscription.cancellation_scheduled':
    case 'subscription.cancellation_unscheduled':
    case 'subscription.cancelled':
    case 'subscription.past_due':
    case 'subscription.lapsed':
    case 'subscription.reactivated':
      return false;
    default:
      return unreachable(type);
  }
};
