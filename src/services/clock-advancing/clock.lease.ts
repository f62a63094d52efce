import { warnOfFailure } from '../../event-store/failures';
import { pollUntilStopped } from '../../ops/polling';
import type { ClockRow, ClockStore } from './clock.store';

const RENEW_EVERY_MS = 20_000;

/**
 * Renews the lease of a claimed clock while this process works on it. If the lease is lost to
 * another process, the work ends without storing anything.
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

  /** Renews the lease. Returns false if another process has the clock. */
  async renew(): Promise<boolean> {
    const renewed = await this.store.renew(this.row, this.leasedUntil);
    if (renewed === null) this.lost.abort();
    else this.leasedUntil = renewed;
    return renewed !== null;
  }

  /** Runs work with a signal that aborts when the lease is lost. */
  async runWhileHeld<T>(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const ended = new AbortController();
    const renewing = this.renewPeriodically(ended.signal);
    try {
      return await work(AbortSignal.any([signal, this.lost.signal]));
    } finally {
      ended.abort();
      await renewing;
    }
  }

  private async renewPeriodically(ended: AbortSignal): Promise<void> {
    const over = AbortSignal.any([ended, this.lost.signal]);
    await pollUntilStopped(over, () => this.renew(), {
      everyMs: this.renewEveryMs,
      firstAfterMs: this.renewEveryMs,
      onFailure: (error) => {
        // A failed renewal is ignored: while the database is unavailable, no other process can
        // claim the clock either.
        warnOfFailure(
          'the lease of a test clock cannot be renewed: it is tried again',
          this.row.id,
          error,
        );
      },
    });
  }
}
