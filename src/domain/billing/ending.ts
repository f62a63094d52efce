import { computeMonthlyAmount } from '../../kernel/period';
import { DAY_MS, type Instant, msBetween } from '../../kernel/time';
import { expireReinstated, grantCredit, computeReinstatements } from './credit.decider';
import {
  attemptPayment,
  collectAmount,
  type CollectionResult,
  getUnchargedLines,
  type PaymentEffects,
} from './collecting';
import type { Payment } from './payment.events';
import type { PlanTerms } from '../plans/plan.events';
import type { BillingDraft, SubscriptionDraft } from './pausing';
import { createPeriodLines } from './proration';
import {
  type Cancellation,
  type Period,
  computePeriod,
  requireSubscription,
  type Subscription,
} from './subscription';
import type { EndReason, SubscriptionFact } from './subscription.events';
import { checkCommand } from './transitions';

type EndingEffects = Pick<PaymentEffects, 'actor' | 'newId'>;

export interface CancelRequest extends Cancellation {
  readonly subscriptionId: string;
  readonly effective: 'period_end' | 'immediately';
}

/** Cancels a subscription (D-04). A paused one is cancelled at once in both forms. */
export const cancelSubscription = (
  draft: BillingDraft,
  acting: EndingEffects,
  request: CancelRequest,
): void => {
  const subscription = requireSubscription(draft.state, request.subscriptionId);
  const scheduled = request.effective === 'period_end';
  if (!checkCommand(scheduled ? 'cancel_at_period_end' : 'cancel', subscription)) return;
  // A trial whose payment is open has already ended, so it is cancelled at once.
  const hasTimeLeft = subscription.status !== 'paused' && subscription.period.end > draft.now;
  if (scheduled && hasTimeLeft) {
    scheduleCancellation(draft, acting, { subscription, request });
  } else {
    cancelNow(draft, acting, { subscription, cancellation: request });
  }
};

const scheduleCancellation = (
  draft: SubscriptionDraft,
  { actor }: EndingEffects,
  { subscription, request }: { subscription: Subscription; request: CancelRequest },
): void => {
  const { id, period, cancelAt, cancellation } = subscription;
  const { reason, feedback, comment } = request;
  const same =
    cancelAt === period.end &&
    cancellation?.feedback === feedback &&
    cancellation.comment === comment;
  if (same) return;
  draft.add({
    type: 'subscription.cancellation_scheduled',
    subscriptionId: id,
    data: { cancel_at: period.end, reason, feedback, comment, actor },
  });
};

/** Removes a scheduled cancellation. Does nothing if none is scheduled. */
export const removeCancellation = (
  draft: SubscriptionDraft,
  { actor }: Pick<PaymentEffects, 'actor'>,
  subscriptionId: string,
): void => {
  const subscription = requireSubscription(draft.state, subscriptionId);
  if (!checkCommand('uncancel', subscription)) return;
  const { cancelAt, cancellation, id } = subscription;
  if (cancelAt === null || cancellation === null) return;
  draft.add({
    type: 'subscription.cancellation_unscheduled',
    subscriptionId: id,
    data: { cancel_at: cancelAt, ...cancellation, actor },
  });
};

/** Carries out the scheduled cancellation. */
export const applyScheduledCancellation = (
  draft: BillingDraft,
  acting: EndingEffects,
  subscription: Subscription,
): void => {
  if (subscription.cancellation === null) return;
  cancelNow(draft, acting, { subscription, cancellation: subscription.cancellation });
};

const VOLUNTARY_REASONS: readonly EndReason[] = ['cancellation_requested', 'merchant'];

export const isVoluntary = (reason: EndReason): boolean => VOLUNTARY_REASONS.includes(reason);

/** Cancels at once, for both forms of the request. */
export const cancelNow = (
  draft: BillingDraft,
  acting: EndingEffects,
  { subscription, cancellation }: { subscription: Subscription; cancellation: Cancellation },
): void => {
  const { id, status, terms, period } = subscription;
  const closing = endOpenPayments(draft, subscription, 'cancelled');
  draft.add({
    type: 'subscription.cancelled',
    subscriptionId: id,
    data: {
      reason: cancellation.reason,
      feedback: cancellation.feedback,
      comment: cancellation.comment,
      previous: { status },
      voluntary: isVoluntary(cancellation.reason),
      mrr_lost: status === 'active' ? computeMonthlyPrice(subscription, period.start) : 0,
      currency: terms.currency,
      actor: acting.actor,
      ...listReinstatedCredits(closing),
      closing,
    },
  });
  grantProratedCredit(draft, acting, subscription);
  expireReinstated(draft, closing.reinstated);
  recordLostRecoveries(draft, acting, { payments: closing.payments, outcome: 'lost_active' });
};

