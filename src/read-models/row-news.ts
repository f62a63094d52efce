type Row = Readonly<Record<string, unknown>>;

/** Hears of rows that were written, also of those that were while nobody waited. */
export class RowListener {
  private heard = false;
  private wake: (() => void) | null = null;

  constructor(private readonly concerns: (row: Row) => boolean) {}

  hear(rows: readonly Row[]): void {
    if (!rows.some(this.concerns)) return;
    this.heard = true;
    this.wake?.();
  }

  /** Resolves when there is news, when the signal aborts, or after `ms`. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.heard && !signal.aborted) await this.wait(ms, signal);
    this.heard = false;
  }

  private wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
      this.wake = wake;
    });
  }
}

/**
 * Which rows this process has written: who waits for some is told of them, and need not ask SQL again
 * and again.
 */
export class RowNews {
  private readonly listeners = new Map<string, Set<RowListener>>();
  /** Whether the read models are written by this process, so that all of their rows are told of here. */
  isComplete = false;

  listen(table: string, concerns: (row: Row) => boolean = () => true): RowListener {
    const listener = new RowListener(concerns);
    const listeners = this.listeners.get(table) ?? new Set();
    this.listeners.set(table, listeners.add(listener));
    return listener;
  }

  tell(table: string, rows: readonly Row[]): void {
    for (const listener of this.listeners.get(table) ?? []) listener.hear(rows);
  }
}
