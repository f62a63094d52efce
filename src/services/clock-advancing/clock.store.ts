import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { RowListener } from '../../read-models/row-notifier';

/** Of the database's time, in milliseconds as an `Instant` has. */
const LEASED_UNTIL = "date_trunc('milliseconds', now()) + interval '60 seconds'";
const BATCH = 500;

export interface ClockRow {
  /** `<tenant>.<environment>` */
  readonly scope: string;
  readonly id: string;
  readonly status: string;
  readonly target: Instant | null;
  /** Until when it is the process's that claimed it; also what that process knows its claim by. */
  readonly leased_until: Instant;
}

/** The read models of test clocks. */
export class ClockStore {
  constructor(private readonly database: Database) {}

  /** Of clocks that have changed. */
  news(): RowListener {
    return this.database.rowNotifier.listen('test_clocks');
  }

  /** Whether every change is told of in this process. */
  hearsAll(): boolean {
    return this.database.rowNotifier.isComplete;
  }

  async subscribersOf(clockId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>({
      name: 'subscribers of a clock',
      text: 'select subscriber_id as id from test_clock_subscribers where test_clock = $1',
      values: [clockId],
    });
    return rows.map(({ id }) => id);
  }

  /** Subscribers of a clock to whom something happens until an instant. */
  async dueUntil(
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

  /** A clock that advances or is to be deleted, for this process alone until the lease ends. */
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

  /** Prolongs a lease; null where it ended and another process has the clock. */
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
