import { type Dated, unreachable } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import type { MinorUnits } from '../../kernel/money';
import { readAnchorDay, computePeriodEnd } from '../../kernel/period';
import type { Instant } from '../../kernel/time';
import type { Line, Payment, PaymentFact, PaymentMethod } from './payment.events';
import type { PlanTerms } from '../plans/plan.events';
import { withDiscount } from './discount';
import { type Asked, type BegunPeriod, pricedAt, pricedByChange } from './pricing';
import type {
  CancellationFeedback,
  Discount,
  EndReason,
  SubscriptionFact,
  SubscriptionStatus,
} from './subscription.events';

export interface Period {
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * A pause that starts at the end of the period, or a pause in effect with the time that it froze.
 */
type Pause =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'scheduled';
      readonly at: Instant;
      readonly resumesAt: Instant | null;
      readonly motionRunId: string | null;
    }
  | {
      readonly kind: 'in_effect';
      readonly at: Instant;
      readonly resumesAt: Instant | null;
      readonly remainingMs: number;
      readonly wasTrialing: boolean;
    };

/** The reason for the end of the subscription, now or at `cancelAt`. */
export interface Cancellation {
  readonly reason: EndReason;
  readonly feedback: CancellationFeedback | null;
  readonly comment: string | null;
}

/** Notices that were sent already. Each is sent once. */
interface Announced {
  readonly trialWillEnd: boolean;
  readonly renewalUpcoming: boolean;
  readonly methodExpiring: boolean;
}

const NOTHING_ANNOUNCED: Announced = {
  trialWillEnd: false,
  renewalUpcoming: false,
  methodExpiring: false,
};

export interface Subscription {
  readonly id: string;
  readonly subscriberId: string;
  readonly externalId: string | null;
  readonly status: SubscriptionStatus;
  readonly terms: PlanTerms;
  readonly period: Period;
  /** Price of the running period, net of discounts. Proration credits a part of it (D-10). */
  readonly periodPrice: MinorUnits;
  /** The period and price that a trial's payment asks for, until that period begins. */
  readonly asked: Asked | null;
  /** Day of the month on which monthly and yearly periods end, clamped to the end of the month. */
  readonly anchorDay: number;
  readonly trialEnd: Instant | null;
  readonly method: PaymentMethod | null;
  /** The instant at which the method was last replaced. */
  readonly methodSince: Instant | null;
  readonly cancelAt: Instant | null;
  readonly cancellation: Cancellation | null;
  readonly cancelledAt: Instant | null;
  readonly lapsedAt: Instant | null;
  readonly pastDueSince: Instant | null;
  /** Unsettled payments by id. */
  readonly open: Readonly<Record<string, Payment>>;
  readonly pause: Pause;
  /** Proration lines that wait for the next renewal (D-11). */
  readonly pendingLines: readonly Line[];
  /** The newest discount comes first. */
  readonly discounts: readonly Discount[];
  readonly renewalCount: number;
  readonly announced: Announced;
  readonly createdAt: Instant;
}

/** The subscriber's subscriptions by id. */
export type Subscriptions = Readonly<Record<string, Subscription>>;

export const noSubscriptions: Subscriptions = {};

type Told = Dated<SubscriptionFact> | Dated<PaymentFact>;

export const evolveSubscriptions = (subscriptions: Subscriptions, fact: Told): Subscriptions => {
  const id = fact.subscriptionId ?? '';
  const before = subscriptions[id];
  const after = before === undefined ? begin(id, fact) : evolve(before, fact);
  return after === null ? subscriptions : { ...subscriptions, [id]: after };
};

