import type { Schedule } from './backoff';

/**
 * All policies by which the service tries again what failed. A schedule ends; a growing wait has no
 * end, because its work must be done. Collecting a payment again is a setting of the tenant.
 */

const HOUR_S = 3_600;

/** The seconds before each attempt, unless the configuration replaces them. */
export const SCHEDULES = {
  /** Deliveries and alerts of the live environment: ten attempts within about three days (D-61). */
  live: [
    0,
    5,
    300,
    1_800,
    2 * HOUR_S,
    5 * HOUR_S,
    10 * HOUR_S,
    14 * HOUR_S,
    20 * HOUR_S,
    24 * HOUR_S,
  ],
  /** Deliveries of the test environment. */
  test: [0, 30, 300],
  /** Deliveries of the demo. The waits are short, so that the demo does not take minutes. */
  demo: [0, 1, 5],
  /** Deliveries of a replay. */
  replay: [0, 30, 300],
} as const satisfies Readonly<Record<string, Schedule>>;

/** A wait that doubles with every failure in a row. */
export interface GrowingWait {
  readonly firstMs: number;
  readonly longestMs: number;
}

export const GROWING_WAITS = {
  /** The wait before a broken subscription to the event store is opened again. */
  subscription: { firstMs: 100, longestMs: 5_000 },
  /**
   * The time limit for the confirmation of a subscription to the event store. A server that starts
   * may drop the call.
   */
  confirmation: { firstMs: 3_000, longestMs: 30_000 },
  /**
   * The time limit for the response to an administrative call to the event store. After the longest
   * one the call fails.
   */
  administrativeCall: { firstMs: 3_000, longestMs: 30_000 },
  /** The wait before outcomes of deliveries that could not be written are written again. */
  journal: { firstMs: 1_000, longestMs: 8_000 },
  /**
   * The wait before a process that ended soon after its start is started again. A process that ran
   * for long is started again at once.
   */
  process: { firstMs: 500, longestMs: 10_000 },
} as const satisfies Readonly<Record<string, GrowingWait>>;

/** Returns the wait after one more failure. */
export const growWait = ({ longestMs }: GrowingWait, ms: number): number =>
  Math.min(ms * 2, longestMs);

/**
 * An append without a response is searched in the stream and repeated, with `pauseMs` between two
 * attempts, until `forMs` have passed.
 */
export const APPEND_RETRY = { pauseMs: 100, forMs: 12_000 } as const;

/**
 * A decision that lost against another append is made again on the new state, at most
 * `conflictsMax` times.
 * The pause is random and grows with each conflict after `freeConflicts`.
 */
export const CONFLICT_RETRY = { conflictsMax: 100, freeConflicts: 2, pauseMs: 5 } as const;
