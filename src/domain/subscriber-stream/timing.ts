import { earlier, type Instant } from '../../kernel/time';
import { type Credits, findNextExpiry } from '../billing/credit.decider';
import { findNextRunExpiry, type Runs } from '../motions/run.decider';
import type { Profile } from '../subscribers/subscriber.decider';
import type { Subscriptions } from '../billing/subscription';
import {
  compareByFiring,
  isStale,
  type SubscriptionTimer,
  listTimers,
} from '../billing/subscription-timers';
import { findNextAutoClose, type Tickets } from '../tickets/ticket.decider';

/**
 * The slices of a subscriber that have timers. The timers fire in order (`subscriber-timers.ts`).
 * The `timers` role wakes the subscriber at `findNextDue` of the state after the last event.
 */
interface State {
  readonly profile: Profile;
  readonly subscriptions: Subscriptions;
  readonly credits: Credits;
  readonly tickets: Tickets;
  readonly runs: Runs;
}

export const findSubscriptionTimer = (
  { subscriptions }: State,
  now: Instant,
): SubscriptionTimer | undefined =>
  Object.values(subscriptions)
    .flatMap((subscription) =>
      listTimers(subscription).filter((timer) => !isStale(timer, subscription, now)),
    )
    .sort(compareByFiring)[0];

/** Returns the instant of the next timer, or null. */
export const findNextDue = (state: State, now: Instant): Instant | null => {
  if (state.profile.status !== 'known') return null;
  const dues = [
    findSubscriptionTimer(state, now)?.due ?? null,
    findNextExpiry(state.credits)?.expires_at ?? null,
    findNextRunExpiry(state.runs)?.expires_at ?? null,
    findNextAutoClose(state.tickets)?.auto_close_at ?? null,
  ].filter((due) => due !== null);
  return dues.length === 0 ? null : dues.reduce(earlier);
};
