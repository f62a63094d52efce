import type { Instant } from '../../kernel/time';
import type { Actor } from '../../kernel/scope';
import type { Line, Payment, PaymentMethod } from './payment.events';
import type { PlanTerms } from '../plans/plan.events';
import type { Period, Subscription } from './subscription';
import type { SubscriptionFact } from './subscription.events';

/** A subscription that is about to begin. */
export interface SubscriptionStart {
  readonly id: string;
  readonly subscriberId: string;
  readonly externalId: string | null;
  readonly terms: PlanTerms;
  readonly method: PaymentMethod | null;
  readonly actor: Actor;
}

export const createTrialStarted = (
  beginning: SubscriptionStart,
  trialEnd: Instant,
): SubscriptionFact[] => [
  {
    type: 'subscription.trial_started',
    subscriptionId: beginning.id,
    data: {
      plan: beginning.terms.plan,
      trial_end: trialEnd,
      payment_method_present: beginning.method !== null,
      reason: 'new',
      actor: beginning.actor,
      ...describeStart(beginning),
    },
  },
];

export const createActivated = (
  beginning: SubscriptionStart,
  period: Period,
  payment: Payment | null,
): SubscriptionFact[] => [
  {
    type: 'subscription.activated',
    subscriptionId: beginning.id,
    data: {
      plan: beginning.terms.plan,
      reason: 'new',
      previous: {},
      payment_id: payment?.id ?? null,
      period_start: period.start,
      period_end: period.end,
      actor: beginning.actor,
      ...describeStart(beginning),
      payment,
    },
  },
];

interface TrialConversion {
  readonly terms: PlanTerms;
  readonly period: Period;
  readonly paymentId: string | null;
  /** The lines of a period that needs no payment. A payment carries its own lines. */
  readonly free?: { readonly lines?: Line[] };
  readonly actor: Actor;
}

/** States that a trial became a paid subscription. */
export const createConverted = (
  { id, subscriberId, externalId, method, status }: Subscription,
  { terms, period, paymentId, free, actor }: TrialConversion,
): SubscriptionFact => ({
  type: 'subscription.activated',
  subscriptionId: id,
  data: {
    plan: terms.plan,
    reason: 'trial_converted',
    previous: { status },
    payment_id: paymentId,
    period_start: period.start,
    period_end: period.end,
    actor,
    ...free,
    ...describeStart({ subscriberId, externalId, terms, method }),
    payment: null,
  },
});

const describeStart = ({
  subscriberId,
  externalId,
  terms,
  method,
}: Pick<SubscriptionStart, 'subscriberId' | 'externalId' | 'terms' | 'method'>) => ({
  subscriber_id: subscriberId,
  external_id: externalId,
  terms,
  payment_method: method,
});
