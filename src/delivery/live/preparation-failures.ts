/** Number of different events that must fail in a row before all deliveries pause. */
const PAUSES_AFTER_EVENTS = 10;
const PAUSE_MS = 5_000;

/**
 * Decides when deliveries pause because they cannot be prepared. If the event store or the vault
 * does not answer, trying one delivery after the other only adds load. One event that cannot be
 * prepared does not stop the others, except during a probe, because there is one probe at a time. The
 * time is an input and monotonic.
 */
export class PreparationFailures {
  private readonly events = new Set<string>();
  private pausedUntilMs = -Infinity;

  /** Returns the milliseconds until the next delivery may be prepared; 0 = now. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.pausedUntilMs - nowMs);
  }

  recordSuccess(): void {
    this.events.clear();
    this.pausedUntilMs = -Infinity;
  }

  /**
   * Records an event that could not be prepared. `chance` in [0, 1) makes the pause longer, because
   * many destinations lose the store at the same moment.
   */
  recordFailure(eventId: string, nowMs: number, isProbe: boolean, chance: number): void {
    this.events.add(eventId);
    if (isProbe || this.events.size >= PAUSES_AFTER_EVENTS) {
      this.pausedUntilMs = nowMs + PAUSE_MS * (1 + chance);
    }
  }
}
