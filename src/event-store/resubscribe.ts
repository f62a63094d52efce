import { setTimeout as delay } from 'node:timers/promises';
import { describeError, log } from '../ops/log';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Runs a subscription until the signal aborts, again and again: the client only reports that a
 * subscription broke. `session` continues from its own position and calls `healthy` once it works.
 */
export const resubscribe = async (
  name: string,
  signal: AbortSignal,
  session: (healthy: () => void) => Promise<void>,
): Promise<void> => {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      await session(() => {
        pauseMs = FIRST_PAUSE_MS;
      });
    } catch (error) {
      if (signal.aborted) return;
      log.warn(
        { subscription: name, pause_ms: pauseMs, ...describeError(error) },
        'subscription broke',
      );
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
};
