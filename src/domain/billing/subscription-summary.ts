import type { Instant } from '../../kernel/time';
import type { SubscriptionStatus } from './subscription.events';
import { computeMonthlyPrice } from './ending';
import { isRunning } from './primary';
import type { Subscription, Subscriptions } from './subscription';

/** The summary of a running subscription that every event stores, for metrics (D-70 to D-77). */
export type SubscriptionSummary = {
  readonly id: string;
  readonly status: SubscriptionStatus;
  readonly past_due: boolean;
  /** True for a trial that has not become a paid subscription, also while it is paused. */
  readonly trial: boolean;
  readonly trial_end: Instant | null;
  /** Price normalised to a month (D-72). 0 unless the subscription is active. */
  readonly mrr: number;
  readonly currency: string;
};

export const summariseSubscriptions = (subscriptions: Subscriptions): SubscriptionSummary[] =>
  Object.values(subscriptions).filter(isRunning).map(createSummary);

const createSummary = (subscription: Subscription): SubscriptionSummary => ({
  id: subscription.id,
  status: subscription.status,
  past_due: subscription.pastDueSince !== null,
  trial: isTrial(subscription),
  trial_end: subscription.trialEnd,
  mrr:
    subscription.status === 'active'
      ? computeMonthlyPrice(subscription, subscription.period.start)
      : 0,
  currency: subscription.terms.currency,
});

const isTrial = ({ status, pause }: Subscription): boolean =>
  status === 'trialing' || (pause.kind === 'in_effect' && pause.wasTrialing);
