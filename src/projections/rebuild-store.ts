import type { Instant } from '../kernel/time';
import type { Database } from '../read-models/database';
import type { Difference } from './difference';

export type RebuildStatus = 'queued' | 'in_progress' | 'completed' | 'failed';

/** A rebuild as the API shows it to the operator. */
export interface Rebuild {
  readonly id: string;
  readonly projections: readonly string[];
  /** True if the rebuilt rows are only compared with the live ones. */
  readonly compare: boolean;
  /** Differences found; null until the comparison has ended. */
  readonly differences: readonly Difference[] | null;
  readonly status: RebuildStatus;
  readonly events_projected: number;
  /** Commit positions: the current one, and the end of the log when the rebuild began. */
  readonly position: string;
  readonly target_position: string;
  readonly failure_reason: string | null;
  readonly created_at: Instant;
  readonly started_at: Instant | null;
  readonly finished_at: Instant | null;
}

type RebuildRequest = Pick<Rebuild, 'id' | 'projections' | 'compare'>;

interface Progress {
  readonly eventsProjected: number;
  readonly position: bigint;
}

/** The queue of rebuilds in SQL. Any process can request one; the process that projects runs it. */
export class RebuildStore {
  constructor(private readonly database: Database) {}

  async request({ id, projections, compare }: RebuildRequest, now: Instant): Promise<Rebuild> {
    await this.database.query({
      text: `insert into rebuilds (id, projections, compare, status, created_at)
        values ($1, $2, $3, 'queued', $4) on conflict (id) do nothing`,
      values: [id, JSON.stringify(projections), compare, now],
    });
    this.database.rowNotifier.notify('rebuilds', [{ id }]);
    const found = await this.find(id);
    if (found === undefined) throw new Error('a rebuild that was just stored cannot be found');
    return found;
  }

  async find(id: string): Promise<Rebuild | undefined> {
    const rows = await this.database.query<RebuildRow>({
      text: 'select * from rebuilds where id = $1',
      values: [id],
    });
    return rows.map(toRebuild)[0];
  }

  async list(): Promise<Rebuild[]> {
    const rows = await this.database.query<RebuildRow>({
      text: 'select * from rebuilds order by created_at desc limit 100',
    });
    return rows.map(toRebuild);
  }

  /** Returns the next rebuild to run. One that a process left in progress starts again. */
  async findNext(): Promise<Rebuild | undefined> {
    const rows = await this.database.query<RebuildRow>({
      name: 'next rebuild',
      text: `select * from rebuilds where status in ('queued', 'in_progress')
        order by created_at limit 1`,
    });
    return rows.map(toRebuild)[0];
  }

  async markStarted(id: string, targetPosition: bigint): Promise<void> {
    await this.database.query({
      text: `update rebuilds set status = 'in_progress', started_at = now(), events_projected = 0,
        target_position = $2 where id = $1`,
      values: [id, String(targetPosition)],
    });
  }

  async saveProgress(id: string, { eventsProjected, position }: Progress): Promise<void> {
    await this.database.query({
      name: 'rebuild progress',
      text: 'update rebuilds set events_projected = $2, position = $3 where id = $1',
      values: [id, eventsProjected, String(position)],
    });
  }

  async saveDifferences(id: string, differences: readonly Difference[]): Promise<void> {
    await this.database.query({
      text: 'update rebuilds set differences = $2 where id = $1',
      values: [id, JSON.stringify(differences)],
    });
  }

  async markEnded(id: string, failureReason: string | null): Promise<void> {
    await this.database.query({
      text: `update rebuilds set status = $2, failure_reason = $3, finished_at = now() where id = $1`,
      values: [id, failureReason === null ? 'completed' : 'failed', failureReason],
    });
  }
}

/** A row as SQL returns it: `bigint` columns are text. */
type RebuildRow = Omit<Rebuild, 'events_projected'> & { readonly events_projected: string };

const toRebuild = (row: RebuildRow): Rebuild => ({
  ...row,
  events_projected: Number(row.events_projected),
});
