import { type Dated, unreachable } from '../../kernel/decider';
import { readAnchorDay } from '../../kernel/period';
import type { Instant } from '../../kernel/time';
import { addDiscount } from './discount';
import type { Line, Payment, PaymentFact } from './payment.events';
import { type BegunPeriod, computePeriodPrice, computeChangedPrice } from './pricing';
import {
  type SentNotices,
  type Cancellation,
  NO_NOTICES,
  type Pause,
  type Subscription,
  type Subscriptions,
} from './subscription';
import {
  type BeginningFact,
  beginsSubscription,
  type Proration,
  type SubscriptionFact,
  subscriptionEvents,
} from './subscription.events';

type SubscriptionsFact = Dated<SubscriptionFact> | Dated<PaymentFact>;

export const evolveSubscriptions = (
  subscriptions: Subscriptions,
  fact: SubscriptionsFact,
): Subscriptions => {
  const { subscriptionId: id } = fact;
  if (id === undefined) return subscriptions;
  const before = subscriptions[id];
  if (before !== undefined) return { ...subscriptions, [id]: evolveSubscription(before, fact) };
  return isSubscriptionFact(fact) && beginsSubscription(fact)
    ? { ...subscriptions, [id]: beginSubscription(id, fact) }
    : subscriptions;
};

const isSubscriptionFact = (fact: SubscriptionsFact): fact is Dated<SubscriptionFact> =>
  Object.hasOwn(subscriptionEvents, fact.type);

const beginSubscription = (id: string, fact: Dated<BeginningFact>): Subscription => {
  const { terms } = fact.data;
  const trialing = fact.type === 'subscription.trial_started';
  return {
    id,
    subscriberId: fact.data.subscriber_id,
    externalId: fact.data.external_id,
    status: trialing ? 'trialing' : 'active',
    terms,
    period: trialing
      ? { start: fact.at, end: fact.data.trial_end }
      : { start: fact.data.period_start, end: fact.data.period_end },
    periodPrice: trialing ? 0 : terms.amount,
    trialPayment: null,
    anchorDay: readAnchorDay(trialing ? fact.data.trial_end : fact.data.period_start),
    trialEnd: trialing ? fact.data.trial_end : null,
    method: fact.data.payment_method,
    methodSince: null,
    cancelAt: null,
    cancellation: null,
    cancelledAt: null,
    lapsedAt: null,
    pastDueSince: null,
    openPayments: trialing ? {} : getOpenPayment(fact.data.payment),
    pause: { kind: 'none' },
    pendingLines: [],
    discounts: [],
    renewalCount: 0,
    announced: NO_NOTICES,
    createdAt: fact.at,
  };
};

const getOpenPayment = (payment: Payment | null): Subscription['openPayments'] =>
  payment?.status === 'pending' ? { [payment.id]: payment } : {};

const evolveSubscription = (subscription: Subscription, fact: SubscriptionsFact): Subscription => {
  switch (fact.type) {
    case 'payment.succeeded':
    case 'payment.due':
    case 'payment.failed':
    case 'payment.recovered':
    case 'payment.recovery_lost':
      return replacePayment(subscription, fact.data.payment);
    case 'payment.method_updated':
      return {
        ...subscription,
        method: fact.data.payment_method,
        methodSince: fact.at,
        announced: { ...subscription.announced, methodExpiring: false },
      };
    case 'payment.method_expiring':
      return recordNotice(subscription, { methodExpiring: true });
    case 'payment.disputed':
    case 'subscription.trial_started':
      return subscription;
    default:
      return evolveLifecycle(subscription, fact);
  }
};

const evolveLifecycle = (
  subscription: Subscription,
  fact: Exclude<Dated<SubscriptionFact>, { type: 'subscription.trial_started' }>,
): Subscription => {
  switch (fact.type) {
    case 'subscription.trial_will_end':
      return recordNotice(subscription, { trialWillEnd: true });
    case 'subscription.renewal_upcoming':
      return recordNotice(subscription, { renewalUpcoming: true });
    case 'subscription.trial_extended':
      return extendTrial(subscription, fact.data.trial_end);
    case 'subscription.activated':
      return {
        ...beginPeriod(subscription, fact.data),
        status: 'active',
        trialEnd: chooseTrialEnd(subscription.trialEnd, fact.data.period_start),
      };
    case 'subscription.renewed':
      return {
        ...(fact.data.period_start === subscription.period.end
          ? beginPeriod(subscription, fact.data)
          : subscription),
        renewalCount: fact.data.renewal_count,
      };
    case 'subscription.reactivated':
      return reopenSubscription(subscription, fact.data);
    case 'subscription.plan_changed':
      return changePlan(subscription, fact.data);
    case 'subscription.discount_applied':
      return { ...subscription, discounts: addDiscount(subscription, fact.data.discount) };
    case 'subscription.past_due':
      return { ...subscription, pastDueSince: fact.at };
    case 'subscription.pause_scheduled':
    case 'subscription.pause_unscheduled':
    case 'subscription.paused':
    case 'subscription.resumed':
      return evolvePause(subscription, fact);
    default:
      return evolveEnd(subscription, fact);
  }
};

