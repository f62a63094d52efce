import { CommandDraft } from '../../kernel/draft';
import { DomainError } from '../../kernel/errors';
import type { Currency } from '../../kernel/money';
import { readAnchorDay } from '../../kernel/period';
import type { Actor } from '../../kernel/scope';
import { earlier, type Instant, msBetween } from '../../kernel/time';
import type { Payment, PaymentMethod, PaymentReason } from '../billing/payment.events';
import { hasPaid } from '../billing/payment.decider';
import type { PlanTerms } from '../plans/plan.events';
import type { Refund } from '../billing/refund.events';
import {
  type Subscriber,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../subscriber-stream/subscriber.aggregate';
import { requireKnown } from '../subscribers/subscriber.decider';
import { cancelNow, lapseSubscription } from '../billing/ending';
import { createActivated, type SubscriptionStart, createTrialStarted } from '../billing/starting';
import {
  type Period,
  computePeriod,
  requireSubscription,
  type Subscription,
} from '../billing/subscription';
import type { SubscriptionStatus } from '../billing/subscription.events';

/** Makes the events that lead to the state described by imported lines. */

type Facts = SubscriberStreamFact[];
type HistoryDraft = CommandDraft<Subscriber, SubscriberStreamFact>;

export interface SubscriptionHistory {
  readonly id: string;
  readonly subscriberId: string;
  readonly externalId: string;
  readonly status: SubscriptionStatus;
  readonly period: Period;
  readonly trialEnd: Instant | null;
  readonly cancelledAt: Instant | null;
  readonly terms: PlanTerms;
  readonly method: PaymentMethod | null;
  readonly actor: Actor;
  readonly newId: (label: string) => string;
  readonly now: Instant;
}

/** Begins the subscription with the period of the line and brings it to the status of the line. */
export const importSubscription =
  (history: SubscriptionHistory) =>
  (state: Subscriber): Facts => {
    requireKnown(state.profile, 'subscriber_external_id');
    if (state.subscriptions[history.id] !== undefined) return [];
    checkPeriod(history);
    requireAtMostOneDueRenewal(history);
    const { period, status, trialEnd } = history;
    const draft: HistoryDraft = new CommandDraft(
      subscriberAggregate,
      state,
      earlier(period.start, history.now),
    );
    const beginning: SubscriptionStart = history;
    draft.add(
      ...(status === 'trialing'
        ? createTrialStarted(beginning, trialEnd ?? period.end)
        : createActivated(beginning, period, null)),
    );
    changeToStatus(draft, history);
    return draft.facts;
  };

const checkPeriod = ({ period, status, cancelledAt, trialEnd, now }: SubscriptionHistory): void => {
  if (period.end <= period.start) {
    throw invalidError('current_period_end', 'must be after current_period_start');
  }
  if (period.start > now) throw invalidError('current_period_start', IN_THE_PAST);
  if (cancelledAt !== null && status !== 'cancelled') {
    throw invalidError('cancelled_at', 'may only be given if status is cancelled');
  }
  if (cancelledAt !== null && cancelledAt > now) throw invalidError('cancelled_at', IN_THE_PAST);
  if (trialEnd !== null && trialEnd <= period.start) {
    throw invalidError('trial_end', 'must be after current_period_start');
  }
};

/**
 * Refuses a line with more than one renewal due. The import charges one renewal itself, but a line
 * whose next period is over as well does not say which renewals were paid elsewhere.
 */
const requireAtMostOneDueRenewal = (history: SubscriptionHistory): void => {
  const { terms, now } = history;
  const first = findFirstCharge(history);
  if (first === null || terms.amount === 0 || computePeriod(terms, ...first.from).end > now) return;
  throw new DomainError(
    'parameter_invalid',
    `More than one renewal would be due since ${first.param}: state the period that runs now.`,
    { param: first.param },
  );
};

interface FirstCharge {
  /** The due instant, and the day of the month on which the subscription renews. */
  readonly from: readonly [Instant, number];
  readonly param: 'current_period_end' | 'trial_end';
}

/** Null if the import charges nothing. A trial that ended without a payment method just ends. */
const findFirstCharge = (history: SubscriptionHistory): FirstCharge | null => {
  const { status, period, trialEnd, method } = history;
  if (status === 'active') {
    return { from: [period.end, readAnchorDay(period.start)], param: 'current_period_end' };
  }
  if (status !== 'trialing' || method === null) return null;
  const end = trialEnd ?? period.end;
  return {
    from: [end, readAnchorDay(end)],
    param: trialEnd === null ? 'current_period_end' : 'trial_end',
  };
};

const IN_THE_PAST = 'must not be in the future';

const invalidError = (param: string, rule: string): DomainError =>
  new DomainError('parameter_invalid', `${param} ${rule}.`, { param });

const changeToStatus = (draft: HistoryDraft, history: SubscriptionHistory): void => {
  const { id, status, period, cancelledAt, now, actor, newId } = history;
  const acting = {
    actor,
    newId: (_prefix: string, _subscriberId: string, label: string) => newId(label),
  };
  const subscription = requireSubscription(draft.state, id);
  switch (status) {
    case 'active':
    case 'trialing':
      return;
    case 'paused':
      draft.moveTo(now);
      draft.add(createPaused(subscription, history));
      return;
    case 'cancelled': {
      draft.moveTo(cancelledAt ?? earlier(period.end, now));
      const cancellation = {
        reason: 'cancellation_requested',
        feedback: null,
        comment: null,
      } as const;
      cancelNow(draft, acting, { subscription, cancellation });
      return;
    }
    case 'lapsed':
      draft.moveTo(earlier(period.end, now));
      lapseSubscription(draft, acting, { subscription, reason: 'payment_failed', payment: null });
      return;
  }
};

const createPaused = (
  { id }: Subscription,
  { period, now, actor }: SubscriptionHistory,
): SubscriberStreamFact => {
  const remainingMs = Math.max(0, msBetween(now, period.end));
  return {
    type: 'subscription.paused',
    subscriptionId: id,
    data: {
      effective: 'immediately',
      effective_at: now,
      resumes_at: null,
      remaining_seconds: Math.floor(remainingMs / 1000),
      remaining_ms: remainingMs,
      reason: 'imported',
      motion_run_id: null,
      actor,
    },
  };
};

export interface PaymentHistory {
  readonly id: string;
  readonly refundId: string;
  readonly subscriptionId: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly status: 'succeeded' | 'failed' | 'refunded';
  readonly occurredAt: Instant;
  readonly reason: PaymentReason;
  readonly actor: Actor;
  readonly now: Instant;
}

/** Records a payment that was settled elsewhere. Nothing is charged and nothing is retried. */
export const importPayment =
  (history: PaymentHistory) =>
  (state: Subscriber): Facts => {
    requireKnown(state.profile, 'subscription_external_id');
    if (state.payments.byId.has(history.id)) return [];
    if (history.occurredAt > history.now) throw invalidError('occurred_at', IN_THE_PAST);
    const subscription = requireSubscription(state, history.subscriptionId);
    if (subscription.terms.currency !== history.currency) throw otherCurrencyError();
    const payment = createSettledPayment(history, subscription);
    return history.status === 'failed'
      ? [createFailed(history, payment)]
      : [
          createSucceeded(history, payment, !hasPaid(state.payments)),
          ...(history.status === 'refunded' ? [createRefunded(history, payment)] : []),
        ];
  };

/** A subscription keeps its currency (D-13), so none of its payments had another one. */
const otherCurrencyError = (): DomainError =>
  new DomainError('currency_mismatch', 'The subscription has another currency.', {
    param: 'currency',
  });

const IMPORTED_FAILURE = {
  code: 'imported',
  message: 'Failed before it was imported.',
  decline_type: 'soft',
} as const;

const createSettledPayment = (
  history: PaymentHistory,
  { subscriberId, terms }: Subscription,
): Payment => {
  const { id, amount, currency, occurredAt: at, status } = history;
  const period = computePeriod(terms, at);
  return {
    id,
    subscriber_id: subscriberId,
    subscription_id: history.subscriptionId,
    status: status === 'failed' ? 'failed' : 'succeeded',
    amount,
    amount_refunded: 0,
    credit_applied: 0,
    currency,
    reason: history.reason,
    period_start: period.start,
    period_end: period.end,
    attempt_count: 1,
    next_attempt_at: null,
    grace_ends_at: null,
    failure: status === 'failed' ? IMPORTED_FAILURE : null,
    payment_method: null,
    provider: 'external',
    provider_ref: null,
    recovery: null,
    lines: [
      {
        kind: 'period',
        plan: terms.plan,
        amount,
        period_start: period.start,
        period_end: period.end,
      },
    ],
    created_at: at,
    succeeded_at: status === 'failed' ? null : at,
    terms,
    first_failed_at: status === 'failed' ? at : null,
    credits: [],
    reported: [],
  };
};

const createFailed = (
  { subscriptionId, occurredAt: at, actor }: PaymentHistory,
  payment: Payment,
): SubscriberStreamFact => ({
  type: 'payment.failed',
  subscriptionId,
  at,
  data: {
    payment,
    attempt: 1,
    final: true,
    failure: IMPORTED_FAILURE,
    next_attempt_at: null,
    actor,
  },
});

const createSucceeded = (
  { subscriptionId, occurredAt: at, actor }: PaymentHistory,
  payment: Payment,
  firstPayment: boolean,
): SubscriberStreamFact => ({
  type: 'payment.succeeded',
  subscriptionId,
  at,
  data: { payment, first_payment: firstPayment, actor },
});

const createRefunded = (
  { subscriptionId, occurredAt: at, actor, refundId }: PaymentHistory,
  payment: Payment,
): SubscriberStreamFact => {
  const refund: Refund = {
    id: refundId,
    payment_id: payment.id,
    subscriber_id: payment.subscriber_id,
    subscription_id: subscriptionId,
    amount: payment.amount,
    currency: payment.currency,
    status: 'succeeded',
    reason: 'other',
    note: null,
    ticket_id: null,
    destination: 'original',
    credit_id: null,
    failure: null,
    provider_ref: null,
    created_at: at,
    succeeded_at: at,
    returned: payment.amount,
  };
  return {
    type: 'payment.refunded',
    subscriptionId,
    at,
    data: {
      refund,
      amount_refunded_total: payment.amount,
      actor,
      payment: { ...payment, amount_refunded: payment.amount },
    },
  };
};
