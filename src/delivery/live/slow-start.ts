import { resumeWithinMs } from './many-destinations';

/** Destinations that become due within this time are started in one round. */
const ROUND_MS = 100;

/**
 * The order in which destinations are started after a start of the process. Those that work start
 * at once. Those that were failing start one after another within the first seconds: their backlogs
 * are read and attempted in vain, which would delay the deliveries and API requests of others while
 * the process warms up. Pure: the monotonic clock and the randomness are inputs.
 */
export class SlowStart {
  /** The time from which each failing destination may start, on the monotonic clock. */
  private readonly startsAtMs = new Map<string, number>();

  /**
   * `failing` has the ids of the destinations whose last attempt failed. `random` returns a number
   * in [0, 1): the order is random, so that no tenant is always the last.
   */
  constructor(failing: readonly string[], nowMs: number, random: () => number) {
    const stepMs = failing.length === 0 ? 0 : resumeWithinMs(failing.length) / failing.length;
    failing
      .map((id) => ({ id, order: random() }))
      .sort((a, b) => a.order - b.order)
      .forEach(({ id }, i) => this.startsAtMs.set(id, nowMs + (i + 1) * stepMs));
  }

  /** True if the destination may start. From then on it is not delayed again. */
  admits(destinationId: string, nowMs: number): boolean {
    const startsAtMs = this.startsAtMs.get(destinationId);
    if (startsAtMs === undefined) return true;
    if (nowMs < startsAtMs) return false;
    this.startsAtMs.delete(destinationId);
    return true;
  }

  /** Returns the milliseconds until another destination may start; null if none waits. */
  msUntilNext(nowMs: number): number | null {
    let next: number | null = null;
    for (const startsAtMs of this.startsAtMs.values()) {
      if (startsAtMs > nowMs) next = Math.min(next ?? Infinity, startsAtMs);
    }
    return next === null ? null : Math.max(ROUND_MS, next - nowMs);
  }
}
