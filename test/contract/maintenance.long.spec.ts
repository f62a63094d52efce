import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EMBEDDED_SQL_CONNECTIONS,
  type EmbeddedSql,
  startEmbeddedSql,
} from '../../src/embedded-sql/start';
import { Database, type Query } from '../../src/read-models/database';
import { Maintenance } from '../../src/read-models/maintenance';
import { until } from '../support/until';

/** The size of a segment of PostgreSQL's write-ahead log. */
const SEGMENT_MB = 16;

describe('the maintenance of the embedded database', () => {
  let dir: string;
  let sql: EmbeddedSql;
  let database: Database;
  const never = new AbortController().signal;

  const open = async (): Promise<void> => {
    sql = await startEmbeddedSql(dir);
    database = new Database(sql.connectionString, EMBEDDED_SQL_CONNECTIONS);
  };
  const close = async (): Promise<void> => {
    await database.close();
    await sql.close();
  };

  beforeAll(async () => {
    dir = join(mkdtempSync(join(tmpdir(), 'ses-maintenance-')), 'sql');
    await open();
    await database.query({ text: 'create schema read_model' });
    await database.query({ text: 'create schema service' });
  });
  beforeEach(() =>
    database.query({ text: 'create table read_model.days (id bigint primary key, body text)' }),
  );
  afterEach(() => database.query({ text: 'drop table read_model.days' }));
  afterAll(async () => {
    await close();
    rmSync(dir, { recursive: true, force: true });
  });

  const queryOne = async (text: string): Promise<number> => {
    const [row] = await database.query<{ value: string }>({ text: `select (${text}) as value` });
    return Number(row?.value);
  };

  /** Flushes the statistics, which PostgreSQL otherwise reports at most once a second. */
  const flushStatistics = (): Promise<unknown> =>
    database.query({ text: 'select pg_stat_force_next_flush()' });

  /** Writes the rows of one day and deletes all of them at its end. */
  const runDay = async (number: number): Promise<void> => {
    await database.query({
      text: `insert into days select ${number} * 20000 + g, repeat('x', 200) from generate_series(1, 20000) g`,
    });
    await database.query({ text: 'delete from days' });
    await flushStatistics();
  };

  it('makes the space of deleted rows available again', async () => {
    const maintenance = new Maintenance(database);
    const sizes: number[] = [];
    for (let number = 0; number < 5; number += 1) {
      await runDay(number);
      await maintenance.maintain(never);
      sizes.push(await queryOne(`pg_total_relation_size('days')`));
    }
    // An index page that was emptied is used again only after the next day.
    expect(sizes.at(-1)).toBeLessThanOrEqual(sizes[2] ?? 0);
  });

  it('also frees the space of rows that an earlier process deleted', async () => {
    await runDay(0);
    await close();
    await open();
    const before = await queryOne(`pg_relation_size('days')`);
    await new Maintenance(database).maintain(never);
    expect(await queryOne(`pg_relation_size('days')`)).toBeLessThan(before);
  });

  it('updates the planner’s row counts', async () => {
    await database.query({ text: 'insert into days select g from generate_series(1, 3000) g' });
    await flushStatistics();
    await new Maintenance(database).maintain(never);
    expect(await queryOne(`select reltuples from pg_class where relname = 'days'`)).toBe(3_000);
  });

  it('freezes old rows in every database, so that transaction ids do not run out', async () => {
    await database.query({
      text: `do $$ begin for i in 1..2000 loop
        begin insert into read_model.days values (i); exception when others then null; end;
      end loop; end $$`,
    });
    const age = 'select max(age(datfrozenxid)) from pg_database';
    expect(await queryOne(age)).toBeGreaterThan(2_000);
    await new Maintenance(database, 1_000).maintain(never);
    expect(await queryOne(age)).toBeLessThan(1_000);
  });

  it('does nothing if nothing changes', async () => {
    await database.query({ text: 'insert into days values (1)' });
    let done: string[] = [];
    const watched = {
      query: <Row extends object>(query: Query) => {
        if (!query.text.startsWith('select')) done.push(query.text);
        return database.query<Row>(query);
      },
    };
    const maintenance = new Maintenance(watched);
    await maintenance.maintain(never);
    expect(done).toContain('vacuum (analyze, freeze false) read_model.days');
    await until('a look that finds nothing to do', async () => {
      done = [];
      await flushStatistics();
      await maintenance.maintain(never);
      return done.length === 0;
    });
  });

  it('keeps the write-ahead log short', async () => {
    const countSegments = () => readdirSync(join(dir, 'pg_wal')).length;
    const maintenance = new Maintenance(database);
    for (let round = 0; round < 3; round += 1) {
      for (let number = 0; number < 10; number += 1) {
        await database.query({
          text: `insert into days select ${number} * 20000 + g, repeat('x', 1000) from generate_series(1, 20000) g`,
        });
        await database.query({ text: 'truncate days' });
      }
      await maintenance.maintain(never);
    }
    expect(countSegments() * SEGMENT_MB).toBeLessThan(480);
  });
});
