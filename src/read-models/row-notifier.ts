import { WakeSignal } from '../ops/wake-signal';

type Row = Readonly<Record<string, unknown>>;

/** Waits for rows to be written. Rows that were written while nobody waited count too. */
export class RowListener {
  private hasNews = false;
  private readonly wakeSignal = new WakeSignal();

  constructor(private readonly isRelevant: (row: Row) => boolean) {}

  receive(rows: readonly Row[]): void {
    if (!rows.some(this.isRelevant)) return;
    this.hasNews = true;
    this.wakeSignal.wakeAll();
  }

  /** Resolves when a relevant row was written, when the signal aborts, or after `ms`. */
  async waitForRows(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.hasNews && !signal.aborted) await this.wakeSignal.wait(ms, signal);
    this.hasNews = false;
  }
}

/** Notifies listeners of the rows that this process writes, so that they need not poll SQL. */
export class RowNotifier {
  private readonly listeners = new Map<string, Set<RowListener>>();
  /**
   * True if this process writes the read models, so that all of their changes are notified here.
   */
  isComplete = false;

  listen(table: string, concerns: (row: Row) => boolean = () => true): RowListener {
    const listener = new RowListener(concerns);
    const listeners = this.listeners.get(table) ?? new Set();
    this.listeners.set(table, listeners.add(listener));
    return listener;
  }

  notify(table: string, rows: readonly Row[]): void {
    for (const listener of this.listeners.get(table) ?? []) listener.receive(rows);
  }
}
