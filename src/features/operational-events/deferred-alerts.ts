import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';

const DUE_MAX = 100;

/** Where a deferred operational event stands in the log. */
export interface DeferredAlert {
  readonly stream: string;
  readonly revision: number;
}

/** Alerts that wait for another attempt, as far as the read models have come. */
export class DeferredAlerts {
  constructor(private readonly database: Database) {}

  /** Those of a category that are due, the longest waiting first; the journal has the last word. */
  async due(category: string, now: Instant): Promise<DeferredAlert[]> {
    const rows = await this.database.query<{ stream: string; revision: string }>({
      name: 'due alerts',
      text: `select stream, revision from deferred_alerts
        where category = $1 and next_attempt_at <= $2 order by next_attempt_at limit ${DUE_MAX}`,
      values: [category, now],
    });
    return rows.map(({ stream, revision }) => ({ stream, revision: Number(revision) }));
  }
}
