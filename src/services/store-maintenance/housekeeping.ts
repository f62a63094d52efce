import { warnOfFailure } from '../../event-store/failures';
import { pollUntilStopped } from '../../ops/polling';

const EVERY_MS = 10 * 60_000;

/** Data that is kept for a limited time. */
export interface Prunable {
  /** Deletes data that is too old, until it is done or the signal aborts. */
  prune(signal: AbortSignal): Promise<void>;
}

/** Deletes data after its retention (D-114), at intervals. */
export class Housekeeping {
  /** `data` has the stores to prune, by the name with which a failure is logged. */
  constructor(private readonly data: Readonly<Record<string, Prunable>>) {}

  async run(signal: AbortSignal): Promise<void> {
    await pollUntilStopped(signal, () => this.pruneAll(signal), { everyMs: EVERY_MS });
  }

  /** A failure of one kind of data does not keep the others. */
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
