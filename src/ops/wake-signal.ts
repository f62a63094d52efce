/** Lets code wait for a time that other code can shorten. */
export class WakeSignal {
  private readonly waiting = new Set<() => void>();

  /** Ends all current waits. */
  wakeAll(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves when `wakeAll` is called, when the signal aborts, or after `ms`. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
      this.waiting.add(wake);
      if (signal.aborted) wake();
    });
  }
}
