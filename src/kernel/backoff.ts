/**
 * Delays in seconds before attempts 1, 2, 3 … of one delivery (D-61). The first is usually 0.
 * There are as many attempts as delays.
 */
export type Schedule = readonly number[];

/** Jitter of ±10 % (D-61), so that a receiver that works again is not flooded at one instant. */
const JITTER = 0.1;

/**
 * Returns the milliseconds to wait after `attemptsMade` failed attempts, or null if the schedule is
 * used up. `chance` is in [0, 1).
 */
export const computeDelayMs = (
  schedule: Schedule,
  attemptsMade: number,
  chance: number,
): number | null => {
  const seconds = schedule[attemptsMade];
  if (seconds === undefined) return null;
  return Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * chance));
};
