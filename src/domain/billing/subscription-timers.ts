import { DomainError } from '../../kernel/errors';
import { DAY_MS, fromMillis, type Instant, msBetween, plusDays } from '../../kernel/time';
import { collectAmount, getUnchargedLines, type PaymentEffects } from './collecting';
import type { PaymentMethod } from './payment.events';
import { applyScheduledCancellation, cancelNow, lapseSubscription } from './ending';
import {
  beginScheduledPause,
  type BillingDraft,
  pauseAtTrialEnd,
  resumePaused,
  type SubscriptionDraft,
} from './pausing';
import { createPeriodLines } from './proration';
import { applyOutcome, createRenewed, retryPayment } from './payment-outcome';
import { createConverted } from './starting';
import { computePeriod, requireSubscription, type Subscription } from './subscription';
import { appliesIn, checkCommand, type TimerName, TIMERS } from './transitions';
import type { BillingEffects } from './billing-effects';

const TRIAL_NOTICE_DAYS = 3;
/** A shorter trial is not announced, because the notice would come right after its start. */
const NOTICED_TRIAL_DAYS = 4;
const RENEWAL_NOTICE_DAYS = 7;
const METHOD_NOTICE_DAYS = 30;

/** A change that time alone will make to a subscription. */
export interface SubscriptionTimer {
  readonly name: TimerName;
  readonly due: Instant;
  readonly subscriptionId: string;
}

/** One timer of a subscription, with its due instant and its effect. */
interface TimerRule {
  /** Null if the state has no such timer. Called only in the statuses that `TIMERS` names. */
  readonly dueAt: (subscription: Subscription) => Instant | null;
  readonly fire: (
    draft: BillingDraft,
    effects: BillingEffects,
    subscription: Subscription,
  ) => void | Promise<void>;
  /** True for a notice that is left out once the end of the period it announces has passed. */
  readonly announcesPeriodEnd?: true;
}

const TIMER_RULES: Readonly<Record<TimerName, TimerRule>> = {
  cancel: { dueAt: ({ cancelAt }) => cancelAt, fire: applyScheduledCancellation },
  grace_end: {
    dueAt: ({ openPayments }) =>
      findSoonest(Object.values(openPayments).map(({ grace_ends_at }) => grace_ends_at)),
    fire: (draft, effects, subscription) => {
      endGracePeriod(draft, effects, subscription);
    },
  },
  pause: {
    dueAt: ({ pause }) => (pause.kind === 'scheduled' ? pause.at : null),
    fire: (draft, _world, subscription) => {
      beginScheduledPause(draft, subscription);
    },
  },
  resume: {
    dueAt: ({ pause }) => (pause.kind === 'in_effect' ? pause.resumesAt : null),
    fire: (draft, effects, subscription) => resumeAutomatically(draft, effects, subscription),
  },
  retry: {
    dueAt: ({ openPayments }) =>
      findSoonest(Object.values(openPayments).map(({ next_attempt_at }) => next_attempt_at)),
    fire: (draft, effects, subscription) => retryDuePayment(draft, effects, subscription),
  },
  trial_end: {
    dueAt: ({ openPayments, period }) => (Object.keys(openPayments).length > 0 ? null : period.end),
    fire: (draft, effects, subscription) => endTrial(draft, effects, subscription),
  },
  renew: {
    dueAt: ({ period }) => period.end,
    fire: (draft, effects, subscription) => renew(draft, effects, subscription),
  },
  trial_will_end: {
    dueAt: ({ announced, period }) =>
      announced.trialWillEnd || countDays(period) < NOTICED_TRIAL_DAYS
        ? null
        : plusDays(period.end, -TRIAL_NOTICE_DAYS),
    fire: (draft, effects, subscription) => {
      announceTrialEnd(draft, effects, subscription);
    },
    announcesPeriodEnd: true,
  },
  renewal_upcoming: {
    dueAt: ({ announced, period, cancelAt, pause }) =>
      announced.renewalUpcoming ||
      countDays(period) <= RENEWAL_NOTICE_DAYS ||
      cancelAt !== null ||
      pause.kind === 'scheduled'
        ? null
        : plusDays(period.end, -RENEWAL_NOTICE_DAYS),
    fire: (draft, effects, subscription) => announceRenewal(draft, effects, subscription),
    announcesPeriodEnd: true,
  },
  method_expiring: {
    dueAt: ({ announced, method }) =>
      announced.methodExpiring ? null : computeMethodNotice(method),
    fire: (draft, effects, subscription) => {
      announceMethodExpiry(draft, effects, subscription);
    },
  },
};

