import { setTimeout as delay } from 'node:timers/promises';
import { describeError, log } from './log';

const EVERY_MS = 10 * 60_000;

/** Data that is kept for a limited time. */
export interface Prunable {
  /** Deletes data that is too old, until it is done or the signal aborts. */
  prune(signal: AbortSignal): Promise<void>;
}

/** Deletes data after its retention (D-114), at intervals. */
export class Housekeeping {
  constructor(private readonly stores: readonly Prunable[]) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const store of this.stores) {
        await store.prune(signal).catch((error: unknown) => {
          log.warn(
            describeError(error),
            'data that is too old cannot be deleted: it is tried again in ten minutes',
          );
        });
      }
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
