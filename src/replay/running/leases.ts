import type { Database } from '../../read-models/database';

/**
 * A process without a heartbeat for this long is treated as dead, and another one takes over its
 * jobs.
 */
const HEARTBEAT_TIMEOUT = "interval '5 seconds'";

/**
 * Leases by which processes share replay jobs. A lease only shows that its owner lives. The stream
 * of a job ensures that two runs never write to it (`JobLost`).
 */
export class ReplayLeases {
  constructor(
    private readonly database: Database,
    /** Name of this process. The process that replaces it may use the same name. */
    private readonly owner: string,
  ) {}

  /** Tries to acquire the lease of a job. Returns true if this process owns it now. */
  async acquire(replayId: string): Promise<boolean> {
    const rows = await this.database.query({
      name: 'take replay lease',
      text: `insert into replay_leases as l (replay_id, owner, seen_at) values ($1, $2, now())
        on conflict (replay_id) do update set owner = excluded.owner, seen_at = now()
          where l.owner = excluded.owner or l.seen_at < now() - ${HEARTBEAT_TIMEOUT}
        returning replay_id`,
      values: [replayId, this.owner],
    });
    return rows.length > 0;
  }

  /** Renews the leases of this process. */
  async renew(): Promise<void> {
    await this.database.query({
      name: 'renew replay leases',
      text: 'update replay_leases set seen_at = now() where owner = $1',
      values: [this.owner],
    });
  }

  async release(replayId: string): Promise<void> {
    await this.database.query({
      name: 'give replay lease',
      text: 'delete from replay_leases where replay_id = $1 and owner = $2',
      values: [replayId, this.owner],
    });
  }

  /** Returns the unfinished jobs that no living process runs. */
  async findOrphans(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>({
      name: 'orphaned replays',
      text: `select r.id from replays r left join replay_leases l on l.replay_id = r.id
        where r.status in ('queued', 'in_progress')
          and (l.replay_id is null or l.owner = $1 or l.seen_at < now() - ${HEARTBEAT_TIMEOUT})
        order by r.created_at`,
      values: [this.owner],
    });
    return rows.map(({ id }) => id);
  }
}
