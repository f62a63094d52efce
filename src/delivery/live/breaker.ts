import { requirePresent } from '../../kernel/present';

/** Number of different events that must fail in a row before the breaker opens. */
export const OPENS_AFTER_EVENTS = 10;
/** Pauses before the probes of one outage (decisions, "Attempts"); the last one repeats. */
const PROBE_AFTER_MS = [5_000, 10_000, 20_000, 40_000, 60_000];

/**
 * A circuit breaker that stops attempts at a destination that is down. It opens when many different
 * events fail in a row. One event that a receiver cannot process does not open it. While it is
 * open, only a probe is sent now and then, almost nothing is pulled from the log, and no delivery
 * uses up its schedule. The first success closes it. The time is an input and monotonic, so setting
 * the clock back delays nothing.
 */
export class Breaker {
  private readonly failing = new Set<string>();
  private opened: { probes: number; probeAtMs: number } | null = null;

  get isOpen(): boolean {
    return this.opened !== null;
  }

  /** The time of the next probe on the monotonic clock; null if attempts are not limited. */
  get probeAtMs(): number | null {
    return this.opened?.probeAtMs ?? null;
  }

  /**
   * Opens the breaker if an earlier process left it open: the last attempts of many events failed.
   * `chance` in [0, 1) spreads the first probes, because many destinations resume at the same moment
   * at a start.
   */
  recover(failing: readonly string[], nowMs: number, chance: number): void {
    for (const eventId of failing) this.failing.add(eventId);
    if (this.opened !== null || this.failing.size < OPENS_AFTER_EVENTS) return;
    this.opened = { probes: 0, probeAtMs: nowMs + pauseMs(0) * chance };
  }

  /** Records a success. Returns true if this closed the breaker. */
  recordSuccess(): boolean {
    const wasOpen = this.opened !== null;
    this.failing.clear();
    this.opened = null;
    return wasOpen;
  }

  recordFailure(eventId: string, nowMs: number): void {
    if (this.opened !== null) {
      this.probeFailed(this.opened, nowMs);
      return;
    }
    this.failing.add(eventId);
    if (this.failing.size < OPENS_AFTER_EVENTS) return;
    this.opened = { probes: 0, probeAtMs: nowMs + pauseMs(0) };
  }

  /**
   * Schedules the next probe. Attempts that were in flight when the breaker opened are not probes.
   */
  private probeFailed(opened: { probes: number; probeAtMs: number }, nowMs: number): void {
    if (nowMs < opened.probeAtMs) return;
    opened.probes += 1;
    opened.probeAtMs = nowMs + pauseMs(opened.probes);
  }
}

const pauseMs = (probes: number): number =>
  requirePresent(
    PROBE_AFTER_MS[Math.min(probes, PROBE_AFTER_MS.length - 1)],
    'the pause before a probe',
  );
