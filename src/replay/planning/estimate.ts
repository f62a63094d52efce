import { type Instant, later, plusMs } from '../../kernel/time';

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
  /** The time of the last progress, or the start; null before the start. */
  readonly progressedAt: Instant | null;
  readonly pending: number;
  readonly waitSeconds: number;
  readonly ratePerSecond: number;
  /** The seconds before each attempt of a replayed event (`REPLAY_RETRY_SCHEDULE`). */
  readonly retrySchedule: readonly number[];
}

/**
 * Estimates the end by the rate. If the rate says that the pending events should have ended by now,
 * they wait for their retries, and the end is that of the retry schedule.
 */
export const estimateCompletion = ({
  now,
  progressedAt,
  pending,
  waitSeconds,
  ratePerSecond,
  retrySchedule,
}: RemainingWork): Instant => {
  const seconds = waitSeconds + pending / Math.max(ratePerSecond, 0.001);
  const sendingMs = Math.min(seconds, LONGEST_ESTIMATE_S) * 1_000;
  const byRate = plusMs(now, sendingMs);
  if (progressedAt === null || plusMs(progressedAt, sendingMs) > now) return byRate;
  const retriesSeconds = retrySchedule.reduce((sum, wait) => sum + wait, 0);
  return later(byRate, plusMs(progressedAt, retriesSeconds * 1_000));
};
