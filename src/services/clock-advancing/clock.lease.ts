import { setTimeout as delay } from 'node:timers/promises';
import { warnOfFailure } from '../../event-store/failures';
import type { ClockRow, ClockStore } from './clock.store';

const RENEW_EVERY_MS = 20_000;

/**
 * Keeps a claimed clock this process's own for as long as it works on it. Where it was too slow to
 * renew its lease, another process has the clock: the work ends and states nothing.
 */
export class ClockLease {
  private readonly lost = new AbortController();
  private leasedUntil: ClockRow['leased_until'];

  constructor(
    private readonly store: ClockStore,
    private readonly row: ClockRow,
    private readonly renewEveryMs = RENEW_EVERY_MS,
  ) {
    this.leasedUntil = row.leased_until;
  }

  /** Renews; false where another process has the clock. */
  async renew(): Promise<boolean> {
    const renewed = await this.store.renew(this.row, this.leasedUntil);
    if (renewed === null) this.lost.abort();
    else this.leasedUntil = renewed;
    return renewed !== null;
  }

  /** The signal aborts when the lease is lost. */
  async during<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ended = new AbortController();
    const renewing = this.keep(ended.signal);
    try {
      return await work(AbortSignal.any([signal, this.lost.signal]));
    } finally {
      ended.abort();
      await renewing;
    }
  }

  private async keep(ended: AbortSignal): Promise<void> {
    while (!ended.aborted && !this.lost.signal.aborted) {
      await delay(this.renewEveryMs, undefined, { signal: ended }).catch(() => undefined);
      if (ended.aborted) return;
      await this.renew().catch((error: unknown) => {
        // Nobody else can claim it either while the database is away.
        warnOfFailure('the lease of a test clock could not be renewed', this.row.id, error);
      });
    }
  }
}
