import type { LogBatch } from '../event-store/catch-up';
import type { StoredEvent } from '../event-store/stored-event';

/** Reads the log after a position, step by step up to growing positions. */
export class LogReader {
  /** Events that were read but are after the last requested position. */
  private buffered: readonly StoredEvent[] = [];

  constructor(
    private readonly batches: AsyncIterator<LogBatch>,
    private reached: bigint,
  ) {}

  /** Yields the next events up to a position that exists in the log. */
  async *readUpTo(target: bigint): AsyncGenerator<readonly StoredEvent[]> {
    for (;;) {
      const due = this.buffered.filter(({ position }) => position <= target);
      this.buffered = this.buffered.filter(({ position }) => position > target);
      if (due.length > 0) yield due;
      if (this.reached >= target) return;
      await this.readNextBatch();
    }
  }

  private async readNextBatch(): Promise<void> {
    const next = await this.batches.next();
    if (next.done === true) throw new Error('the log ended before the projector’s position');
    const { events, position } = next.value;
    this.buffered = [...this.buffered, ...events];
    this.reached = position?.commit ?? this.reached;
  }
}
