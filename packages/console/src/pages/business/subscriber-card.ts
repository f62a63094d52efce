import type { Subscriber, Subscription } from '@subscription-event-service/sdk';

/** A subscriber with all their subscriptions, for the page. */
export interface SubscriberCard {
  readonly subscriber: Subscriber;
  readonly subscriptions: readonly Subscription[];
}
