import { Comparison, type Difference } from '../../src/projections/difference';
import { Projection } from '../../src/projections/projection';
import type { Table } from '../../src/projections/rows';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';

const COUNTS: Table = { name: 'counts', key: ['owner', 'day', 'part'] };
const ERRANDS: Table = { name: 'errands', key: ['owner', 'number'], perishable: true };

class Counts extends Projection {
  readonly name = 'counts';
  readonly tables = [COUNTS, ERRANDS];

  project(): void {
    throw new Error('not projected here');
  }
}

describe.each(databases)('comparing tables, on $name SQL', (which) => {
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(which));
    await migrate(sql);
    await sql.query({ text: 'create schema rebuild' });
    for (const schema of ['read_model', 'rebuild']) {
      await sql.query({
        text: `create table ${schema}.counts (owner text collate "C", day date, part integer,
          value integer, leased_until timestamptz, primary key (owner, day, part))`,
      });
      await sql.query({
        text: `create table ${schema}.errands (owner text, number bigint, primary key (owner, number))`,
      });
    }
  });
  beforeEach(() =>
    sql.query({ text: 'truncate counts, errands, rebuild.counts, rebuild.errands' }),
  );
  afterAll(() => close());

  const insertCounts = (schema: string, days: number, value = 1): Promise<unknown> =>
    sql.query({
      text: `insert into ${schema}.counts (owner, day, part, value)
        select 'one', date '2026-01-01' + day, part, $2::int
        from generate_series(1, $1::int) day, generate_series(1, 10) part`,
      values: [days, value],
    });

  const compare = async (): Promise<{ differences: readonly Difference[]; ranges: number }> => {
    const comparison = new Comparison('rebuild', [new Counts()]);
    let ranges = 0;
    for (let done = false; !done; ranges += 1) {
      done = await sql.transaction((session) => comparison.compareNextRange(session));
    }
    return { differences: comparison.differences, ranges };
  };

  it('finds each difference once, in every range and on either side', async () => {
    for (const schema of ['read_model', 'rebuild']) await insertCounts(schema, 500);
    await sql.query({ text: 'update counts set leased_until = now() where part = 3' });
    await sql.query({ text: `update counts set value = 2 where part = 7 and day = '2026-02-01'` });
    await sql.query({ text: `delete from counts where part = 7 and day = '2026-11-01'` });
    await sql.query({ text: `insert into counts values ('two', '2026-01-01', 1, 1)` });
    await sql.query({ text: `insert into rebuild.errands values ('one', 1)` });
    await sql.query({ text: `insert into errands values ('one', 2)` });
    const { differences, ranges } = await compare();
    expect(ranges).toBeGreaterThan(3);
    expect(differences).toMatchObject([
      { key: { owner: 'one', day: '2026-02-01', part: 7 }, columns: ['value'] },
      { key: { owner: 'one', day: '2026-11-01', part: 7 } },
      { key: { owner: 'two', day: '2026-01-01', part: 1 } },
      { table: 'errands', key: { owner: 'one', number: 2 } },
    ]);
  });

  it.each([
    ['built', 'rebuild'],
    ['live', 'read_model'],
  ])('reports the first hundred differences if there are only %s rows', async (_, schema) => {
    await insertCounts(schema, 500);
    expect((await compare()).differences).toHaveLength(100);
  });
});
