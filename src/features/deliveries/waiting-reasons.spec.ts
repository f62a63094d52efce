import type { KnownDestination } from '../../domain/destinations/destination.decider';
import type { Instant } from '../../kernel/time';
import { explainWait, type WaitingFacts } from './waiting-reasons';

const NOW = '2026-03-10T12:00:00.000Z' as Instant;
const EARLIER = '2026-03-10T11:59:00.000Z' as Instant;
const LATER = '2026-03-10T12:01:00.000Z' as Instant;

const failed: WaitingFacts = {
  destination_id: 'dest_1',
  subscriber_id: 'sub_1',
  sequence: 7,
  status: 'pending',
  live_attempts: 1,
  last_attempt_at: EARLIER,
  next_attempt_at: LATER,
  retry_requested_at: null,
};
const unattempted = { ...failed, live_attempts: 0, last_attempt_at: null };

const explain = (
  delivery: WaitingFacts,
  {
    ordering = 'relaxed',
    oldest = 7,
    failing = 1,
    active_since = '2026-03-10T11:00:00.000Z',
  }: { ordering?: string; oldest?: number; failing?: number; active_since?: string } = {},
): string | null =>
  explainWait(delivery, {
    destination: { ordering, active_since } as KnownDestination,
    row: { id: 'dest_1', failing, oldest: { sub_1: oldest } },
    now: NOW,
  });

describe('the reason why a delivery waits', () => {
  it('is the destination if that is not active, or down and only probed', () => {
    const destination = { ordering: 'relaxed' } as KnownDestination;
    expect(explainWait(failed, { destination, row: undefined, now: NOW })).toBe('destination');
    expect(explain(failed, { failing: 10 })).toBe('destination');
    expect(explain(failed, { failing: 9 })).toBe('retry');
  });

  it('is the retry until it is due', () => {
    expect(explain(failed)).toBe('retry');
    expect(explain({ ...failed, next_attempt_at: EARLIER })).toBeNull();
    expect(explain({ ...failed, next_attempt_at: null })).toBeNull();
  });

  it('is not the retry if the destination was enabled since, or a retry was requested', () => {
    expect(explain(failed, { active_since: NOW })).toBeNull();
    expect(explain({ ...failed, retry_requested_at: EARLIER })).toBeNull();
  });

  it('is an earlier event while that holds the delivery', () => {
    expect(explain(unattempted, { oldest: 6 })).toBe('earlier_event');
    expect(explain({ ...unattempted, next_attempt_at: null }, { oldest: 6 })).toBe('earlier_event');
    expect(explain(unattempted, { oldest: 7 })).toBeNull();
  });

  it('is an earlier event for 5 minutes only, unless the order is strict', () => {
    const held = { ...unattempted, next_attempt_at: EARLIER };
    expect(explain(held, { oldest: 6 })).toBeNull();
    expect(explain(held, { oldest: 6, ordering: 'strict' })).toBe('earlier_event');
    expect(explain(failed, { oldest: 6 })).toBe('retry');
    expect(explain(failed, { oldest: 6, ordering: 'strict' })).toBe('earlier_event');
  });
});
