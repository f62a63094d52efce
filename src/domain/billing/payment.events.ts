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
import { PlanTerms } from '../plans/plan.events';

/**
 * A payment method of a subscriber. The collection port charges `token`, which is never published.
 */
export const PaymentMethod = Type.Object(
  {
    token: markUnpublished(Type.String()),
    type: Type.String(),
    brand: nullable(Type.String()),
    last4: nullable(Type.String()),
    exp_month: nullable(Type.Integer()),
    exp_year: nullable(Type.Integer()),
  },
  { title: 'PaymentMethod' },
);
export type PaymentMethod = Static<typeof PaymentMethod>;

export const Failure = Type.Object(
  {
    code: Type.String(),
    /** The provider's message, which may name the person. */
    message: PersonalText,
    decline_type: oneOf(['soft', 'hard']),
  },
  { title: 'PaymentFailure' },
);
export type Failure = Static<typeof Failure>;

export const PAYMENT_STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const PAYMENT_REASONS = [
  'subscription_start',
  'renewal',
  'trial_conversion',
  'plan_change',
  'resume',
  'reactivation',
  'manual',
] as const;
export type PaymentReason = (typeof PAYMENT_REASONS)[number];

/** One line of an amount. Credits and discounts are negative. */
export const Line = Type.Object(
  {
    kind: oneOf(['period', 'credit', 'debit', 'discount']),
    plan: Type.String(),
    amount: Amount,
    period_start: Moment,
    period_end: Moment,
  },
  { title: 'Line' },
);
export type Line = Static<typeof Line>;

export const RECOVERY_SOURCES = ['retry', 'method_update', 'motion', 'manual'] as const;

/** The recovery case of a failed recurring payment (D-25). It closes once. */
export const Recovery = Type.Object(
  {
    first_failed_at: Moment,
    recovered_at: nullable(Moment),
    attempts: Type.Integer(),
    source: nullable(oneOf(RECOVERY_SOURCES)),
    motion_id: nullable(Type.String()),
    outcome: oneOf(['open', 'recovered', 'lost_passive', 'lost_active']),
  },
  { title: 'Recovery' },
);
export type Recovery = Static<typeof Recovery>;

/**
 * An amount due, with its attempts (D-21). `amount` is gross and `credit_applied` is the part that
 * credits pay. The provider is charged the difference. The status is `pending` during retries;
 * `failed` is final.
 */
export const Payment = Type.Object(
  {
    id: Type.String(),
    subscriber_id: Type.String(),
    subscription_id: Type.String(),
    status: oneOf(PAYMENT_STATUSES),
    amount: Amount,
    amount_refunded: Amount,
    credit_applied: Amount,
    currency: CurrencyCode,
    reason: oneOf(PAYMENT_REASONS),
    period_start: Moment,
    period_end: Moment,
    attempt_count: Type.Integer(),
    next_attempt_at: nullable(Moment),
    /**
     * The subscription lapses if the payment is unpaid at this instant. Null if nothing depends on
     * it.
     */
    grace_ends_at: nullable(Moment),
    failure: nullable(Failure),
    payment_method: nullable(PaymentMethod),
    provider: oneOf(['test', 'external']),
    provider_ref: nullable(Type.String()),
    recovery: nullable(Recovery),
    lines: Type.Array(Line),
    created_at: Moment,
    succeeded_at: nullable(Moment),
    /** The price and length of the paid period, which the fold of the subscription needs. */
    terms: markUnpublished(PlanTerms),
    first_failed_at: markUnpublished(nullable(Moment)),
    /** The credits that pay a part of the amount. They get it back if the payment ends unpaid. */
    credits: markUnpublished(Type.Array(Type.Object({ credit_id: Type.String(), amount: Amount }))),
    /** Provider references of reported attempts. Each counts once. */
    reported: markUnpublished(Type.Array(Type.String())),
  },
  { title: 'Payment' },
);
export type Payment = Static<typeof Payment>;

export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The whole current payment, for events that publish only a part of it. */
const whole = markUnpublished(Payment);

/** The type strings and field names are a storage format: add, never rename. */
export const paymentEvents = {
  'payment.succeeded': Type.Object({
    payment: Payment,
    first_payment: Type.Boolean(),
    actor: ActorField,
  }),
  'payment.due': Type.Object({
    payment: Payment,
    due_at: Moment,
    grace_ends_at: Moment,
    actor: ActorField,
  }),
  'payment.failed': Type.Object({
    payment: Payment,
    attempt: Type.Integer(),
    /**
     * True if the payment's status is `failed`, which is final (D-21). It is false for every
     * dunning attempt, also for the last one: until the grace period ends, a new method, a manual
     * retry or a report can still pay (D-03). The payment then fails by the lapse and not by an
     * attempt.
     */
    final: Type.Boolean({
      description:
        'True if this attempt ended the payment, which is the case exactly if `payment.status` is `failed`. It is false during the grace period of a renewal, even for the last planned attempt (`next_attempt_at` is null), because a new payment method can still pay until `payment.grace_ends_at`. If nobody pays, the payment fails with `subscription.lapsed`, which contains it.',
    }),
    failure: Failure,
    next_attempt_at: {
      ...nullable(Moment),
      description: 'When the next attempt is made; null if none is planned.',
    },
    actor: ActorField,
  }),
  'payment.recovered': Type.Object({
    payment_id: Type.String(),
    amount: Amount,
    currency: CurrencyCode,
    first_failed_at: Moment,
    attempts: Type.Integer(),
    source: oneOf(RECOVERY_SOURCES),
    motion_id: nullable(Type.String()),
    actor: ActorField,
    payment: whole,
  }),
  'payment.recovery_lost': Type.Object({
    payment_id: Type.String(),
    amount: Amount,
    currency: CurrencyCode,
    outcome: oneOf(['lost_passive', 'lost_active']),
    first_failed_at: Moment,
    attempts: Type.Integer(),
    actor: ActorField,
    payment: whole,
  }),
  'payment.disputed': Type.Object({
    payment_id: Type.String(),
    amount: Amount,
    currency: CurrencyCode,
    dispute_status: oneOf(DISPUTE_STATUSES),
    actor: ActorField,
  }),
  'payment.method_updated': Type.Object({ payment_method: PaymentMethod, actor: ActorField }),
  'payment.method_expiring': Type.Object({ payment_method: PaymentMethod, actor: ActorField }),
};

/** Texts of the API reference that say when each event happens. */
export const paymentEventTexts: EventTexts<typeof paymentEvents> = {
  'payment.succeeded': 'A payment succeeded, at the first or a later attempt.',
  'payment.due':
    'An amount must be collected by your own payment provider. Report the outcome with `POST /v1/payments/{paymentId}/attempts`.',
  'payment.failed':
    'An attempt to collect a payment failed. `next_attempt_at` says when it is tried again.',
  'payment.recovered':
    'A recurring payment that had failed was paid after all. The event comes after `payment.succeeded`.',
  'payment.recovery_lost':
    'A recurring payment that had failed will not be paid: the subscription lapsed or was cancelled.',
  'payment.disputed': 'A payment was disputed, or a dispute was won or lost.',
  'payment.method_updated': 'The payment method of a subscription was replaced.',
  'payment.method_expiring': 'The card of a subscription expires within 30 days.',
};

export type PaymentFact = FactOf<typeof paymentEvents>;
