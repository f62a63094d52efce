import { log } from '../../ops/log';
import { pollUntilStopped } from '../../ops/polling';
import { warnOfFailure } from '../../event-store/failures';
import type { Session } from '../../read-models/database';
import type { StoreMaintenance } from '../../config/store-maintenance';

const POLL_MS = 60_000;
/** Minimum time between two scavenges. Each one reads the whole store. */
const SCAVENGE_INTERVAL = '24 hours';
/** After a process has claimed a scavenge, no other one can claim it for this time. */
const CLAIM_DURATION = '5 minutes';

/** Records that an erasure left data in the store that a scavenge must remove. */
export const recordErasure = async (session: Session): Promise<void> => {
  await session.query({
    text: `insert into store_scavenges (last_erasure_at) values (now())
      on conflict (only_row) do update set last_erasure_at = now()`,
  });
};

/**
 * Starts a scavenge of EventStoreDB once a day if subscribers were erased since the last one. Only
 * one process does it. The embedded store removes erased data by itself.
 */
export class DailyScavenge {
  constructor(
    private readonly session: Session,
    private readonly maintenance: StoreMaintenance,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    if (this.maintenance.scavengesByItself) return;
    await pollUntilStopped(signal, () => this.scavengeIfDue(), {
      everyMs: POLL_MS,
      onFailure: (error) => {
        warnOfFailure(
          'a scavenge of the event store cannot be started: it is tried again, and erased keys stay in its files until then',
          'daily-scavenge',
          error,
        );
      },
    });
  }

  /** Starts a scavenge if one is due. Returns true if this process started it. */
  async scavengeIfDue(): Promise<boolean> {
    const [claimed] = await this.session.query<{ at: string }>({
      text: `update store_scavenges set claimed_until = now() + interval '${CLAIM_DURATION}'
        where last_erasure_at > coalesce(scavenged_at, '-infinity')
          and coalesce(scavenged_at, '-infinity') < now() - interval '${SCAVENGE_INTERVAL}'
          and coalesce(claimed_until, '-infinity') < now()
        returning now()::text as at`,
    });
    if (claimed === undefined) return false;
    await this.maintenance.start({ task: 'scavenge' });
    await this.session.query({
      text: 'update store_scavenges set scavenged_at = $1, claimed_until = null',
      values: [claimed.at],
    });
    log.info('started a scavenge of the event store, because subscribers were erased');
    return true;
  }
}