type Lifecycle<Type extends string> = Extract<Dated<SubscriptionFact>, { type: Type }>;

const evolvePause = (
  subscription: Subscription,
  fact: Lifecycle<
    | 'subscription.pause_scheduled'
    | 'subscription.pause_unscheduled'
    | 'subscription.paused'
    | 'subscription.resumed'
  >,
): Subscription => {
  switch (fact.type) {
    case 'subscription.pause_scheduled':
      return {
        ...subscription,
        pause: {
          kind: 'scheduled',
          at: fact.data.effective_at,
          resumesAt: fact.data.resumes_at,
          motionRunId: fact.data.motion_run_id,
        },
      };
    case 'subscription.pause_unscheduled':
      return { ...subscription, pause: { kind: 'none' } };
    case 'subscription.paused':
      return {
        ...subscription,
        status: 'paused',
        pause: {
          kind: 'in_effect',
          at: fact.data.effective_at,
          resumesAt: fact.data.resumes_at,
          remainingMs: fact.data.remaining_ms,
          wasTrialing: subscription.status === 'trialing',
        },
      };
    case 'subscription.resumed':
      return resumeAfterPause(subscription, fact.data);
    default:
      return unreachable(fact);
  }
};

const evolveEnd = (
  subscription: Subscription,
  fact: Lifecycle<
    | 'subscription.cancellation_scheduled'
    | 'subscription.cancellation_unscheduled'
    | 'subscription.cancelled'
    | 'subscription.lapsed'
  >,
): Subscription => {
  switch (fact.type) {
    case 'subscription.cancellation_scheduled':
      return {
        ...subscription,
        cancelAt: fact.data.cancel_at,
        cancellation: toCancellation(fact.data),
      };
    case 'subscription.cancellation_unscheduled':
      return { ...subscription, cancelAt: null, cancellation: null };
    case 'subscription.cancelled':
      return {
        ...endSubscription(subscription),
        status: 'cancelled',
        cancelledAt: fact.at,
        cancellation: toCancellation(fact.data),
      };
    case 'subscription.lapsed':
      return {
        ...endSubscription(subscription),
        status: 'lapsed',
        lapsedAt: fact.at,
        cancellation: { reason: fact.data.reason, feedback: null, comment: null },
      };
    default:
      return unreachable(fact);
  }
};

/** Stores the payment among the open ones while it is pending, and removes it afterwards. */
const replacePayment = (subscription: Subscription, payment: Payment): Subscription => {
  const current = findChargedPeriod(subscription, payment);
  const { [payment.id]: _, ...others } = current.openPayments;
  const openPayments = payment.status === 'pending' ? { ...others, [payment.id]: payment } : others;
  const pastDue = Object.values(openPayments).some(({ failure }) => failure !== null);
  return { ...current, openPayments, pastDueSince: pastDue ? current.pastDueSince : null };
};

/**
 * The first fact of a renewal's payment begins its period. The first fact of a trial's payment
 * fixes the price of the period after the trial. A later change or discount does not apply to that
 * period.
 */
const findChargedPeriod = (subscription: Subscription, payment: Payment): Subscription => {
  const { status, period, trialPayment } = subscription;
  const { reason, period_start: start } = payment;
  if (reason === 'renewal' && status !== 'lapsed' && start === period.end) {
    return beginPeriod(subscription, payment);
  }
  if (reason !== 'trial_conversion' || status !== 'trialing' || trialPayment?.start === start) {
    return subscription;
  }
  const { periodPrice: price, discounts } = computePeriodPrice(subscription, payment);
  return { ...subscription, discounts, trialPayment: { start, price } };
};