const begin = (id: string, fact: Told): Subscription | null => {
  if (fact.type !== 'subscription.trial_started' && fact.type !== 'subscription.activated') {
    return null;
  }
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
    asked: null,
    anchorDay: readAnchorDay(trialing ? fact.data.trial_end : fact.data.period_start),
    trialEnd: trialing ? fact.data.trial_end : null,
    method: fact.data.payment_method,
    methodSince: null,
    cancelAt: null,
    cancellation: null,
    cancelledAt: null,
    lapsedAt: null,
    pastDueSince: null,
    open: trialing ? {} : openOf(fact.data.payment),
    pause: { kind: 'none' },
    pendingLines: [],
    discounts: [],
    renewalCount: 0,
    announced: NOTHING_ANNOUNCED,
    createdAt: fact.at,
  };
};

const openOf = (payment: Payment | null): Subscription['open'] =>
  payment?.status === 'pending' ? { [payment.id]: payment } : {};

const evolve = (subscription: Subscription, fact: Told): Subscription => {
  switch (fact.type) {
    case 'payment.succeeded':
    case 'payment.due':
    case 'payment.failed':
    case 'payment.recovered':
    case 'payment.recovery_lost':
      return withPayment(subscription, fact.data.payment);
    case 'payment.method_updated':
      return {
        ...subscription,
        method: fact.data.payment_method,
        methodSince: fact.at,
        announced: { ...subscription.announced, methodExpiring: false },
      };
    case 'payment.method_expiring':
      return announce(subscription, { methodExpiring: true });
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
      return announce(subscription, { trialWillEnd: true });
    case 'subscription.renewal_upcoming':
      return announce(subscription, { renewalUpcoming: true });
    case 'subscription.trial_extended':
      return extendTrial(subscription, fact.data.trial_end);
    case 'subscription.activated':
      return {
        ...beginPeriod(subscription, fact.data),
        status: 'active',
        trialEnd: earlierOf(subscription.trialEnd, fact.data.period_start),
      };
    case 'subscription.renewed':
      return {
        ...(fact.data.period_start === subscription.period.end
          ? beginPeriod(subscription, fact.data)
          : subscription),
        renewalCount: fact.data.renewal_count,
      };
    case 'subscription.reactivated':
      return reopen(subscription, fact.data);
    case 'subscription.plan_changed':
      return changePlan(subscription, fact.data);
    case 'subscription.discount_applied':
      return { ...subscription, discounts: withDiscount(subscription, fact.data.discount) };
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
      return resumed(subscription, fact.data);
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
        cancellation: cancellationOf(fact.data),
      };
    case 'subscription.cancellation_unscheduled':
      return { ...subscription, cancelAt: null, cancellation: null };
    case 'subscription.cancelled':
      return {
        ...ended(subscription),
        status: 'cancelled',
        cancelledAt: fact.at,
        cancellation: cancellationOf(fact.data),
      };
    case 'subscription.lapsed':
      return {
        ...ended(subscription),
        status: 'lapsed',
        lapsedAt: fact.at,
        cancellation: { reason: fact.data.reason, feedback: null, comment: null },
      };
    default:
      return unreachable(fact);
  }
};

/** Stores the payment among the open ones while it is pending, and removes it afterwards. */
const withPayment = (subscription: Subscription, payment: Payment): Subscription => {
  const current = askedFor(subscription, payment);
  const { [payment.id]: _, ...others } = current.open;
  const open = payment.status === 'pending' ? { ...others, [payment.id]: payment } : others;
  const pastDue = Object.values(open).some(({ failure }) => failure !== null);
  return { ...current, open, pastDueSince: pastDue ? current.pastDueSince : null };
};

/**
 * The first fact of a renewal's payment begins its period. The first fact of a trial's payment
 * fixes the price of the period after the trial. A later change or discount does not apply to that
 * period.
 */
const askedFor = (subscription: Subscription, payment: Payment): Subscription => {
  const { status, period, asked } = subscription;
  const { reason, period_start: start } = payment;
  if (reason === 'renewal' && status !== 'lapsed' && start === period.end) {
    return beginPeriod(subscription, payment);
  }
  if (reason !== 'trial_conversion' || status !== 'trialing' || asked?.start === start) {
    return subscription;
  }
  const { periodPrice: price, discounts } = pricedAt(subscription, payment);
  return { ...subscription, discounts, asked: { start, price } };
};

