import { setTimeout as delay } from 'node:timers/promises';
import { runWithTimeLimit } from './within';

/** Pauses for a time. An abort shortens the pause and does not throw. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);

/** Waits for at most a time. An abort or a failure of the wait ends it and does not throw. */
export const waitAtMost = (
  ms: number,
  signal: AbortSignal,
  wait: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> =>
  runWithTimeLimit(signal, ms, wait).then(
    () => undefined,
    () => undefined,
  );

interface Polling {
  /** The pause after a round that does not return its own. */
  readonly everyMs: number;
  /** The pause after a round that failed; `everyMs` if it is left out. Nothing shortens it. */
  readonly afterFailureMs?: number;
  /** A pause before the first round. */
  readonly firstAfterMs?: number;
  /** Pauses until the time is over or there is something to do. It never throws. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /**
   * Reports a failed round. A failure during a stop is not reported. Without it a failure ends the
   * polling and is thrown.
   */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Works in rounds until the signal aborts. A round may return the milliseconds until the next
 * one; 0 means at once. A round that fails is reported, and the next one tries again.
 */
export const pollUntilStopped = async (
  signal: AbortSignal,
  work: (signal: AbortSignal) => unknown,
  { everyMs, afterFailureMs = everyMs, firstAfterMs = 0, wait = pause, onFailure }: Polling,
): Promise<void> => {
  if (firstAfterMs > 0) await pause(firstAfterMs, signal);
  while (!signal.aborted) {
    try {
      const result = await work(signal);
      const restMs = typeof result === 'number' ? result : everyMs;
      if (restMs > 0) await wait(restMs, signal);
    } catch (error) {
      if (onFailure === undefined) throw error;
      if (signal.aborted) return;
      onFailure(error);
      await pause(afterFailureMs, signal);
    }
  }
};