/** Returns the monthly price (D-72). Only `forever` discounts count. */
export const computeMonthlyPrice = ({ terms, discounts }: Subscription, at: Instant): number => {
  const lasting = discounts.filter(({ duration }) => duration === 'forever');
  const [line, ...rest] = createPeriodLines({ discounts: lasting, pendingLines: [] }, terms, {
    start: at,
    end: at,
  });
  const price = rest.reduce((sum, { amount }) => sum + amount, line?.amount ?? 0);
  return computeMonthlyAmount(price, { unit: terms.interval, count: terms.interval_count });
};

interface LapseInput {
  readonly subscription: Subscription;
  readonly reason: EndReason;
  /** The payment whose grace period is over. */
  readonly payment: Payment | null;
}

/** Ends the subscription involuntarily. Its open recovery cases are lost. */
export const lapseSubscription = (
  draft: BillingDraft,
  acting: EndingEffects,
  { subscription, reason, payment }: LapseInput,
): void => {
  const closing = endOpenPayments(draft, subscription, 'failed');
  draft.add({
    type: 'subscription.lapsed',
    subscriptionId: subscription.id,
    data: {
      reason,
      previous: { status: subscription.status },
      voluntary: false,
      payment_id: payment?.id ?? null,
      attempts: payment?.attempt_count ?? 0,
      actor: acting.actor,
      ...listReinstatedCredits(closing),
      closing,
    },
  });
  grantProratedCredit(draft, acting, subscription);
  expireReinstated(draft, closing.reinstated);
  const lost = payment?.status === 'failed' ? [payment, ...closing.payments] : closing.payments;
  recordLostRecoveries(draft, acting, { payments: lost, outcome: 'lost_passive' });
};

type Cancelled = (SubscriptionFact & { type: 'subscription.cancelled' })['data'];

/** Publishes the credits that were given back, so that a mirror built from events stays correct. */
const listReinstatedCredits = ({
  reinstated,
}: Cancelled['closing']): Pick<Cancelled, 'credits_reinstated'> =>
  reinstated.length === 0
    ? {}
    : {
        credits_reinstated: reinstated.map(({ amount, credit: { id, remaining } }) => ({
          credit_id: id,
          amount,
          remaining,
        })),
      };

/** Ends the open payments of the subscription and gives back the credits that they held. */
const endOpenPayments = (
  draft: BillingDraft,
  { openPayments }: Subscription,
  status: 'cancelled' | 'failed',
): Cancelled['closing'] => {
  const held = Object.values(openPayments).flatMap(({ id, credits }) =>
    credits.map(({ credit_id, amount }) => ({ paymentId: id, creditId: credit_id, amount })),
  );
  return {
    payments: Object.values(openPayments).map((payment) => ({
      ...payment,
      status,
      next_attempt_at: null,
      grace_ends_at: null,
      credit_applied: 0,
      credits: [],
    })),
    reinstated: computeReinstatements(draft.state.credits, held),
  };
};

/** Keeps unused time that waited for the next renewal as a credit of the subscriber. */
const grantProratedCredit = (
  draft: BillingDraft,
  { actor, newId }: EndingEffects,
  { id, subscriberId, pendingLines, terms, period, openPayments }: Subscription,
): void => {
  const owed = Object.values(openPayments).reduce((sum, { amount }) => sum + amount, 0);
  const net = pendingLines.reduce((sum, { amount }) => sum + amount, owed);
  if (net >= 0) return;
  grantCredit(draft, {
    id: newId('crd', subscriberId, `${id} pending ${period.start}`),
    subscriberId,
    amount: -net,
    currency: terms.currency,
    category: 'proration',
    expiresAt: null,
    source: { type: 'subscription', id },
    note: null,
    motionRunId: null,
    reason: 'proration',
    actor,
  });
};

const recordLostRecoveries = (
  draft: BillingDraft,
  { actor }: EndingEffects,
  { payments, outcome }: { payments: readonly Payment[]; outcome: 'lost_passive' | 'lost_active' },
): void => {
  for (const payment of payments) {
    if (payment.recovery?.outcome !== 'open') continue;
    const { first_failed_at, attempts } = payment.recovery;
    draft.add({
      type: 'payment.recovery_lost',
      subscriptionId: payment.subscription_id,
      data: {
        payment_id: payment.id,
        amount: payment.amount,
        currency: payment.currency,
        outcome,
        first_failed_at,
        attempts,
        actor,
        payment: { ...payment, recovery: { ...payment.recovery, outcome } },
      },
    });
  }
};

