import type { LogBatch } from '../event-store/catch-up';
import type { StoredEvent } from '../event-store/stored-event';

/** The log after a position, given out up to one position after the other. */
export class LogAhead {
  /** Read, and after what was asked for so far. */
  private ahead: readonly StoredEvent[] = [];

  constructor(
    private readonly batches: AsyncIterator<LogBatch>,
    private reached: bigint,
  ) {}

  /** The events after those given out before, up to a position that the log has. */
  async *upTo(target: bigint): AsyncGenerator<readonly StoredEvent[]> {
    for (;;) {
      const due = this.ahead.filter(({ position }) => position <= target);
      this.ahead = this.ahead.filter(({ position }) => position > target);
      if (due.length > 0) yield due;
      if (this.reached >= target) return;
      await this.read();
    }
  }

  private async read(): Promise<void> {
    const next = await this.batches.next();
    if (next.done === true) throw new Error('the log ended before the projector’s position');
    const { events, position } = next.value;
    this.ahead = [...this.ahead, ...events];
    this.reached = position?.commit ?? this.reached;
  }
}
