import { DomainError } from '../../kernel/errors';
import type { Instant } from '../../kernel/time';
import { lastAccepted } from './accepted-motions';
import { attempt, type Collected, settle, type Till } from './collecting';
import { requirePayment } from './payment.decider';
import type {
  Failure,
  Line,
  Payment,
  PaymentMethod,
  PaymentStatus,
  Recovery,
} from './payment.events';
import { goOn, lapse, termsAfter, unpaidPeriod } from './ending';
import type { BillingDraft } from './pausing';
import { convert } from './starting';
import { requireSubscription, type Subscription } from './subscription.decider';
import type { SubscriptionFact } from './subscription.events';

/** Effects of an open payment's outcome on its subscription: dunning, recovery and renewal. */

type Source = NonNullable<Recovery['source']>;

/**
 * D-25: a motion that was accepted at most this many days before the success recovered the payment.
 */
const MOTION_RECOVERS_DAYS = 7;

interface Followed {
  readonly subscriptionId: string;
  readonly collected: Collected;
  /** The cause of this attempt, used if neither a motion nor a new method explains its success. */
  readonly source: Source;
}

export const follow = (
  draft: BillingDraft,
  till: Till,
  { subscriptionId, collected, source }: Followed,
): void => {
  const { outcome, payment } = collected;
  if (payment === null) return;
  switch (outcome) {
    case 'succeeded':
      recover(draft, till, { payment, source });
      deliver(draft, till, payment);
      return;
    case 'declined':
      fallBehind(draft, till, { subscriptionId, payment });
      return;
    case 'pending':
    case 'nothing_due':
      return;
  }
};

/** Closes the recovery case as recovered, whatever the cause (D-25). */
const recover = (
  draft: BillingDraft,
  { actor }: Till,
  { payment, source }: { payment: Payment; source: Source },
): void => {
  if (payment.recovery?.outcome !== 'open') return;
  const { first_failed_at } = payment.recovery;
  const cause = causeOf(draft, payment, { source, firstFailedAt: first_failed_at });
  const recovery: Recovery = {
    ...payment.recovery,
    ...cause,
    recovered_at: payment.succeeded_at,
    attempts: payment.attempt_count,
    outcome: 'recovered',
  };
  draft.add({
    type: 'payment.recovered',
    subscriptionId: payment.subscription_id,
    data: {
      payment_id: payment.id,
      amount: payment.amount,
      currency: payment.currency,
      first_failed_at,
      attempts: payment.attempt_count,
      ...cause,
      actor,
      payment: { ...payment, recovery },
    },
  });
};

interface Cause {
  readonly source: Source;
  readonly motion_id: string | null;
}

/** Finds the cause of a recovery: a motion, else a new method, else the source of the attempt. */
const causeOf = (
  { state, now }: BillingDraft,
  { subscription_id, succeeded_at }: Payment,
  { source, firstFailedAt }: { source: Source; firstFailedAt: Instant },
): Cause => {
  const before = succeeded_at ?? now;
  const accepted = lastAccepted(state.runs, { days: MOTION_RECOVERS_DAYS, before });
  if (accepted !== null) return { source: 'motion', motion_id: accepted.motion_id };
  const { methodSince = null } = state.subscriptions[subscription_id] ?? {};
  const replaced = methodSince !== null && methodSince >= firstFailedAt;
  return { source: replaced ? 'method_update' : source, motion_id: null };
};

/** Gives the subscriber the period that the payment was for. */
const deliver = (draft: BillingDraft, till: Till, payment: Payment): void => {
  const subscription = requireSubscription(draft.state, payment.subscription_id);
  const period = { start: payment.period_start, end: payment.period_end };
  if (payment.reason === 'renewal') draft.add(renewed(subscription, till, payment));
  if (payment.reason === 'trial_conversion' && subscription.status === 'trialing') {
    const terms = termsAfter(subscription, payment);
    draft.add(convert(subscription, { terms, period, paymentId: payment.id, actor: till.actor }));
  }
};

type RenewedPeriod = Pick<Payment, 'period_start' | 'period_end' | 'terms' | 'amount'> & {
  readonly id: string | null;
  /** The lines of a period that needs no payment. A payment carries its own lines. */
  readonly free?: { readonly lines?: Line[] };
};

export const renewed = (
  { id, renewalCount }: Subscription,
  { actor }: Pick<Till, 'actor'>,
  paid: RenewedPeriod,
): SubscriptionFact => ({
  type: 'subscription.renewed',
  subscriptionId: id,
  data: {
    plan: paid.terms.plan,
    period_start: paid.period_start,
    period_end: paid.period_end,
    amount: paid.amount,
    currency: paid.terms.currency,
    payment_id: paid.id,
    renewal_count: renewalCount + 1,
    reason: 'period_end',
    actor,
    ...paid.free,
    terms: paid.terms,
  },
});

/**
 * Marks the subscription past due at the first failure, or lapses it if no grace is left (D-03).
 */
