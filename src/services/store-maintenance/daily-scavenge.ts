import { setTimeout as delay } from 'node:timers/promises';
import { log } from '../../ops/log';
import { warnOfFailure } from '../../event-store/failures';
import type { Session } from '../../read-models/database';
import type { StoreMaintenance } from '../../config/store-maintenance';

const LOOK_EVERY_MS = 60_000;
/** A scavenge reads the whole store, so it is not started for each erasure. */
const APART = '24 hours';
/** Whoever starts a scavenge has this long before another process tries. */
const CLAIM = '5 minutes';

/** Notes that an erasure left something in the store which a scavenge has to remove. */
export const noteErasure = async (session: Session): Promise<void> => {
  await session.query({
    text: `insert into store_scavenges (last_erasure_at) values (now())
      on conflict (only_row) do update set last_erasure_at = now()`,
  });
};

/**
 * Starts a scavenge of an EventStoreDB once a day where subscribers were erased since the last one;
 * of all processes, one does. The embedded store removes by itself what was erased.
 */
export class DailyScavenge {
  constructor(
    private readonly session: Session,
    private readonly maintenance: StoreMaintenance,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.maintenance.scavengesByItself) {
      await this.scavengeIfDue().catch((error: unknown) => {
        warnOfFailure(
          'could not start a scavenge of the event store; erased keys stay in its files until then',
          'daily-scavenge',
          error,
        );
      });
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Answers whether this process started one. */
  async scavengeIfDue(): Promise<boolean> {
    const [claimed] = await this.session.query<{ at: string }>({
      text: `update store_scavenges set claimed_until = now() + interval '${CLAIM}'
        where last_erasure_at > coalesce(scavenged_at, '-infinity')
          and coalesce(scavenged_at, '-infinity') < now() - interval '${APART}'
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
