import type { Database } from '../../read-models/database';

/** A process that has not been seen for this long has died: another one takes its jobs over. */
const STALE = "interval '5 seconds'";

/**
 * Which process runs which job. Leases only say who is alive: that no two runs write to one job is
 * decided in the job's own stream (`JobLost`).
 */
export class Leases {
  constructor(
    private readonly database: Database,
    /** Names this process; a process that replaces it for sure may have the same name. */
    private readonly owner: string,
  ) {}

  /** True when the job is ours now. */
  async take(replayId: string): Promise<boolean> {
    const rows = await this.database.query({
      name: 'take replay lease',
      text: `insert into replay_leases as l (replay_id, owner, seen_at) values ($1, $2, now())
        on conflict (replay_id) do update set owner = excluded.owner, seen_at = now()
          where l.owner = excluded.owner or l.seen_at < now() - ${STALE}
        returning replay_id`,
      values: [replayId, this.owner],
    });
    return rows.length > 0;
  }

  /** Shows that this process lives. */
  async renew(): Promise<void> {
    await this.database.query({
      name: 'renew replay leases',
      text: 'update replay_leases set seen_at = now() where owner = $1',
      values: [this.owner],
    });
  }

  async give(replayId: string): Promise<void> {
    await this.database.query({
      name: 'give replay lease',
      text: 'delete from replay_leases where replay_id = $1 and owner = $2',
      values: [replayId, this.owner],
    });
  }

  /** Jobs that have not ended and that no living process runs. */
  async orphans(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>({
      name: 'orphaned replays',
      text: `select r.id from replays r left join replay_leases l on l.replay_id = r.id
        where r.status in ('queued', 'in_progress')
          and (l.replay_id is null or l.owner = $1 or l.seen_at < now() - ${STALE})
        order by r.created_at`,
      values: [this.owner],
    });
    return rows.map(({ id }) => id);
  }
}
