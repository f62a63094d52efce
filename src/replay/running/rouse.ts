import { setTimeout as delay } from 'node:timers/promises';

/** Waiting that others may cut short. */
export class Rouse {
  private readonly waiting = new Set<() => void>();

  /** Wakes everyone who waits now. */
  rouse(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves when roused, when the signal aborts, or after `ms`. */
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

/** A pause that an abort only cuts short. */
export const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);
