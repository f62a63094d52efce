import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { RowListener } from '../../read-models/row-notifier';

const FOUND_MAX = 100;

/** Where a deferred operational event stands in the log. */
export interface DeferredAlert {
  readonly stream: string;
  readonly revision: number;
  readonly dueAt: Instant;
}

interface AlertRow {
  readonly stream: string;
  readonly revision: string;
  readonly next_attempt_at: Instant;
}

/** Alerts that wait for another attempt, as far as the read models have come. */
export class DeferredAlerts {
  constructor(private readonly database: Database) {}

  /** The first of a category, the longest waiting first; the journal has the last word. */
  async first(category: string): Promise<DeferredAlert[]> {
    const rows = await this.database.query<AlertRow>({
      name: 'deferred alerts',
      text: `select stream, revision, next_attempt_at from deferred_alerts
        where category = $1 order by next_attempt_at limit ${FOUND_MAX}`,
      values: [category],
    });
    return rows.map(({ stream, revision, next_attempt_at }) => ({
      stream,
      revision: Number(revision),
      dueAt: next_attempt_at,
    }));
  }

  news(): RowListener {
    return this.database.rowNotifier.listen('deferred_alerts');
  }

  /** Whether every change is told of in this process. */
  hearsAll(): boolean {
    return this.database.rowNotifier.isComplete;
  }
}
