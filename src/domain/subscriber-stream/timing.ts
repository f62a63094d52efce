import { earlier, type Instant } from '../../kernel/time';
import { type Credits, nextExpiry } from '../billing/credit.decider';
import { nextRunExpiry, type Runs } from '../motions/run.decider';
import type { Profile } from '../subscribers/subscriber.decider';
import type { Subscriptions } from '../billing/subscription.decider';
import {
  inFiringOrder,
  isStale,
  type SubscriptionTimer,
  timersOf,
} from '../billing/subscription-timers';
import { nextAutoClose, type Tickets } from '../tickets/ticket.decider';

/**
 * The slices of a subscriber that have timers. The timers fire in order (`subscriber-timers.ts`).
 * The `timers` role wakes the subscriber at `dueOf` of the state after the last event.
 */
interface State {
  readonly profile: Profile;
  readonly subscriptions: Subscriptions;
  readonly credits: Credits;
  readonly tickets: Tickets;
  readonly runs: Runs;
}

export const subscriptionTimer = (
  { subscriptions }: State,
  now: Instant,
): SubscriptionTimer | undefined =>
  Object.values(subscriptions)
    .flatMap((subscription) =>
      timersOf(subscription).filter((timer) => !isStale(timer, subscription, now)),
    )
    .sort(inFiringOrder)[0];

/** Returns the instant of the next timer, or null. */
export const dueOf = (state: State, now: Instant): Instant | null => {
  if (state.profile.status !== 'known') return null;
  const dues = [
    subscriptionTimer(state, now)?.due ?? null,
    nextExpiry(state.credits)?.expires_at ?? null,
    nextRunExpiry(state.runs)?.expires_at ?? null,
    nextAutoClose(state.tickets)?.auto_close_at ?? null,
  ].filter((due) => due !== null);
  return dues.length === 0 ? null : dues.reduce(earlier);
};