const TIMER_NAMES = Object.keys(TIMERS) as TimerName[];

/** Returns every timer that applies to the state, with its due instant. */
export const listTimers = (subscription: Subscription): SubscriptionTimer[] =>
  TIMER_NAMES.flatMap((name) => {
    const due = computeDue(name, subscription);
    return due === null ? [] : [{ name, due, subscriptionId: subscription.id }];
  });

const computeDue = (name: TimerName, subscription: Subscription): Instant | null =>
  appliesIn(name, subscription.status) ? TIMER_RULES[name].dueAt(subscription) : null;

const countDays = ({ start, end }: Subscription['period']): number =>
  msBetween(start, end) / DAY_MS;

/**
 * Returns the time of the notice that the payment method expires; null if it does not. A card is valid
 * until the end of its expiry month.
 */
const computeMethodNotice = (method: PaymentMethod | null): Instant | null => {
  if (method?.exp_month == null || method.exp_year === null) return null;
  return plusDays(fromMillis(Date.UTC(method.exp_year, method.exp_month, 1)), -METHOD_NOTICE_DAYS);
};

const findSoonest = (instants: readonly (Instant | null)[]): Instant | null =>
  instants.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);

/** True for a notice that would come after the event that it announces. It is left out. */
export const isStale = (
  { name }: SubscriptionTimer,
  { period }: Subscription,
  now: Instant,
): boolean => TIMER_RULES[name].announcesPeriodEnd === true && now >= period.end;

/**
 * Sorts by due instant. Timers of one instant fire in the order of the table (cancel, pause,
 * renew).
 */
export const compareByFiring = (a: SubscriptionTimer, b: SubscriptionTimer): number =>
  a.due === b.due
    ? TIMER_NAMES.indexOf(a.name) - TIMER_NAMES.indexOf(b.name)
    : a.due < b.due
      ? -1
      : 1;

/** Fires a timer. A timer that no longer applies does nothing, so firing twice is harmless. */
export const fireTimer = async (
  draft: BillingDraft,
  effects: BillingEffects,
  timer: SubscriptionTimer,
): Promise<void> => {
  const subscription = requireSubscription(draft.state, timer.subscriptionId);
  const due = computeDue(timer.name, subscription);
  if (due === null || due > draft.now) return;
  await TIMER_RULES[timer.name].fire(draft, effects, subscription);
};

const announceTrialEnd = (
  draft: BillingDraft,
  { actor }: BillingEffects,
  { id, period, method }: Subscription,
): void => {
  draft.add({
    type: 'subscription.trial_will_end',
    subscriptionId: id,
    data: {
      trial_end: period.end,
      payment_method_present: method !== null,
      reason: 'trial_end',
      actor,
    },
  });
};

const announceMethodExpiry = (
  draft: BillingDraft,
  { actor }: BillingEffects,
  { id, method }: Subscription,
): void => {
  if (method === null) return;
  draft.add({
    type: 'payment.method_expiring',
    subscriptionId: id,
    data: { payment_method: method, actor },
  });
};

const announceRenewal = async (
  draft: SubscriptionDraft,
  effects: BillingEffects,
  subscription: Subscription,
): Promise<void> => {
  const terms = await effects.newestTerms(subscription.terms.plan);
  const lines = createPeriodLines(subscription, terms, computeNextPeriod(subscription, terms));
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  draft.add({
    type: 'subscription.renewal_upcoming',
    subscriptionId: subscription.id,
    data: {
      renews_at: subscription.period.end,
      estimated_amount: Math.max(0, total),
      currency: terms.currency,
      lines,
      reason: 'period_end',
      actor: effects.actor,
    },
  });
};

const computeNextPeriod = ({ period, anchorDay }: Subscription, terms: Subscription['terms']) =>
  computePeriod(terms, period.end, anchorDay);

const endGracePeriod = (
  draft: BillingDraft,
  effects: BillingEffects,
  subscription: Subscription,
): void => {
  const overdue = Object.values(subscription.openPayments).find(
    ({ grace_ends_at }) => grace_ends_at !== null && grace_ends_at <= draft.now,
  );
  if (overdue === undefined) return;
  lapseSubscription(draft, effects, { subscription, reason: 'payment_failed', payment: overdue });
};

