/** Limits that depend on how many destinations there are. */

/**
 * Limits of unacknowledged messages: for one destination, and for the process, which bounds its
 * memory.
 */
const OUTSTANDING_MAX = 1_000;
const OUTSTANDING_MIN = 100;
const OUTSTANDING_PER_PROCESS = 50_000;
/**
 * Pause before subscribing again to a group that another process owns. It grows with the number of
 * destinations.
 */
const STANDBY_RETRY_MS = 1_000;
const STANDBY_RETRY_MS_PER_DESTINATION = 5;
/** Pause after something failed that is not the receiver's fault. Add jitter. */
export const PAUSE_AFTER_FAILURE_MS = 5_000;
const RESUME_WITHIN_MS_MAX = 10_000;
const RESUME_WITHIN_MS_PER_DESTINATION = 100;

/** Returns how many messages of one destination may be unacknowledged. */
export const limitOutstanding = (destinations: number): number => {
  const share = Math.floor(OUTSTANDING_PER_PROCESS / destinations);
  return Math.min(OUTSTANDING_MAX, Math.max(OUTSTANDING_MIN, share));
};

/** Returns how long to wait before trying again to own a destination that another process owns. */
export const computeStandbyRetryMs = (destinations: number): number =>
  addJitter(STANDBY_RETRY_MS + STANDBY_RETRY_MS_PER_DESTINATION * destinations);

/** Returns the time within which the retries of failing receivers are spread after a start. */
export const resumeWithinMs = (destinations: number): number =>
  Math.min(RESUME_WITHIN_MS_MAX, RESUME_WITHIN_MS_PER_DESTINATION * destinations);

/**
 * Returns a random duration between 0.5 and 1.5 times the given one, so that many destinations do
 * not retry in step.
 */
export const addJitter = (ms: number): number => ms * (0.5 + Math.random());
