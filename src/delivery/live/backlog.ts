import { toMillis } from '../../kernel/time';
import type { Work } from '../journal/work';
import type { Lanes } from '../schedule/lanes';

/** The deliveries that wait at one destination. */
export interface Backlog {
  readonly ready: number;
  readonly retrying: number;
  /** The time at which the oldest event was stored, in Unix milliseconds; null if nothing waits. */
  readonly oldestAtMs: number | null;
  /** True if the receiver keeps failing, so that only probes are sent. */
  readonly isProbing: boolean;
}

/** The backlog of a destination of this process. */
export interface DestinationBacklog extends Backlog {
  readonly destinationId: string;
}

/** Counts the deliveries in the lanes. It is called when metrics are read. */
export const countBacklog = (lanes: Lanes<Work>, nowMs: number, isProbing: boolean): Backlog => {
  let retrying = 0;
  let oldestAtMs: number | null = null;
  for (const { notBeforeMs, event, createdAt } of lanes.all()) {
    if (notBeforeMs > nowMs) retrying += 1;
    const atMs = event?.storedAtMs ?? toMillis(createdAt);
    if (oldestAtMs === null || atMs < oldestAtMs) oldestAtMs = atMs;
  }
  return { ready: lanes.size - retrying, retrying, oldestAtMs, isProbing };
};
