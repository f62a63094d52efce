import { pause } from '../ops/polling';
import { ConfigError } from '../config/config';
import { describeError, limitWarnings } from '../ops/log';

const PAUSE_MS = 500;
const WARN_EVERY_MS = 60_000;

/**
 * Resolves when a check has passed, and throws its `ConfigError` if it fails. It waits for a store
 * that does not answer.
 */
export const checkUntilAnswered = async (
  what: string,
  check: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const warn = limitWarnings(WARN_EVERY_MS);
  while (!signal.aborted) {
    try {
      await check();
      return;
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      warn(describeError(error), `cannot check ${what}: it is tried again`);
      await pause(PAUSE_MS, signal);
    }
  }
};