/** Begins a period once, even if two facts state it. */
const beginPeriod = (subscription: Subscription, begun: BegunPeriod): Subscription => {
  const { terms, period_start: start, period_end: end } = begun;
  const { period, announced } = subscription;
  if (period.start === start && period.end === end) return { ...subscription, terms };
  return {
    ...subscription,
    ...pricedAt(subscription, begun),
    asked: null,
    terms,
    period: { start, end },
    pendingLines: [],
    announced: { ...announced, renewalUpcoming: false },
  };
};

const announce = (subscription: Subscription, what: Partial<Announced>): Subscription => ({
  ...subscription,
  announced: { ...subscription.announced, ...what },
});

const extendTrial = (subscription: Subscription, trialEnd: Instant): Subscription => ({
  ...subscription,
  trialEnd,
  period: { ...subscription.period, end: trialEnd },
  anchorDay: readAnchorDay(trialEnd),
  cancelAt: moved(subscription, subscription.cancelAt, trialEnd),
  pause: movedPause(subscription, trialEnd),
  announced: NOTHING_ANNOUNCED,
});

/** Moves an instant that was the end of the period to the new end. */
const moved = ({ period }: Subscription, at: Instant | null, end: Instant): Instant | null =>
  at === period.end ? end : at;

const movedPause = (subscription: Subscription, end: Instant): Pause =>
  subscription.pause.kind === 'scheduled' ? { ...subscription.pause, at: end } : subscription.pause;

const changePlan = (
  subscription: Subscription,
  data: Lifecycle<'subscription.plan_changed'>['data'],
): Subscription => {
  const { terms, proration, period_start: start, period_end: end } = data;
  const { period, announced } = subscription;
  return {
    ...subscription,
    ...pricedByChange(subscription, data),
    terms,
    period: { start, end },
    anchorDay: start === period.start ? subscription.anchorDay : readAnchorDay(start),
    cancelAt: moved(subscription, subscription.cancelAt, end),
    pause: movedPause(subscription, end),
    pendingLines:
      proration.applied === 'next_renewal'
        ? [...subscription.pendingLines, ...proration.lines]
        : subscription.pendingLines,
    announced: { ...announced, renewalUpcoming: announced.renewalUpcoming && end === period.end },
  };
};

const resumed = (
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
    trialEnd: trialing ? data.period_end : earlierOf(subscription.trialEnd, data.period_start),
    pause: { kind: 'none' },
  };
};

const cancellationOf = ({ reason, feedback, comment }: Cancellation): Cancellation => ({
  reason,
  feedback,
  comment,
});

/** Ends the trial early if a paid period begins before its end. */
const earlierOf = (trialEnd: Instant | null, periodStart: Instant): Instant | null =>
  trialEnd === null || trialEnd <= periodStart ? trialEnd : periodStart;

const ended = (subscription: Subscription): Subscription => ({
  ...subscription,
  cancelAt: null,
  pastDueSince: null,
  open: {},
  pause: { kind: 'none' },
  pendingLines: [],
});

/** Reopens an ended subscription. A period that continues keeps its anchor day. */
const reopen = (subscription: Subscription, data: BegunPeriod): Subscription => ({
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

export const requireSubscription = (
  { subscriptions }: { readonly subscriptions: Subscriptions },
  id: string,
): Subscription => {
  const subscription = subscriptions[id];
  if (subscription !== undefined) return subscription;
  throw new DomainError('resource_not_found', 'No such subscription.', {
    param: 'subscriptionId',
    details: { resource: 'subscription' },
  });
};

/** Returns the period that starts at an instant. An earlier period may have set `anchorDay`. */
export const periodFrom = (
  terms: PlanTerms,
  start: Instant,
  anchorDay = readAnchorDay(start),
): Period => ({
  start,
  end: computePeriodEnd(start, { unit: terms.interval, count: terms.interval_count }, anchorDay),
});
