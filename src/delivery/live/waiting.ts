import { toMillis } from '../../kernel/time';
import type { Work } from '../journal/work';
import type { Lanes } from '../schedule/lanes';

/** What waits at one destination. */
export interface WaitingDeliveries {
  readonly ready: number;
  readonly retrying: number;
  /** When the oldest event was stored, in Unix milliseconds; null where nothing waits. */
  readonly oldestAtMs: number | null;
  /** The receiver keeps failing, so that it is only probed. */
  readonly isProbing: boolean;
}

/** Counts what waits in the lanes; called when the metrics are read. */
export const waitingIn = (
  lanes: Lanes<Work>,
  nowMs: number,
  isProbing: boolean,
): WaitingDeliveries => {
  let retrying = 0;
  let oldestAtMs: number | null = null;
  for (const { notBeforeMs, event, createdAt } of lanes.all()) {
    if (notBeforeMs > nowMs) retrying += 1;
    const atMs = event?.storedAtMs ?? toMillis(createdAt);
    if (oldestAtMs === null || atMs < oldestAtMs) oldestAtMs = atMs;
  }
  return { ready: lanes.size - retrying, retrying, oldestAtMs, isProbing };
};
