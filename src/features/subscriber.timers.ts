import type { Drafting } from '../kernel/draft';
import { type Instant, later } from '../kernel/time';
import { expireCredit, nextExpiry } from './credits/credit.decider';
import { expire, nextRunExpiry } from './motions/run.decider';
import type { Subscriber, SubscriberStreamFact } from './subscriber.aggregate';
import { fire } from './subscriptions/timing.decider';
import type { World } from './subscriptions/world.decider';
import { autoClose, nextAutoClose } from './tickets/ticket.decider';
import { dueOf, subscriptionTimer } from './timing.decider';

/** More than any catch-up has: a timer that changes nothing would fire for ever. */
const FIRED_MAX = 100_000;

/**
 * Brings a subscriber up to date: every timer due until `until`, in order. Under a test clock time
 * moves from timer to timer, so that facts carry simulated instants; otherwise what was missed
 * happens now, and only the periods it is about lie in the past.
 */
export const catchUp = async (
  draft: Drafting<Subscriber, SubscriberStreamFact>,
  world: World,
  until: Instant,
): Promise<void> => {
  const { profile, changedAt } = draft.state;
  if (profile.status !== 'known') return;
  const simulated = profile.testClock !== null;
  if (simulated && changedAt !== null) draft.moveTo(changedAt);
  const system: World = { ...world, actor: 'system', motionRunId: null };
  for (let fired = 0; fired < FIRED_MAX; fired += 1) {
    const due = dueOf(draft.state, draft.now);
    if (due === null || due > until) {
      draft.moveTo(until);
      return;
    }
    draft.moveTo(simulated ? later(due, draft.now) : until);
    await fireNext(draft, system);
  }
  throw new Error('timers fire without end');
};

const fireNext = async (
  draft: Drafting<Subscriber, SubscriberStreamFact>,
  world: World,
): Promise<void> => {
  const before = draft.facts.length;
  const run = nextRunExpiry(draft.state.runs);
  if (run !== null && run.expires_at <= (dueOf(draft.state, draft.now) ?? run.expires_at)) {
    expire(draft, run);
    return;
  }
  const ticket = nextAutoClose(draft.state.tickets);
  if (ticket !== null && ticket.auto_close_at === dueOf(draft.state, draft.now)) {
    draft.add(...autoClose(ticket, draft.now));
    return;
  }
  const credit = nextExpiry(draft.state.credits);
  const timer = subscriptionTimer(draft.state, draft.now);
  const expires = credit?.expires_at ?? null;
  // Credits expire before the renewal of the same instant could use them.
  if (credit !== null && expires !== null && (timer === undefined || expires <= timer.due)) {
    expireCredit(draft, credit);
  } else if (timer !== undefined) {
    await fire(draft, world, timer);
  }
  if (draft.facts.length === before) throw new Error(`timer ${timer?.name ?? ''} changes nothing`);
};
