import { DomainError } from '../../kernel/errors';
import { DAY_MS, fromMillis, type Instant, msBetween, plusDays } from '../../kernel/time';
import { collect, linesOf, type Till } from './collecting';
import type { PaymentMethod } from './payment.events';
import { beginCancellation, endNow, lapse } from './ending';
import {
  beginScheduledPause,
  type BillingDraft,
  pauseAtTrialEnd,
  resumePaused,
  type SubscriptionDraft,
} from './pausing';
import { periodLines } from './proration';
import { follow, renewed, retry } from './settling';
import { convert } from './starting';
import { periodFrom, requireSubscription, type Subscription } from './subscription.decider';
import { appliesIn, permits, type TimerName, TIMERS } from './transitions';
import type { World } from './billing-effects';

const TRIAL_NOTICE_DAYS = 3;
/** A shorter trial is not announced: its notice would be its welcome. */
const NOTICED_TRIAL_DAYS = 4;
const RENEWAL_NOTICE_DAYS = 7;
const METHOD_NOTICE_DAYS = 30;

/** Something time alone will do to a subscription. */
export interface SubscriptionTimer {
  readonly name: TimerName;
  readonly due: Instant;
  readonly subscriptionId: string;
}

const NAMES = Object.keys(TIMERS) as TimerName[];

/** Every timer that applies to the state, whenever it is due. */
export const timersOf = (subscription: Subscription): SubscriptionTimer[] =>
  NAMES.flatMap((name) => {
    const due = dueOf(name, subscription);
    return due === null ? [] : [{ name, due, subscriptionId: subscription.id }];
  });

const dueOf = (name: TimerName, subscription: Subscription): Instant | null => {
  const { status } = subscription;
  if (!appliesIn(name, status)) return null;
  return name === 'trial_will_end' || name === 'renewal_upcoming' || name === 'method_expiring'
    ? noticeDue(name, subscription)
    : changeDue(name, subscription);
};

const noticeDue = (
  name: 'trial_will_end' | 'renewal_upcoming' | 'method_expiring',
  { period, announced, method, cancelAt, pause }: Subscription,
): Instant | null => {
  const days = msBetween(period.start, period.end) / DAY_MS;
  switch (name) {
    case 'trial_will_end':
      return announced.trialWillEnd || days < NOTICED_TRIAL_DAYS
        ? null
        : plusDays(period.end, -TRIAL_NOTICE_DAYS);
    case 'renewal_upcoming':
      return announced.renewalUpcoming ||
        days <= RENEWAL_NOTICE_DAYS ||
        cancelAt !== null ||
        pause.kind === 'scheduled'
        ? null
        : plusDays(period.end, -RENEWAL_NOTICE_DAYS);
    case 'method_expiring':
      return announced.methodExpiring ? null : methodNotice(method);
  }
};

/** A card is good until the end of its month. */
const methodNotice = (method: PaymentMethod | null): Instant | null => {
  if (method?.exp_month == null || method.exp_year === null) return null;
  return plusDays(fromMillis(Date.UTC(method.exp_year, method.exp_month, 1)), -METHOD_NOTICE_DAYS);
};

const changeDue = (
  name: Exclude<TimerName, 'trial_will_end' | 'renewal_upcoming' | 'method_expiring'>,
  subscription: Subscription,
): Instant | null => {
  const { pause, period, open, cancelAt } = subscription;
  const payments = Object.values(open);
  switch (name) {
    case 'cancel':
      return cancelAt;
    case 'grace_end':
      return soonest(payments.map(({ grace_ends_at }) => grace_ends_at));
    case 'pause':
      return pause.kind === 'scheduled' ? pause.at : null;
    case 'resume':
      return pause.kind === 'in_effect' ? pause.resumesAt : null;
    case 'retry':
      return soonest(payments.map(({ next_attempt_at }) => next_attempt_at));
    case 'trial_end':
      return payments.length > 0 ? null : period.end;
    case 'renew':
      return period.end;
  }
};

const soonest = (instants: readonly (Instant | null)[]): Instant | null =>
  instants.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);

/** A notice that comes after what it announces is left out. */
export const isStale = (
  { name }: SubscriptionTimer,
  { period }: Subscription,
  now: Instant,
): boolean => (name === 'trial_will_end' || name === 'renewal_upcoming') && now >= period.end;

/** The first comes first; at one instant the order of the table (cancel, pause, renew). */
export const inFiringOrder = (a: SubscriptionTimer, b: SubscriptionTimer): number =>
  a.due === b.due ? NAMES.indexOf(a.name) - NAMES.indexOf(b.name) : a.due < b.due ? -1 : 1;

/** What a timer does. One that no longer applies does nothing, so firing twice is harmless. */
export const fire = async (
  draft: BillingDraft,
  world: World,
  timer: SubscriptionTimer,
): Promise<void> => {
  const subscription = requireSubscription(draft.state, timer.subscriptionId);
  const due = dueOf(timer.name, subscription);
  if (due === null || due > draft.now) return;
  switch (timer.name) {
    case 'trial_will_end':
    case 'renewal_upcoming':
    case 'method_expiring':
      return notify(draft, world, { name: timer.name, subscription });
    case 'cancel':
      beginCancellation(draft, world, subscription);
      return;
    case 'grace_end': {
      endGrace(draft, world, subscription);
      return;
    }
    case 'pause':
      beginScheduledPause(draft, subscription);
      return;
    case 'resume':
      return resumeByItself(draft, world, subscription);
    case 'retry':
      return retryDue(draft, world, subscription);
    case 'trial_end':
      return endTrial(draft, world, subscription);
    case 'renew':
      return renew(draft, world, subscription);
  }
};

