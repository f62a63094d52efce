import { DeliveryLog } from '../../src/delivery/journal/delivery-log';
import type { Database, Query } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';

/** The number of rows, more than one statement deletes. */
const ROWS = 12_000;

const never = new AbortController().signal;

describe.each(databases)('the retention of the delivery log, on $name SQL', (which) => {
  let sql: Database;
  let close: () => Promise<void>;
  let plans: string[];
  let deleted: number[];

  /** The same database, which records the statements' deletions and plans. */
  const watched = {
    query: async <Row extends object>(query: Query): Promise<Row[]> => {
      const plan = await sql.query<object>({ text: `explain ${query.text}` });
      plans.push(plan.map((row) => JSON.stringify(row)).join('\n'));
      const rows = await sql.query<Row>(query);
      deleted.push((rows[0] as { count?: number } | undefined)?.count ?? Infinity);
      return rows;
    },
  } as Database;
  const log = (): DeliveryLog => new DeliveryLog(null as never, watched, null as never);

  beforeAll(async () => {
    ({ sql, close } = await openSql(which));
    await migrate(sql);
  });
  beforeEach(async () => {
    plans = [];
    deleted = [];
    await sql.query({ text: 'truncate deliveries, delivery_attempts' });
  });
  afterAll(() => close());

  interface Facts {
    readonly status?: string;
    readonly ageDays: number;
    /** The age of the last attempt in days; null if no attempt was made. */
    readonly lastAttemptDays: number | null;
  }

  const insertDeliveries = async (
    name: string,
    { status = 'delivered', ageDays, lastAttemptDays }: Facts,
    count = 1,
  ): Promise<void> => {
    const values = [name, status, ageDays, lastAttemptDays, count];
    await sql.query({
      text: `insert into deliveries (destination_id, event_id, scope, event_type, subscriber_id, sequence,
          category_revision, created_at, status, attempt_count, last_attempt_at)
        select 'dest_1', $1::text || g, 'tnt_1.live', 'ticket.submitted', 'subscriber_1', 1, g,
          now() - $3::int * interval '1 day', $2, 1, now() - $4::int * interval '1 day'
        from generate_series(1, $5::int) g`,
      values,
    });
    await sql.query({
      text: `insert into delivery_attempts (destination_id, event_id, attempt_id, attempt, at, duration_ms)
        select destination_id, event_id, 'a', 1, last_attempt_at, 5 from deliveries
        where event_id ^@ $1 and last_attempt_at is not null`,
      values: [name],
    });
  };

  const listLeft = async (table: string): Promise<string[]> => {
    const rows = await sql.query<{ id: string }>({
      text: `select event_id as id from ${table} order by event_id`,
    });
    return rows.map(({ id }) => id);
  };

  it('deletes old completed deliveries, and keeps waiting and recently tried ones', async () => {
    await insertDeliveries('old', { ageDays: 40, lastAttemptDays: 40 });
    await insertDeliveries('untried', { status: 'failed', ageDays: 40, lastAttemptDays: null });
    await insertDeliveries('waiting', { status: 'pending', ageDays: 40, lastAttemptDays: 40 });
    await insertDeliveries('replayed', { ageDays: 40, lastAttemptDays: 1 });
    await insertDeliveries('simulated', { ageDays: -5, lastAttemptDays: 40 });
    await insertDeliveries('new', { ageDays: 29, lastAttemptDays: 29 });
    await log().prune(never);
    expect(await listLeft('deliveries')).toEqual(['new1', 'replayed1', 'simulated1', 'waiting1']);
    expect(await listLeft('delivery_attempts')).toEqual(['new1', 'replayed1']);
  });

  it('deletes any number of rows, with a limited number in each statement', async () => {
    await insertDeliveries('old', { ageDays: 40, lastAttemptDays: 40 }, ROWS);
    await sql.query({ text: 'analyze deliveries, delivery_attempts' });
    await log().prune(never);
    expect(await listLeft('deliveries')).toEqual([]);
    expect(await listLeft('delivery_attempts')).toEqual([]);
    expect(Math.max(...deleted)).toBeLessThan(ROWS / 2);
  });

  it('finds the rows by an index', async () => {
    await insertDeliveries('new', { ageDays: 1, lastAttemptDays: 1 }, ROWS);
    await sql.query({ text: 'analyze deliveries, delivery_attempts' });
    await log().prune(never);
    expect(plans).toHaveLength(2);
    expect(plans.join('\n')).not.toMatch(/Seq Scan on deliver/);
  });

  it('stops between two statements when it is aborted', async () => {
    await insertDeliveries('old', { ageDays: 40, lastAttemptDays: 40 }, ROWS);
    await log().prune(AbortSignal.abort());
    expect(await listLeft('deliveries')).toHaveLength(ROWS);
  });
});
