import { DomainError } from '../../kernel/errors';
import type { Instant } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import { findLastAccepted } from './accepted-motions';
import {
  attemptPayment,
  type CollectionResult,
  recordOutcome,
  type PaymentEffects,
} from './collecting';
import { requirePayment } from './payment.decider';
import type {
  Failure,
  Line,
  Payment,
  PaymentMethod,
  PaymentStatus,
  Recovery,
} from './payment.events';
import { requirePossibleTime } from './reported-time';
import { continuePaidPeriod, lapseSubscription, chooseTerms, findUnpaidPeriod } from './ending';
import type { BillingDraft } from './pausing';
import { createConverted } from './starting';
import { requireSubscription, type Subscription } from './subscription';
import type { SubscriptionFact } from './subscription.events';

/** The cause of a recovery (D-25). */
type Source = NonNullable<Recovery['source']>;

/**
 * D-25: a motion that was accepted at most this many days before the success recovered the payment.
 */
const MOTION_RECOVERS_DAYS = 7;

interface OutcomeInput {
  readonly subscriptionId: string;
  readonly collected: CollectionResult;
  /** The cause of this attempt, used if neither a motion nor a new method explains its success. */
  readonly source: Source;
}

/** Applies the outcome of an attempt to the subscription: dunning, recovery or renewal. */
export const applyOutcome = (
  draft: BillingDraft,
  effects: PaymentEffects,
  { subscriptionId, collected, source }: OutcomeInput,
): void => {
  const { outcome, payment } = collected;
  if (payment === null) return;
  switch (outcome) {
    case 'succeeded':
      closeRecovery(draft, effects, { payment, source });
      startPaidPeriod(draft, effects, payment);
      return;
    case 'declined':
      markPastDue(draft, effects, { subscriptionId, payment });
      return;
    case 'pending':
    case 'nothing_due':
      return;
  }
};

/** Closes the recovery case as recovered, whatever the cause (D-25). */
const closeRecovery = (
  draft: BillingDraft,
  { actor }: PaymentEffects,
  { payment, source }: { payment: Payment; source: Source },
): void => {
  if (payment.recovery?.outcome !== 'open') return;
  const { first_failed_at } = payment.recovery;
  const cause = findRecoveryCause(draft, payment, { source, firstFailedAt: first_failed_at });
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

interface RecoveryCause {
  readonly source: Source;
  readonly motion_id: string | null;
}

/** Finds the cause of a recovery: a motion, else a new method, else the source of the attempt. */
const findRecoveryCause = (
  { state, now }: BillingDraft,
  { subscription_id, succeeded_at }: Payment,
  { source, firstFailedAt }: { source: Source; firstFailedAt: Instant },
): RecoveryCause => {
  const before = succeeded_at ?? now;
  const accepted = findLastAccepted(state.runs, { days: MOTION_RECOVERS_DAYS, before });
  if (accepted !== null) return { source: 'motion', motion_id: accepted.motion_id };
  const { methodSince = null } = state.subscriptions[subscription_id] ?? {};
  const replaced = methodSince !== null && methodSince >= firstFailedAt;
  return { source: replaced ? 'method_update' : source, motion_id: null };
};

/** Gives the subscriber the period that the payment was for. */
const startPaidPeriod = (draft: BillingDraft, effects: PaymentEffects, payment: Payment): void => {
  const subscription = requireSubscription(draft.state, payment.subscription_id);
  const period = { start: payment.period_start, end: payment.period_end };
  if (payment.reason === 'renewal') draft.add(createRenewed(subscription, effects, payment));
  if (payment.reason === 'trial_conversion' && subscription.status === 'trialing') {
    const terms = chooseTerms(subscription, payment);
    draft.add(
      createConverted(subscription, { terms, period, paymentId: payment.id, actor: effects.actor }),
    );
  }
};

type RenewedPeriod = Pick<Payment, 'period_start' | 'period_end' | 'terms' | 'amount'> & {
  readonly id: string | null;
  /** The lines of a period that needs no payment. A payment carries its own lines. */
  readonly free?: { readonly lines?: Line[] };
};

export const createRenewed = (
  { id, renewalCount }: Subscription,
  { actor }: Pick<PaymentEffects, 'actor'>,
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
const markPastDue = (
  draft: BillingDraft,
  effects: PaymentEffects,
  { subscriptionId, payment }: { subscriptionId: string; payment: Payment },
): void => {
  const subscription = requireSubscription(draft.state, subscriptionId);
  if (payment.status === 'failed' || payment.grace_ends_at === null) {
    lapseSubscription(draft, effects, { subscription, reason: 'payment_failed', payment });
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
      actor: effects.actor,
    },
  });
};

