/** Limits that depend on how many destinations there are. */

/** Messages that are not acked yet: of one destination, and of the whole process to bound its memory. */
const OUTSTANDING_MAX = 1_000;
const OUTSTANDING_MIN = 100;
const OUTSTANDING_OF_ALL = 50_000;
/** A place that another process has is asked for again after this, and a little later for each of many. */
const STAND_BY_MS = 1_000;
const STAND_BY_MS_EACH = 5;
const RESUMES_WITHIN_MS = 10_000;
const RESUMES_WITHIN_MS_EACH = 100;

/** How many messages of one destination may be outstanding. */
export const outstandingMax = (destinations: number): number => {
  const share = Math.floor(OUTSTANDING_OF_ALL / destinations);
  return Math.min(OUTSTANDING_MAX, Math.max(OUTSTANDING_MIN, share));
};

/** How long to wait before asking for a destination that another process delivers to. */
export const standByMs = (destinations: number): number =>
  spread(STAND_BY_MS + STAND_BY_MS_EACH * destinations);

/** Within this time after a start, retries of many destinations that are failing are spread. */
export const resumesWithinMs = (destinations: number): number =>
  Math.min(RESUMES_WITHIN_MS, RESUMES_WITHIN_MS_EACH * destinations);

/** Half as long to one and a half times as long, so that many destinations do not come back in step. */
export const spread = (ms: number): number => ms * (0.5 + Math.random());
