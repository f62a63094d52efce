import { pause } from '../../ops/polling';

/**
 * The delay that later requests may catch up. Timers are imprecise, and a late timer must not lower
 * the rate.
 */
const CATCH_UP_MS = 50;

/** Spreads requests evenly at a rate; null = no limit. */
export class RateLimiter {
  private nextAtMs = 0;

  constructor(private readonly ratePerSecond: number | null) {}

  async waitForTurn(signal: AbortSignal): Promise<void> {
    if (this.ratePerSecond === null) return;
    const nowMs = performance.now();
    const atMs = Math.max(this.nextAtMs, nowMs - CATCH_UP_MS);
    this.nextAtMs = atMs + 1_000 / this.ratePerSecond;
    if (atMs - nowMs > 1) await pause(atMs - nowMs, signal);
  }
}
