import { ClockStore } from '../../src/services/clock-advancing/clock.store';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { noon } from '../support/given';
import { openSql } from '../support/sql';
import { until } from '../support/until';

describe.each(databases)('the lease of an advancing clock, on $name SQL', (database) => {
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(database));
    await migrate(sql);
    await sql.query({
      text: `insert into test_clocks (scope, id, status, target, deletes_after)
        values ('tnt_0.test', 'clock_0', 'advancing', $1, $1)`,
      values: [noon],
    });
  });
  afterAll(() => close());

  it('belongs to one process while it renews it, and is lost once another process takes it', async () => {
    const [first, second] = [new ClockStore(sql), new ClockStore(sql)];
    const row = (await first.claim(noon))!;
    expect(await second.claim(noon)).toBeNull();
    const renewed = await first.renew(row, row.leased_until);
    expect(renewed).not.toBeNull();
    // The renewal is late, but no other process has taken the lease.
    const ended = await sql.query<{ leased_until: typeof noon }>({
      text: `update test_clocks set leased_until = date_trunc('milliseconds', now())
        - interval '1 second' returning leased_until`,
    });
    const again = (await first.renew(row, ended[0]!.leased_until))!;
    expect(again > ended[0]!.leased_until).toBe(true);
    await sql.query({ text: "update test_clocks set leased_until = now() - interval '1 second'" });
    // Leases are identified by their ends. Real leases never have the same end, because one begins
    // after the other has ended.
    await until('another millisecond', async () => {
      const [{ later } = { later: false }] = await sql.query<{ later: boolean }>({
        text: `select now() + interval '60 seconds' > $1::timestamptz + interval '1 millisecond' as later`,
        values: [again],
      });
      return later;
    });
    const taken = (await second.claim(noon))!;
    expect(await first.renew(row, again)).toBeNull();
    expect(await second.renew(taken, taken.leased_until)).not.toBeNull();
    await first.releaseAll();
    expect(await first.claim(noon)).not.toBeNull();
  });
});
