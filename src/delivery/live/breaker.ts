/** Different events that must have failed, with no success between, before the breaker opens. */
const OPENS_AFTER_EVENTS = 10;
/** Pauses before the probes of one outage (decisions, "Attempts"); the last one repeats. */
const PROBE_AFTER_MS = [5_000, 10_000, 20_000, 40_000, 60_000];

/**
 * Stops attempts at a destination that is down (a circuit breaker). Many different events failing in
 * a row open it: one event that a receiver cannot digest does not. While it is open nothing is sent
 * but a probe now and then, nothing is pulled from the log, and no delivery uses up its schedule;
 * the first success closes it. Time is an input, and monotonic: nothing comes due later because the
 * clock was set back.
 */
export class Breaker {
  private readonly failing = new Set<string>();
  private opened: { probes: number; probeAtMs: number } | null = null;

  get isOpen(): boolean {
    return this.opened !== null;
  }

  /** When the next attempt may be made (monotonic); null = now and as many as one likes. */
  get probeAtMs(): number | null {
    return this.opened?.probeAtMs ?? null;
  }

  /**
   * Opens where an earlier process left it open, which shows in the events that failed last. `chance` in
   * [0, 1) spreads the first probes: at a start, many destinations go on at the same moment.
   */
  recover(failing: readonly string[], nowMs: number, chance: number): void {
    for (const eventId of failing) this.failing.add(eventId);
    if (this.opened !== null || this.failing.size < OPENS_AFTER_EVENTS) return;
    this.opened = { probes: 0, probeAtMs: nowMs + pauseMs(0) * chance };
  }

  /** Answers whether it closed just now. */
  succeeded(): boolean {
    const closed = this.opened !== null;
    this.failing.clear();
    this.opened = null;
    return closed;
  }

  failed(eventId: string, nowMs: number): void {
    if (this.opened !== null) {
      this.probeFailed(this.opened, nowMs);
      return;
    }
    this.failing.add(eventId);
    if (this.failing.size < OPENS_AFTER_EVENTS) return;
    this.opened = { probes: 0, probeAtMs: nowMs + pauseMs(0) };
  }

  /** Attempts that were under way when it opened are no probes. */
  private probeFailed(opened: { probes: number; probeAtMs: number }, nowMs: number): void {
    if (nowMs < opened.probeAtMs) return;
    opened.probes += 1;
    opened.probeAtMs = nowMs + pauseMs(opened.probes);
  }
}

const pauseMs = (probes: number): number =>
  PROBE_AFTER_MS[Math.min(probes, PROBE_AFTER_MS.length - 1)] ?? 0;
