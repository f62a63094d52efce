import type { Instant } from '../../kernel/time';
import type { SubscriptionStatus } from './subscription.events';
import { monthlyPrice } from './ending';
import { isRunning } from './primary';
import type { Subscription, Subscriptions } from './subscription.decider';

/** What every event remembers of each running subscription: what metrics compare (decisions 1.9). */
export type SubscriptionSummary = {
  readonly id: string;
  readonly status: SubscriptionStatus;
  readonly past_due: boolean;
  /** A trial that has not become a paid subscription, also while it is paused. */
  readonly trial: boolean;
  readonly trial_end: Instant | null;
  /** Monthly-normalised price (D-72); 0 unless active. */
  readonly mrr: number;
  readonly currency: string;
};

export const summarise = (subscriptions: Subscriptions): SubscriptionSummary[] =>
  Object.values(subscriptions).filter(isRunning).map(summary);

const summary = (subscription: Subscription): SubscriptionSummary => ({
  id: subscription.id,
  status: subscription.status,
  past_due: subscription.pastDueSince !== null,
  trial: isTrial(subscription),
  trial_end: subscription.trialEnd,
  mrr: subscription.status === 'active' ? monthlyPrice(subscription, subscription.period.start) : 0,
  currency: subscription.terms.currency,
});

const isTrial = ({ status, pause }: Subscription): boolean =>
  status === 'trialing' || (pause.kind === 'in_effect' && pause.wasTrialing);