/** Begins a period once, even if two facts state it. */
const beginPeriod = (subscription: Subscription, begun: BegunPeriod): Subscription => {
  const { terms, period_start: start, period_end: end } = begun;
  const { period, announced } = subscription;
  if (period.start === start && period.end === end) return { ...subscription, terms };
  return {
    ...subscription,
    ...computePeriodPrice(subscription, begun),
    trialPayment: null,
    terms,
    period: { start, end },
    pendingLines: [],
    announced: { ...announced, renewalUpcoming: false },
  };
};

const recordNotice = (subscription: Subscription, what: Partial<SentNotices>): Subscription => ({
  ...subscription,
  announced: { ...subscription.announced, ...what },
});

const extendTrial = (subscription: Subscription, trialEnd: Instant): Subscription => ({
  ...subscription,
  trialEnd,
  period: { ...subscription.period, end: trialEnd },
  anchorDay: readAnchorDay(trialEnd),
  cancelAt: moveInstant(subscription, subscription.cancelAt, trialEnd),
  pause: movePause(subscription, trialEnd),
  announced: NO_NOTICES,
});

/** Moves an instant that was the end of the period to the new end. */
const moveInstant = ({ period }: Subscription, at: Instant | null, end: Instant): Instant | null =>
  at === period.end ? end : at;

const movePause = (subscription: Subscription, end: Instant): Pause =>
  subscription.pause.kind === 'scheduled' ? { ...subscription.pause, at: end } : subscription.pause;

const changePlan = (
  subscription: Subscription,
  data: Lifecycle<'subscription.plan_changed'>['data'],
): Subscription => {
  const { terms, proration, period_start: start, period_end: end } = data;
  const { period, announced } = subscription;
  return {
    ...subscription,
    ...computeChangedPrice(subscription, data),
    terms,
    period: { start, end },
    anchorDay: start === period.start ? subscription.anchorDay : readAnchorDay(start),
    cancelAt: moveInstant(subscription, subscription.cancelAt, end),
    pause: movePause(subscription, end),
    pendingLines: changePendingLines(subscription.pendingLines, proration),
    announced: { ...announced, renewalUpcoming: announced.renewalUpcoming && end === period.end },
  };
};

/**
 * Returns the lines that wait for the next renewal after a plan change. A change that was charged
 * at once contains those that it settled; changes by earlier versions settled none.
 */
const changePendingLines = (
  pending: Subscription['pendingLines'],
  { applied, lines }: Proration,
): Subscription['pendingLines'] => {
  if (applied === 'next_renewal') return [...pending, ...lines];
  return pending.filter((line) => !lines.some((settled) => isSameLine(settled, line)));
};

const isSameLine = (a: Line, b: Line): boolean =>
  a.kind === b.kind &&
  a.plan === b.plan &&
  a.amount === b.amount &&
  a.period_start === b.period_start &&
  a.period_end === b.period_end;

const resumeAfterPause = (
  subscription: Subscription,
  data: Lifecycle<'subscription.resumed'>['data'],
): Subscription => {
  const trialing = data.resulting_status === 'trialing';
  const continued = data.billing === 'continue';
  const base = continued
    ? { ...subscription, period: { start: data.period_start, end: data.period_end } }
    : beginPeriod(subscription, data);
  return {
    ...base,
    status: data.resulting_status,
    terms: data.terms,
    anchorDay: readAnchorDay(continued ? data.period_end : data.period_start),
    trialEnd: trialing ? data.period_end : chooseTrialEnd(subscription.trialEnd, data.period_start),
    pause: { kind: 'none' },
  };
};

const toCancellation = ({ reason, feedback, comment }: Cancellation): Cancellation => ({
  reason,
  feedback,
  comment,
});

/** Ends the trial early if a paid period begins before its end. */
const chooseTrialEnd = (trialEnd: Instant | null, periodStart: Instant): Instant | null =>
  trialEnd === null || trialEnd <= periodStart ? trialEnd : periodStart;

const endSubscription = (subscription: Subscription): Subscription => ({
  ...subscription,
  cancelAt: null,
  pastDueSince: null,
  openPayments: {},
  pause: { kind: 'none' },
  pendingLines: [],
});

/** Reopens an ended subscription. A period that continues keeps its anchor day. */
const reopenSubscription = (subscription: Subscription, data: BegunPeriod): Subscription => ({
  ...beginPeriod(subscription, data),
  status: 'active',
  anchorDay:
    data.period_start === subscription.period.start
      ? subscription.anchorDay
      : readAnchorDay(data.period_start),
  cancellation: null,
  cancelledAt: null,
  lapsedAt: null,
});
