import type { Subscription, Subscriptions } from './subscription';
import type { SubscriptionStatus } from './subscription.events';

/** Running subscriptions come first, then the newest (D-50). */
const PRIMARY_ORDER: readonly SubscriptionStatus[] = [
  'active',
  'trialing',
  'paused',
  'lapsed',
  'cancelled',
];

/** Returns the subscription that the subscriber's record shows. */
export const findPrimary = (subscriptions: Subscriptions): Subscription | null => {
  const ranked = Object.values(subscriptions).sort(
    (a, b) =>
      PRIMARY_ORDER.indexOf(a.status) - PRIMARY_ORDER.indexOf(b.status) ||
      (a.createdAt < b.createdAt ? 1 : -1),
  );
  return ranked[0] ?? null;
};

export const isRunning = ({ status }: Subscription): boolean =>
  status === 'active' || status === 'trialing' || status === 'paused';