/** Attempts an open payment again with the current method of the subscription. */
export const retryPayment = async (
  draft: BillingDraft,
  effects: PaymentEffects,
  { payment, source }: { payment: Payment; source: Source },
): Promise<void> => {
  const subscription = requireSubscription(draft.state, payment.subscription_id);
  const collected = await attemptPayment(draft, effects, {
    payment: { ...payment, payment_method: subscription.method },
    ifDeclined: 'retry',
  });
  applyOutcome(draft, effects, { subscriptionId: subscription.id, collected, source });
};

/** Implements `POST /payments/{id}/retry`. Only an open payment that has failed can be retried. */
export const retryPaymentManually = async (
  draft: BillingDraft,
  effects: PaymentEffects,
  paymentId: string,
): Promise<void> => {
  const payment = requirePayment(draft.state, paymentId);
  if (payment.status !== 'pending' || payment.failure === null) throw notRetryableError(payment);
  await retryPayment(draft, effects, { payment, source: 'manual' });
};

const notRetryableError = ({ status }: Payment): DomainError =>
  wrongStateError('status of the payment', {
    status,
    // A pending payment without an attempt still waits for its outcome, so no status would help.
    allowed: status === 'pending' ? [] : ['pending'],
    hint: ' Only an open payment that failed can be retried.',
  });

/** Replaces the payment method. Past due payments are attempted with it at once. */
export const updatePaymentMethod = async (
  draft: BillingDraft,
  effects: PaymentEffects,
  { subscriptionId, method }: { subscriptionId: string; method: PaymentMethod },
): Promise<void> => {
  const subscription = requireSubscription(draft.state, subscriptionId);
  const same = subscription.method?.token === method.token;
  if (same && subscription.pastDueSince === null) return;
  draft.add({
    type: 'payment.method_updated',
    subscriptionId,
    data: { payment_method: method, actor: effects.actor },
  });
  for (const payment of Object.values(subscription.openPayments)) {
    if (payment.failure === null) continue;
    await retryPayment(draft, effects, { payment, source: 'method_update' });
  }
};

export interface AttemptReport {
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
 * Records an outcome from the tenant's own provider (D-07). The same outcome under a `provider_ref`
 * that was reported before changes nothing; another outcome is refused.
 */
export const reportAttempt = (
  draft: BillingDraft,
  effects: PaymentEffects,
  reported: AttemptReport,
): void => {
  const payment = requirePayment(draft.state, reported.paymentId);
  const { providerRef, occurredAt } = reported;
  if (providerRef !== null && payment.reported.includes(providerRef)) {
    requireSameOutcome(payment, { ...reported, providerRef });
    return;
  }
  requireAllowedReport(payment, reported, draft.now);
  const subscription = requireSubscription(draft.state, payment.subscription_id);
  const unpaid = findUnpaidPeriod(draft, subscription);
  const collected = recordOutcome(draft, effects, {
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
    applyOutcome(draft, effects, { subscriptionId: subscription.id, collected, source: 'retry' });
  } else if (unpaid?.id === payment.id) {
    continuePaidPeriod(draft, effects, { subscription, unpaid: payment, collected });
  }
};

/** Refuses an outcome that contradicts the one reported before under the same `provider_ref`. */
const requireSameOutcome = (
  { status, provider_ref }: Payment,
  { outcome, providerRef }: AttemptReport & { readonly providerRef: string },
): void => {
  // A payment that succeeded keeps the reference of its success. All other references failed.
  const before = status === 'succeeded' && provider_ref === providerRef ? 'succeeded' : 'failed';
  if (outcome === before) return;
  throw new DomainError(
    'invalid_state_transition',
    `This provider_ref was reported before, as ${before}. Report another attempt under a provider_ref of its own.`,
    { param: 'provider_ref', details: { provider_ref: providerRef, reported_outcome: before } },
  );
};

/** A payment that ended unpaid can still succeed. No other settled payment can change. */
const REPORTABLE: Readonly<Record<AttemptReport['outcome'], readonly PaymentStatus[]>> = {
  succeeded: ['pending', 'failed', 'cancelled'],
  failed: ['pending'],
};

const requireAllowedReport = (
  payment: Payment,
  { outcome, occurredAt }: AttemptReport,
  now: Instant,
): void => {
  requirePossibleTime(occurredAt, { createdAt: payment.created_at, now });
  const allowed = REPORTABLE[outcome];
  if (!allowed.includes(payment.status)) {
    throw wrongStateError('status of the payment', { status: payment.status, allowed });
  }
};
