import { type Instant, plusMs } from '../../kernel/time';

/** Events per second to a destination that has not told otherwise yet. */
export const RATE_UNKNOWN = 500;
const LONGEST_ESTIMATE_S = 366 * 24 * 3_600;

interface Rates {
  /** Of the last replay to the destination; null where there was none. */
  readonly recent: number | null;
  readonly destinationLimit: number | null;
  readonly jobLimit: number | null;
}

/** D-104: what the destination took lately, within what it and the job allow. Events per second. */
export const startingRate = ({ recent, destinationLimit, jobLimit }: Rates): number =>
  Math.min(recent ?? RATE_UNKNOWN, destinationLimit ?? Infinity, jobLimit ?? Infinity);

interface Remaining {
  readonly now: Instant;
  readonly pending: number;
  readonly waitSeconds: number;
  readonly ratePerSecond: number;
}

export const completionAt = ({ now, pending, waitSeconds, ratePerSecond }: Remaining): Instant => {
  const seconds = waitSeconds + pending / Math.max(ratePerSecond, 0.001);
  return plusMs(now, Math.min(seconds, LONGEST_ESTIMATE_S) * 1_000);
};
