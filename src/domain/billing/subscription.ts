import { notFound } from '../../kernel/errors';
import type { MinorUnits } from '../../kernel/money';
import { computePeriodEnd, readAnchorDay } from '../../kernel/period';
import type { Instant } from '../../kernel/time';
import type { PlanTerms } from '../plans/plan.events';
import type { Line, Payment, PaymentMethod } from './payment.events';
import type { ChargedPeriod } from './pricing';
import type {
  CancellationFeedback,
  Discount,
  EndReason,
  SubscriptionStatus,
} from './subscription.events';

export interface Period {
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * A pause that starts at the end of the period, or a pause in effect with the time that it froze.
 */
export type Pause =
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
export interface SentNotices {
  readonly trialWillEnd: boolean;
  readonly renewalUpcoming: boolean;
  readonly methodExpiring: boolean;
}

export const NO_NOTICES: SentNotices = {
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
  /** The period and price that the payment after a trial charges, until that period begins. */
  readonly trialPayment: ChargedPeriod | null;
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
  readonly openPayments: Readonly<Record<string, Payment>>;
  readonly pause: Pause;
  /** Proration lines that wait for the next renewal (D-11). */
  readonly pendingLines: readonly Line[];
  /** The newest discount comes first. */
  readonly discounts: readonly Discount[];
  readonly renewalCount: number;
  readonly announced: SentNotices;
  readonly createdAt: Instant;
}

/** The subscriber's subscriptions by id. */
export type Subscriptions = Readonly<Record<string, Subscription>>;

export const noSubscriptions: Subscriptions = {};

export const requireSubscription = (
  { subscriptions }: { readonly subscriptions: Subscriptions },
  id: string,
): Subscription => {
  const subscription = subscriptions[id];
  if (subscription !== undefined) return subscription;
  throw notFound('subscription', 'subscriptionId');
};

/** Returns the period that starts at an instant. An earlier period may have set `anchorDay`. */
export const computePeriod = (
  terms: PlanTerms,
  start: Instant,
  anchorDay = readAnchorDay(start),
): Period => ({
  start,
  end: computePeriodEnd(start, { unit: terms.interval, count: terms.interval_count }, anchorDay),
});
