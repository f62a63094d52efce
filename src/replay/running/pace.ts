import { rest } from './rouse';

/** What a pause may catch up: timers are coarse, and a late one must not lower the rate. */
const CATCH_UP_MS = 50;

/** Spreads requests evenly at a rate; null = as they come. */
export class Pace {
  private nextAtMs = 0;

  constructor(private readonly ratePerSecond: number | null) {}

  async turn(signal: AbortSignal): Promise<void> {
    if (this.ratePerSecond === null) return;
    const nowMs = performance.now();
    const atMs = Math.max(this.nextAtMs, nowMs - CATCH_UP_MS);
    this.nextAtMs = atMs + 1_000 / this.ratePerSecond;
    if (atMs - nowMs > 1) await rest(atMs - nowMs, signal);
  }
}
