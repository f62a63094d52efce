import { warnOfFailure } from '../../event-store/failures';
import { pollUntilStopped } from '../../ops/polling';

const PRUNE_INTERVAL_MS = 10 * 60_000;

/** A store of data that is kept for a limited time. */
export interface Prunable {
  /** Deletes data that is too old, until it is done or the signal aborts. */
  prune(signal: AbortSignal): Promise<void>;
}

/** Deletes data after its retention (D-114), at intervals. */
export class Housekeeping {
  /** `data` has the stores to prune. The name of each is used in log messages. */
  constructor(private readonly data: Readonly<Record<string, Prunable>>) {}

  async run(signal: AbortSignal): Promise<void> {
    await pollUntilStopped(signal, () => this.pruneAll(signal), { everyMs: PRUNE_INTERVAL_MS });
  }

  /** If one store fails, the others are still pruned. */
  private async pruneAll(signal: AbortSignal): Promise<void> {
    for (const [name, kept] of Object.entries(this.data)) {
      await kept.prune(signal).catch((error: unknown) => {
        warnOfFailure(
          'data that is too old cannot be deleted: it is tried again in ten minutes',
          name,
          error,
        );
      });
    }
  }
}
