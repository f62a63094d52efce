import { setTimeout as delay } from 'node:timers/promises';
import { describeError, log } from './log';

const EVERY_MS = 10 * 60_000;

/** What is kept for a limited time only. */
export interface Perishable {
  /** Forgets what is too old, as far as it comes until it is told to stop. */
  prune(signal: AbortSignal): Promise<void>;
}

/** Forgets what has had its time (D-114), now and then. */
export class Housekeeping {
  constructor(private readonly stores: readonly Perishable[]) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const store of this.stores) {
        await store.prune(signal).catch((error: unknown) => {
          log.warn(describeError(error), 'could not forget what is too old');
        });
      }
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
