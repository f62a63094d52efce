/** Different events that could not be prepared, with none between that could, before all must wait. */
const PAUSES_AFTER_EVENTS = 10;
const PAUSE_MS = 5_000;

/**
 * When nothing can be prepared because the store or the vault is away, trying one delivery after the
 * other only adds to the trouble: all of them pause. One event that cannot be read holds up no other,
 * unless it is a probe, of which there is one at a time. Time is an input, and monotonic.
 */
export class Faults {
  private readonly events = new Set<string>();
  private pausedUntilMs = -Infinity;

  /** How long until the next is to be tried; 0 = now. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.pausedUntilMs - nowMs);
  }

  prepared(): void {
    this.events.clear();
    this.pausedUntilMs = -Infinity;
  }

  /** `chance` in [0, 1) spreads the pause: many destinations find the store away at the same moment. */
  failed(eventId: string, nowMs: number, isProbe: boolean, chance: number): void {
    this.events.add(eventId);
    if (isProbe || this.events.size >= PAUSES_AFTER_EVENTS) {
      this.pausedUntilMs = nowMs + PAUSE_MS * (1 + chance);
    }
  }
}
