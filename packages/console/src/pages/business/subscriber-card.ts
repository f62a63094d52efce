import type { Subscriber, Subscription } from '@subscription-event-service/sdk';

/** A subscriber together with all their subscriptions, as the page shows them. */
export interface SubscriberCard {
  readonly subscriber: Subscriber;
  readonly subscriptions: readonly Subscription[];
}