const notify = async (
  draft: BillingDraft,
  world: World,
  {
    name,
    subscription,
  }: {
    name: 'trial_will_end' | 'renewal_upcoming' | 'method_expiring';
    subscription: Subscription;
  },
): Promise<void> => {
  const { id, period, method } = subscription;
  switch (name) {
    case 'trial_will_end':
      draft.add({
        type: 'subscription.trial_will_end',
        subscriptionId: id,
        data: {
          trial_end: period.end,
          payment_method_present: method !== null,
          reason: 'trial_end',
          actor: world.actor,
        },
      });
      return;
    case 'renewal_upcoming':
      return announceRenewal(draft, world, subscription);
    case 'method_expiring':
      if (method === null) return;
      draft.add({
        type: 'payment.method_expiring',
        subscriptionId: id,
        data: { payment_method: method, actor: world.actor },
      });
  }
};

const announceRenewal = async (
  draft: SubscriptionDraft,
  world: World,
  subscription: Subscription,
): Promise<void> => {
  const terms = await world.newestTerms(subscription.terms.plan);
  const lines = periodLines(subscription, terms, periodAfter(subscription, terms));
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
      actor: world.actor,
    },
  });
};

const periodAfter = ({ period, anchorDay }: Subscription, terms: Subscription['terms']) =>
  periodFrom(terms, period.end, anchorDay);

const endGrace = (draft: BillingDraft, world: World, subscription: Subscription): void => {
  const overdue = Object.values(subscription.open).find(
    ({ grace_ends_at }) => grace_ends_at !== null && grace_ends_at <= draft.now,
  );
  if (overdue === undefined) return;
  lapse(draft, world, { subscription, reason: 'payment_failed', payment: overdue });
};

/** D-06 by itself: a decline leads to active and past due. */
const resumeByItself = async (
  draft: BillingDraft,
  world: World,
  subscription: Subscription,
): Promise<void> => {
  const collected = await resumePaused(draft, world, {
    subscription,
    billing: 'continue',
    ifDeclined: 'retry',
    reason: 'scheduled',
  });
  if (collected === null) return;
  follow(draft, world, { subscriptionId: subscription.id, collected, source: 'retry' });
};

const retryDue = async (
  draft: BillingDraft,
  world: World,
  { open }: Subscription,
): Promise<void> => {
  const due = Object.values(open).find(
    ({ next_attempt_at }) => next_attempt_at !== null && next_attempt_at <= draft.now,
  );
  if (due !== undefined) await retry(draft, world, { payment: due, source: 'retry' });
};

const endTrial = async (
  draft: BillingDraft,
  world: World,
  subscription: Subscription,
): Promise<void> => {
  if (subscription.method === null) {
    endUnpaidTrial(draft, world, subscription);
    return;
  }
  const terms = await world.newestTerms(subscription.terms.plan);
  const period = periodAfter(subscription, terms);
  const collected = await collect(draft, world, {
    subscription,
    reason: 'trial_conversion',
    terms,
    period,
    lines: periodLines(subscription, terms, period),
    ifDeclined: 'retry',
  });
  if (collected.outcome === 'pending' || collected.outcome === 'nothing_due') {
    const paymentId = collected.payment?.id ?? null;
    const free = linesOf(collected);
    draft.add(convert(subscription, { terms, period, paymentId, free, actor: world.actor }));
  }
  follow(draft, world, { subscriptionId: subscription.id, collected, source: 'retry' });
};

/** What the tenant chose for trials that end without a payment method. */
const endUnpaidTrial = (draft: BillingDraft, world: World, subscription: Subscription): void => {
  const reason = 'trial_ended_without_payment';
  switch (world.trialEndBehavior) {
    case 'lapse':
      lapse(draft, world, { subscription, reason, payment: null });
      return;
    case 'pause':
      pauseAtTrialEnd(draft, subscription);
      return;
    case 'cancel':
      endNow(draft, world, {
        subscription,
        cancellation: { reason, feedback: null, comment: null },
      });
  }
};

const renew = async (
  draft: BillingDraft,
  world: World,
  subscription: Subscription,
): Promise<void> => {
  const terms = await world.newestTerms(subscription.terms.plan);
  const period = periodAfter(subscription, terms);
  const collected = await collect(draft, world, {
    subscription,
    reason: 'renewal',
    terms,
    period,
    lines: periodLines(subscription, terms, period),
    ifDeclined: 'retry',
  });
  if (collected.outcome === 'nothing_due') {
    draft.add(
      renewed(subscription, world, {
        id: null,
        amount: 0,
        free: linesOf(collected),
        terms,
        period_start: period.start,
        period_end: period.end,
      }),
    );
  }
  follow(draft, world, { subscriptionId: subscription.id, collected, source: 'retry' });
};

const TRIAL_DAYS_MAX = 730;

/** Gives a trial more days (D-31). */
export const extendTrial = (
  draft: SubscriptionDraft,
  { actor, motionRunId }: Pick<Till, 'actor' | 'motionRunId'>,
  { subscriptionId, days }: { subscriptionId: string; days: number },
): void => {
  const subscription = requireSubscription(draft.state, subscriptionId);
  permits('extend_trial', subscription);
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