export interface ReactivateRequest {
  readonly subscriptionId: string;
  /** The newest terms of the plan. */
  readonly terms: PlanTerms;
}

/**
 * Reactivates a subscription. A lapsed one pays its open amount if the unpaid period still runs.
 * Otherwise, and after a cancellation, a new period begins. A decline is recorded and changes
 * nothing else.
 */
export const reactivateSubscription = async (
  draft: BillingDraft,
  effects: PaymentEffects,
  { subscriptionId, terms }: ReactivateRequest,
): Promise<CollectionResult> => {
  const subscription = requireSubscription(draft.state, subscriptionId);
  checkCommand('reactivate', subscription);
  const unpaid = findUnpaidPeriod(draft, subscription);
  if (unpaid !== null) {
    const again = { ...unpaid, status: 'pending' as const, payment_method: subscription.method };
    const collected = await attemptPayment(draft, effects, {
      payment: again,
      ifDeclined: 'record',
    });
    if (collected.outcome !== 'declined')
      continuePaidPeriod(draft, effects, { subscription, unpaid, collected });
    return collected;
  }
  const period = computePeriod(terms, draft.now);
  const collected = await collectAmount(draft, effects, {
    subscription,
    reason: 'reactivation',
    terms,
    period,
    lines: createPeriodLines(subscription, terms, period),
    ifDeclined: 'record',
  });
  if (collected.outcome !== 'declined')
    recordReactivation(draft, effects, { subscription, terms, period, collected });
  return collected;
};

/** Returns the payment that caused the lapse, if its period still runs. */
export const findUnpaidPeriod = (
  draft: BillingDraft,
  { id, status }: Subscription,
): Payment | null => {
  if (status !== 'lapsed') return null;
  const covering = [...draft.state.payments.byId.values()].filter(
    (payment) =>
      payment.subscription_id === id &&
      payment.status === 'failed' &&
      payment.reason !== 'reactivation' &&
      payment.period_start <= draft.now &&
      draft.now < payment.period_end,
  );
  return covering.at(-1) ?? null;
};

/**
 * Returns the terms after a late payment: the terms it paid for, unless the plan was changed since.
 * The paid period keeps its price, and the new plan's price starts at the next renewal (D-11
 * `none`, D-13).
 */
export const chooseTerms = ({ terms }: Subscription, paid: Payment): PlanTerms =>
  terms.plan === paid.terms.plan ? paid.terms : terms;

interface LatePayment {
  readonly subscription: Subscription;
  readonly unpaid: Payment;
  readonly collected: CollectionResult;
}

/** Continues a period that was paid late. A period after a trial begins with its payment. */
export const continuePaidPeriod = (
  draft: SubscriptionDraft,
  acting: Pick<PaymentEffects, 'actor' | 'motionRunId'>,
  { subscription, unpaid, collected }: LatePayment,
): void => {
  const runs = draft.now < subscription.period.end;
  const paidFor = { start: unpaid.period_start, end: unpaid.period_end };
  recordReactivation(draft, acting, {
    subscription,
    terms: chooseTerms(subscription, unpaid),
    period: runs ? subscription.period : paidFor,
    collected,
  });
};

interface Reactivation {
  readonly subscription: Subscription;
  readonly terms: PlanTerms;
  readonly period: Period;
  readonly collected: CollectionResult;
}

const recordReactivation = (
  draft: SubscriptionDraft,
  { actor, motionRunId }: Pick<PaymentEffects, 'actor' | 'motionRunId'>,
  { subscription, terms, period, collected }: Reactivation,
): void => {
  const endedAt = subscription.cancelledAt ?? subscription.lapsedAt ?? draft.now;
  draft.add({
    type: 'subscription.reactivated',
    subscriptionId: subscription.id,
    data: {
      previous: { status: subscription.status },
      days_away: Math.floor(msBetween(endedAt, draft.now) / DAY_MS),
      plan: terms.plan,
      payment_id: collected.payment?.id ?? null,
      motion_run_id: motionRunId,
      period_start: period.start,
      period_end: period.end,
      reason: motionRunId === null ? 'requested' : 'motion',
      actor,
      ...getUnchargedLines(collected),
      terms,
    },
  });
};
