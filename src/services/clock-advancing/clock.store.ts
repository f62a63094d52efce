import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { RowListener } from '../../read-models/row-notifier';

/** SQL for the end of a lease by the time of the database, in milliseconds like an `Instant`. */
const LEASED_UNTIL = "date_trunc('milliseconds', now()) + interval '60 seconds'";
const BATCH = 500;

export interface ClockRow {
  /** Name of the scope: `<tenant>.<environment>`. */
  readonly scope: string;
  readonly id: string;
  readonly status: string;
  readonly target: Instant | null;
  /** End of the lease of the process that claimed it. The value also identifies the claim. */
  readonly leased_until: Instant;
}

/** The read models of test clocks. */
export class ClockStore {
  constructor(private readonly database: Database) {}

  /** Listens for changed clocks. */
  listen(): RowListener {
    return this.database.rowNotifier.listen('test_clocks');
  }

  /** True if this process is notified of every change of the rows. */
  notifiesAll(): boolean {
    return this.database.rowNotifier.isComplete;
  }

  async listSubscribers(clockId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>({
      name: 'subscribers of a clock',
      text: 'select subscriber_id as id from test_clock_subscribers where test_clock = $1',
      values: [clockId],
    });
    return rows.map(({ id }) => id);
  }

  /** Returns subscribers of a clock with a timer that is due at an instant. */
  async listDue(
    scope: Scope,
    clockId: string,
    until: Instant,
  ): Promise<{ scope: string; subscriber_id: string }[]> {
    return this.database.query({
      name: 'due under a clock',
      text: `select scope, subscriber_id from timers
        where test_clock = $1 and due_at <= $2 and scope = $3 order by due_at limit ${BATCH}`,
      values: [clockId, until, scopeName(scope)],
    });
  }

  /** Claims a clock that advances or is to be deleted, until the lease ends. */
  async claim(now: Instant): Promise<ClockRow | null> {
    const [row] = await this.database.query<ClockRow>({
      name: 'claim a clock',
      text: `update test_clocks c set leased_until = ${LEASED_UNTIL}
        from (select scope, id from test_clocks
          where (status = 'advancing' or (status <> 'deleted' and deletes_after <= $1))
            and (leased_until is null or leased_until < now())
          limit 1 for update skip locked) due
        where c.scope = due.scope and c.id = due.id
        returning c.scope, c.id, c.status, c.target, c.leased_until`,
      values: [now],
    });
    return row ?? null;
  }

  /** Ends all leases. Only the single process of a service may do it, before it claims a clock. */
  async releaseAll(): Promise<void> {
    await this.database.query({
      name: 'release all clocks',
      text: 'update test_clocks set leased_until = null where leased_until is not null',
    });
  }

  /** Renews a lease; null if it ended and another process has the clock. */
  async renew({ scope, id }: ClockRow, leasedUntil: Instant): Promise<Instant | null> {
    const [row] = await this.database.query<Pick<ClockRow, 'leased_until'>>({
      name: 'renew a clock',
      text: `update test_clocks set leased_until = ${LEASED_UNTIL}
        where scope = $1 and id = $2 and leased_until = $3 returning leased_until`,
      values: [scope, id, leasedUntil],
    });
    return row?.leased_until ?? null;
  }
}
