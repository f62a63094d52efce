import { type Instant, plusMs } from '../../kernel/time';

/** Assumed events per second of a destination without an earlier replay. */
export const DEFAULT_RATE_PER_SECOND = 500;
const LONGEST_ESTIMATE_S = 366 * 24 * 3_600;

interface KnownRates {
  /** Rate of the last replay to the destination; null if there was none. */
  readonly recentRate: number | null;
  readonly destinationLimit: number | null;
  readonly jobLimit: number | null;
}

/**
 * Estimates the events per second of a replay: the rate of the last one, within the limits of the
 * destination and the job (D-104).
 */
export const estimateRate = ({ recentRate, destinationLimit, jobLimit }: KnownRates): number =>
  Math.min(
    recentRate ?? DEFAULT_RATE_PER_SECOND,
    destinationLimit ?? Infinity,
    jobLimit ?? Infinity,
  );

interface RemainingWork {
  readonly now: Instant;
  readonly pending: number;
  readonly waitSeconds: number;
  readonly ratePerSecond: number;
}

export const estimateCompletion = ({
  now,
  pending,
  waitSeconds,
  ratePerSecond,
}: RemainingWork): Instant => {
  const seconds = waitSeconds + pending / Math.max(ratePerSecond, 0.001);
  return plusMs(now, Math.min(seconds, LONGEST_ESTIMATE_S) * 1_000);
};
