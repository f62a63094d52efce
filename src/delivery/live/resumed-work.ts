import type { RecoveredState } from '../journal/recovery';
import type { Work } from '../journal/work';
import type { Destinations } from '../model/destination';
import { resumeWithinMs } from './many-destinations';

/**
 * Returns the deliveries that earlier sessions left waiting. After a start, all retries of failing
 * receivers may be overdue at once. They are spread over some time, so that they do not delay API
 * requests and the deliveries to working receivers.
 */
export const createResumedWork = (
  found: RecoveredState,
  nowMs: number,
  destinations: Destinations,
): Work[] =>
  found.pending.map((delivery) => {
    const isSpread = found.failure !== null && delivery.attempts > 0;
    const earliestMs = isSpread
      ? nowMs + Math.random() * resumeWithinMs(destinations.listActive().length)
      : 0;
    const notBeforeMs = Math.max(delivery.notBeforeMs, earliestMs);
    return { ...delivery, notBeforeMs, event: null, journalled: true };
  });

/** A delivery that is due again within this time keeps its event in memory. Others read it again. */
const KEEP_EVENT_MS = 10_000;

/** Returns what waits for its retry: its outcome is being journalled. */
export const createRetry = (work: Work, dueMs: number, nowMs: number): Work => ({
  ...work,
  notBeforeMs: dueMs,
  journalled: true,
  event: dueMs - nowMs <= KEEP_EVENT_MS ? work.event : null,
});
