import type { CommandDraft } from '../../kernel/draft';
import { earlier, type Instant, later } from '../../kernel/time';
import { expireCredit, findNextExpiry } from '../billing/credit.decider';
import { expireRun, findNextRunExpiry } from '../motions/run.decider';
import type { Subscriber, SubscriberStreamFact } from './subscriber.aggregate';
import { fireTimer } from '../billing/subscription-timers';
import type { BillingEffects } from '../billing/billing-effects';
import { closeTicketByTimer, findNextAutoClose } from '../tickets/ticket.decider';
import { findNextDue, findSubscriptionTimer } from './timing';

/** More timers than any catch-up fires. The limit stops a timer that would fire for ever. */
const FIRED_MAX = 100_000;

type SubscriberDraft = CommandDraft<Subscriber, SubscriberStreamFact>;

/** Checks a test clock's subscriber while its time advances, and may add events. */
export interface ClockWatcher {
  /** The previous time of the clock. Everything up to it has been checked. */
  readonly since: Instant;
  /** Returns the next instant to check, which may be the draft's own time. Null means none. */
  findNextCheck(draft: SubscriberDraft): Instant | null;
  check(draft: SubscriberDraft): Promise<void>;
}

/** Makes a watcher for each draft. A conflict starts again with a new draft and a new watcher. */
export type CreateClockWatcher = () => ClockWatcher;

/**
 * Fires all timers of a subscriber that are due until `until`, in order. Under a test clock the
 * time moves from timer to timer, so that events carry simulated instants, and a watcher checks the
 * subscriber on the way. Otherwise missed timers fire now, and only their periods lie in the past.
 */
export const fireDueTimers = async (
  draft: SubscriberDraft,
  effects: BillingEffects,
  until: Instant,
  watch?: CreateClockWatcher,
): Promise<void> => {
  const { profile, changedAt } = draft.state;
  if (profile.status !== 'known') return;
  const simulated = profile.testClock !== null;
  const watcher = watch?.();
  if (simulated && changedAt !== null) draft.moveTo(later(changedAt, watcher?.since ?? changedAt));
  const system: BillingEffects = { ...effects, actor: 'system', motionRunId: null };
  for (let fired = 0; fired < FIRED_MAX; fired += 1) {
    const due = findNextDue(draft.state, draft.now);
    const watched = watcher?.findNextCheck(draft) ?? null;
    const next = chooseEarlier(due, watched);
    if (next === null || next > until) {
      draft.moveTo(until);
      return;
    }
    // Moves by time alone come before the timers of the same instant; all those timers share one
    // check.
    const looks = next === watched && (due === null || due > draft.now);
    draft.moveTo(simulated ? later(next, draft.now) : until);
    await (looks ? watcher?.check(draft) : fireNextTimer(draft, system));
  }
  throw new Error('the timers of a subscriber fire without end');
};

const chooseEarlier = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? (a ?? b) : earlier(a, b);

const fireNextTimer = async (draft: SubscriberDraft, effects: BillingEffects): Promise<void> => {
  const before = draft.facts.length;
  const run = findNextRunExpiry(draft.state.runs);
  if (run !== null && run.expires_at <= (findNextDue(draft.state, draft.now) ?? run.expires_at)) {
    expireRun(draft, run);
    return;
  }
  const ticket = findNextAutoClose(draft.state.tickets);
  if (ticket !== null && ticket.auto_close_at === findNextDue(draft.state, draft.now)) {
    draft.add(...closeTicketByTimer(ticket, draft.now));
    return;
  }
  const credit = findNextExpiry(draft.state.credits);
  const timer = findSubscriptionTimer(draft.state, draft.now);
  const expires = credit?.expires_at ?? null;
  // Credits expire before a renewal of the same instant could use them.
  if (credit !== null && expires !== null && (timer === undefined || expires <= timer.due)) {
    expireCredit(draft, credit);
  } else if (timer !== undefined) {
    await fireTimer(draft, effects, timer);
  }
  if (draft.facts.length === before)
    throw new Error(`the timer ${timer?.name ?? 'of credits'} changes nothing`);
};
