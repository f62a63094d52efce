import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { RowListener } from '../../read-models/row-notifier';

const FOUND_MAX = 100;

/** Position of a deferred operational event in the log. */
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

/** The alerts that wait for another round, from the read models. */
export class DeferredAlerts {
  constructor(private readonly database: Database) {}

  /**
   * Returns the first deferred alerts of a category, earliest due first. The journal decides
   * whether one is really due.
   */
  async findFirst(category: string): Promise<DeferredAlert[]> {
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

  listen(): RowListener {
    return this.database.rowNotifier.listen('deferred_alerts');
  }

  /** True if this process is notified of every change of the rows. */
  notifiesAll(): boolean {
    return this.database.rowNotifier.isComplete;
  }
}