/** Resumes at `resumes_at` (D-06). A decline makes the subscription active and past due. */
const resumeAutomatically = async (
  draft: BillingDraft,
  effects: BillingEffects,
  subscription: Subscription,
): Promise<void> => {
  const collected = await resumePaused(draft, effects, {
    subscription,
    billing: 'continue',
    ifDeclined: 'retry',
    reason: 'scheduled',
  });
  if (collected === null) return;
  applyOutcome(draft, effects, { subscriptionId: subscription.id, collected, source: 'retry' });
};

const retryDuePayment = async (
  draft: BillingDraft,
  effects: BillingEffects,
  { openPayments }: Subscription,
): Promise<void> => {
  const due = Object.values(openPayments).find(
    ({ next_attempt_at }) => next_attempt_at !== null && next_attempt_at <= draft.now,
  );
  if (due !== undefined) await retryPayment(draft, effects, { payment: due, source: 'retry' });
};

const endTrial = async (
  draft: BillingDraft,
  effects: BillingEffects,
  subscription: Subscription,
): Promise<void> => {
  if (subscription.method === null) {
    endUnpaidTrial(draft, effects, subscription);
    return;
  }
  const terms = await effects.newestTerms(subscription.terms.plan);
  const period = computeNextPeriod(subscription, terms);
  const collected = await collectAmount(draft, effects, {
    subscription,
    reason: 'trial_conversion',
    terms,
    period,
    lines: createPeriodLines(subscription, terms, period),
    ifDeclined: 'retry',
  });
  if (collected.outcome === 'pending' || collected.outcome === 'nothing_due') {
    const paymentId = collected.payment?.id ?? null;
    const free = getUnchargedLines(collected);
    draft.add(
      createConverted(subscription, { terms, period, paymentId, free, actor: effects.actor }),
    );
  }
  applyOutcome(draft, effects, { subscriptionId: subscription.id, collected, source: 'retry' });
};

/** Ends a trial without a payment method in the way that the tenant's settings choose. */
const endUnpaidTrial = (
  draft: BillingDraft,
  effects: BillingEffects,
  subscription: Subscription,
): void => {
  const reason = 'trial_ended_without_payment';
  switch (effects.trialEndBehavior) {
    case 'lapse':
      lapseSubscription(draft, effects, { subscription, reason, payment: null });
      return;
    case 'pause':
      pauseAtTrialEnd(draft, subscription);
      return;
    case 'cancel':
      cancelNow(draft, effects, {
        subscription,
        cancellation: { reason, feedback: null, comment: null },
      });
  }
};

const renew = async (
  draft: BillingDraft,
  effects: BillingEffects,
  subscription: Subscription,
): Promise<void> => {
  const terms = await effects.newestTerms(subscription.terms.plan);
  const period = computeNextPeriod(subscription, terms);
  const collected = await collectAmount(draft, effects, {
    subscription,
    reason: 'renewal',
    terms,
    period,
    lines: createPeriodLines(subscription, terms, period),
    ifDeclined: 'retry',
  });
  if (collected.outcome === 'nothing_due') {
    draft.add(
      createRenewed(subscription, effects, {
        id: null,
        amount: 0,
        free: getUnchargedLines(collected),
        terms,
        period_start: period.start,
        period_end: period.end,
      }),
    );
  }
  applyOutcome(draft, effects, { subscriptionId: subscription.id, collected, source: 'retry' });
};

const TRIAL_DAYS_MAX = 730;

/** Adds days to a trial (D-31). */
export const extendTrial = (
  draft: SubscriptionDraft,
  { actor, motionRunId }: Pick<PaymentEffects, 'actor' | 'motionRunId'>,
  { subscriptionId, days }: { subscriptionId: string; days: number },
): void => {
  const subscription = requireSubscription(draft.state, subscriptionId);
  checkCommand('extend_trial', subscription);
  const { period, pastDueSince } = subscription;
  if (pastDueSince !== null) {
    throw new DomainError('payment_past_due', 'The trial has ended and its payment is open.');
  }
  const trialEnd = plusDays(period.end, days);
  if (msBetween(period.start, trialEnd) > TRIAL_DAYS_MAX * DAY_MS) {
    throw new DomainError('parameter_invalid', `A trial has at most ${TRIAL_DAYS_MAX} days.`, {
      param: 'days',
    });
  }
  draft.add({
    type: 'subscription.trial_extended',
    subscriptionId,
    data: {
      days,
      trial_end: trialEnd,
      previous: { trial_end: period.end },
      motion_run_id: motionRunId,
      reason: motionRunId === null ? 'requested' : 'motion',
      actor,
    },
  });
};
