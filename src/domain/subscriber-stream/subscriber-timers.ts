import type { CommandDraft } from '../../kernel/draft';
import { earlier, type Instant, later } from '../../kernel/time';
import { expireCredit, nextExpiry } from '../billing/credit.decider';
import { expire, nextRunExpiry } from '../motions/run.decider';
import type { Subscriber, SubscriberStreamFact } from './subscriber.aggregate';
import { fire } from '../billing/subscription-timers';
import type { World } from '../billing/billing-effects';
import { autoClose, nextAutoClose } from '../tickets/ticket.decider';
import { dueOf, subscriptionTimer } from './timing';

/** More timers than any catch-up fires. The limit stops a timer that would fire for ever. */
const FIRED_MAX = 100_000;

type SubscriberDraft = CommandDraft<Subscriber, SubscriberStreamFact>;

/** Checks a test clock's subscriber while its time advances, and may add events. */
export interface Watcher {
  /** The previous time of the clock. Everything up to it has been checked. */
  readonly since: Instant;
  /** Returns the next instant to check, which may be the draft's own time. Null means none. */
  next(draft: SubscriberDraft): Instant | null;
  look(draft: SubscriberDraft): Promise<void>;
}

/** Makes a watcher for each draft. A conflict starts again with a new draft and a new watcher. */
export type Watch = () => Watcher;

/**
 * Fires all timers of a subscriber that are due until `until`, in order. Under a test clock the
 * time moves from timer to timer, so that events carry simulated instants, and a watcher checks the
 * subscriber on the way. Otherwise missed timers fire now, and only their periods lie in the past.
 */
export const catchUp = async (
  draft: SubscriberDraft,
  world: World,
  until: Instant,
  watch?: Watch,
): Promise<void> => {
  const { profile, changedAt } = draft.state;
  if (profile.status !== 'known') return;
  const simulated = profile.testClock !== null;
  const watcher = watch?.();
  if (simulated && changedAt !== null) draft.moveTo(later(changedAt, watcher?.since ?? changedAt));
  const system: World = { ...world, actor: 'system', motionRunId: null };
  for (let fired = 0; fired < FIRED_MAX; fired += 1) {
    const due = dueOf(draft.state, draft.now);
    const watched = watcher?.next(draft) ?? null;
    const next = first(due, watched);
    if (next === null || next > until) {
      draft.moveTo(until);
      return;
    }
    // Moves by time alone come before the timers of the same instant; all those timers share one
    // check.
    const looks = next === watched && (due === null || due > draft.now);
    draft.moveTo(simulated ? later(next, draft.now) : until);
    await (looks ? watcher?.look(draft) : fireNext(draft, system));
  }
  throw new Error('timers fire without end');
};

const first = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? (a ?? b) : earlier(a, b);

const fireNext = async (draft: SubscriberDraft, world: World): Promise<void> => {
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
  // Credits expire before a renewal of the same instant could use them.
  if (credit !== null && expires !== null && (timer === undefined || expires <= timer.due)) {
    expireCredit(draft, credit);
  } else if (timer !== undefined) {
    await fire(draft, world, timer);
  }
  if (draft.facts.length === before) throw new Error(`timer ${timer?.name ?? ''} changes nothing`);
};
