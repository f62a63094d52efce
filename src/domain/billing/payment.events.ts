import { type Static, Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import {
  ActorField,
  Amount,
  CurrencyCode,
  Moment,
  nullable,
  oneOf,
  PersonalText,
  unpublished,
} from '../schema/fields';
import { PlanTerms } from '../plans/plan.events';

/** How a subscriber pays. `token` is what the collection port charges; it is never published. */
export const PaymentMethod = Type.Object(
  {
    token: unpublished(Type.String()),
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
    /** A provider's own words, which may name the person. */
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

/** One line of what an amount is made of; credits and discounts are negative. */
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

/** The recovery case of a recurring payment that failed (D-25). It closes once. */
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
 * An obligation with its attempts (D-21). `amount` is gross, `credit_applied` the part paid by
 * credits; the provider is charged the difference. `failed` is final; while retrying it is `pending`.
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
    /** Unpaid at this instant, the subscription lapses. Null where nothing waits for the payment. */
    grace_ends_at: nullable(Moment),
    failure: nullable(Failure),
    payment_method: nullable(PaymentMethod),
    provider: oneOf(['test', 'external']),
    provider_ref: nullable(Type.String()),
    recovery: nullable(Recovery),
    lines: Type.Array(Line),
    created_at: Moment,
    succeeded_at: nullable(Moment),
    /** What the paid period costs and how long it is: the fold of the subscription needs it. */
    terms: unpublished(PlanTerms),
    first_failed_at: unpublished(nullable(Moment)),
    /** Which credits pay the part that credits pay: they get it back when it ends unpaid. */
    credits: unpublished(Type.Array(Type.Object({ credit_id: Type.String(), amount: Amount }))),
    /** The provider's references of reported attempts: one counts once. */
    reported: unpublished(Type.Array(Type.String())),
  },
  { title: 'Payment' },
);
export type Payment = Static<typeof Payment>;

export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The whole payment as it is now, for events that publish only a part of it. */
const whole = unpublished(Payment);

/** Type strings and field names are a storage format: add, never rename. */
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
     * As the payment's status (D-21: `failed` is final). No attempt of dunning is, not even the last:
     * until its grace is over a new method, a retry by hand or a report still pays (D-03), and it is
     * the lapse, no attempt, that fails it.
     */
    final: Type.Boolean({
      description:
        'whether this attempt ended the payment: true exactly where `payment.status` is `failed`. ' +
        'While a renewal is in its grace period it is false, also for the last planned attempt ' +
        '(`next_attempt_at` null): until `payment.grace_ends_at` a new payment method can still pay. ' +
        'Unpaid then, the payment fails with `subscription.lapsed`, which names it',
    }),
    failure: Failure,
    next_attempt_at: {
      ...nullable(Moment),
      description: 'null where no further attempt is planned',
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

export type PaymentFact = FactOf<typeof paymentEvents>;