const fallBehind = (
  draft: BillingDraft,
  till: Till,
  { subscriptionId, payment }: { subscriptionId: string; payment: Payment },
): void => {
  const subscription = requireSubscription(draft.state, subscriptionId);
  if (payment.status === 'failed' || payment.grace_ends_at === null) {
    lapse(draft, till, { subscription, reason: 'payment_failed', payment });
    return;
  }
  if (subscription.pastDueSince !== null) return;
  draft.add({
    type: 'subscription.past_due',
    subscriptionId,
    data: {
      payment_id: payment.id,
      grace_ends_at: payment.grace_ends_at,
      next_payment_attempt_at: payment.next_attempt_at,
      reason: 'payment_failed',
      actor: till.actor,
    },
  });
};

/** Attempts an open payment again with the current method of the subscription. */
export const retry = async (
  draft: BillingDraft,
  till: Till,
  { payment, source }: { payment: Payment; source: Source },
): Promise<void> => {
  const subscription = requireSubscription(draft.state, payment.subscription_id);
  const collected = await attempt(draft, till, {
    payment: { ...payment, payment_method: subscription.method },
    ifDeclined: 'retry',
  });
  follow(draft, till, { subscriptionId: subscription.id, collected, source });
};

/** Implements `POST /payments/{id}/retry`. Only an open payment that has failed can be retried. */
export const retryByHand = async (
  draft: BillingDraft,
  till: Till,
  paymentId: string,
): Promise<void> => {
  const payment = requirePayment(draft.state, paymentId);
  if (payment.status !== 'pending' || payment.failure === null) throw notOpen(payment);
  await retry(draft, till, { payment, source: 'manual' });
};

const notOpen = ({ status }: Payment): DomainError =>
  new DomainError('invalid_state_transition', 'Only an open payment that failed can be retried.', {
    // A pending payment without an attempt still waits for its outcome, so no status would help.
    details: { current_status: status, allowed: status === 'pending' ? [] : ['pending'] },
  });

/** Replaces the payment method. Past due payments are attempted with it at once. */
export const updateMethod = async (
  draft: BillingDraft,
  till: Till,
  { subscriptionId, method }: { subscriptionId: string; method: PaymentMethod },
): Promise<void> => {
  const subscription = requireSubscription(draft.state, subscriptionId);
  const same = subscription.method?.token === method.token;
  if (same && subscription.pastDueSince === null) return;
  draft.add({
    type: 'payment.method_updated',
    subscriptionId,
    data: { payment_method: method, actor: till.actor },
  });
  for (const payment of Object.values(subscription.open)) {
    if (payment.failure === null) continue;
    await retry(draft, till, { payment, source: 'method_update' });
  }
};

export interface Report {
  readonly paymentId: string;
  readonly outcome: 'succeeded' | 'failed';
  readonly failure: Failure | null;
  readonly providerRef: string | null;
  readonly occurredAt: Instant | null;
}

const UNEXPLAINED: Failure = {
  code: 'payment_declined',
  message: 'The payment was declined.',
  decline_type: 'soft',
};

/**
 * Records an outcome from the tenant's own provider (D-07). A repeated `provider_ref` is ignored.
 */
export const report = (draft: BillingDraft, till: Till, reported: Report): void => {
  const payment = requirePayment(draft.state, reported.paymentId);
  const { providerRef, occurredAt } = reported;
  if (providerRef !== null && payment.reported.includes(providerRef)) return;
  refuseReport(payment, reported, draft.now);
  const subscription = requireSubscription(draft.state, payment.subscription_id);
  const unpaid = unpaidPeriod(draft, subscription);
  const collected = settle(draft, till, {
    payment: {
      ...payment,
      status: 'pending',
      reported: providerRef === null ? payment.reported : [...payment.reported, providerRef],
    },
    outcome:
      reported.outcome === 'succeeded'
        ? { kind: 'succeeded', providerRef }
        : { kind: 'declined', failure: reported.failure ?? UNEXPLAINED },
    ifDeclined: 'retry',
    ...(occurredAt === null ? {} : { occurredAt }),
  });
  if (payment.status === 'pending') {
    follow(draft, till, { subscriptionId: subscription.id, collected, source: 'retry' });
  } else if (unpaid?.id === payment.id) {
    goOn(draft, till, { subscription, unpaid: payment, collected });
  }
};

/** A payment that ended unpaid can still succeed. No other settled payment can change. */
const REPORTABLE: Readonly<Record<Report['outcome'], readonly PaymentStatus[]>> = {
  succeeded: ['pending', 'failed', 'cancelled'],
  failed: ['pending'],
};

const refuseReport = (payment: Payment, { outcome, occurredAt }: Report, now: Instant): void => {
  const allowed = REPORTABLE[outcome];
  if (!allowed.includes(payment.status)) {
    throw new DomainError('invalid_state_transition', `The payment is ${payment.status}.`, {
      details: { current_status: payment.status, allowed },
    });
  }
  if (occurredAt !== null && occurredAt > now) {
    throw new DomainError('parameter_invalid', 'occurred_at must not be in the future.', {
      param: 'occurred_at',
    });
  }
};
