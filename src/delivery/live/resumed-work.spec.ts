import type { Instant } from '../../kernel/time';
import type { Destinations } from '../model/destination';
import type { PendingDelivery, RecoveredState } from '../journal/recovery';
import { createResumedWork } from './resumed-work';

const AT = '2026-01-01T00:00:00.000Z' as Instant;
const NOW_MS = Date.parse(AT);

const pending = (attempts: number, notBeforeMs: number): PendingDelivery => ({
  eventId: `evt_${attempts}`,
  eventType: 'subscription.activated',
  subscriberId: 'subscriber_1',
  sequence: 1,
  categoryRevision: 0,
  createdAt: AT,
  attempts,
  unscheduledAttempts: 0,
  firstSentAt: AT,
  notBeforeMs,
  heldUntilMs: 0,
});

const found = (isFailing: boolean, ...waiting: readonly PendingDelivery[]): RecoveredState => ({
  pending: waiting,
  requestedEnded: [],
  requestedPending: [],
  journalledTo: -1,
  failure: isFailing ? { since: AT, lastStatus: 500, lastError: null } : null,
  failing: [],
});

describe('deliveries that earlier sessions left waiting', () => {
  const dueAt = (state: RecoveredState): number[] => {
    const destinations = {
      listActive: () => Array.from({ length: 10 }),
    } as unknown as Destinations;
    return createResumedWork(state, NOW_MS, destinations).map(({ notBeforeMs }) => notBeforeMs);
  };

  it('are spread if they are overdue retries of a failing receiver', () => {
    const overdue = Array.from({ length: 100 }, () => pending(2, 0));
    const due = dueAt(found(true, ...overdue));
    expect(Math.min(...due)).toBeGreaterThanOrEqual(NOW_MS);
    expect(Math.max(...due)).toBeLessThanOrEqual(NOW_MS + 1_000);
    expect(new Set(due).size).toBeGreaterThan(50);
  });

  it('keep a later due time', () => {
    expect(dueAt(found(true, pending(2, NOW_MS + 5_000)))).toEqual([NOW_MS + 5_000]);
  });

  it.each([
    ['the receiver answers', found(false, pending(2, 0))],
    ['nothing was attempted yet', found(true, pending(0, 0))],
  ])('are due at once if %s', (_, state) => {
    expect(dueAt(state)).toEqual([0]);
  });
});
