import { RowChanges, type Row, type Table } from '../../src/projections/rows';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';

const THINGS: Table = { name: 'things', key: ['scope', 'id'] };

describe.each(databases)('row changes, on $name SQL', (database) => {
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(database));
    await migrate(sql);
    await sql.query({
      text: `create table read_model.things (scope text, id text collate "C", title text, count bigint,
        at timestamptz, extra json, primary key (scope, id))`,
    });
  });

  beforeEach(() => sql.query({ text: 'truncate things' }));
  afterAll(() => close());

  const write = (change: (changes: RowChanges) => void): Promise<void> => {
    const changes = new RowChanges();
    change(changes);
    return sql.transaction((session) => changes.write(session));
  };
  const readRows = (): Promise<Row[]> =>
    sql.query<Row>({ text: 'select * from things order by scope, id' });

  it('remove a range of a scope, including rows set in the batch, and nothing that comes later', async () => {
    await write((changes) => {
      for (const id of ['a_1', 'a_2', 'b_1']) changes.upsert(THINGS, { scope: 's', id });
      changes.upsert(THINGS, { scope: 't', id: 'a_1' });
    });
    await write((changes) => {
      changes.upsert(THINGS, { scope: 's', id: 'a_3' });
      changes.removeRange(THINGS, { scope: 's', column: 'id', prefix: 'a_' });
      changes.upsert(THINGS, { scope: 's', id: 'a_4' });
      expect(changes.listPending()).toEqual([[THINGS, [{ scope: 's', id: 'a_4' }]]]);
    });
    expect((await readRows()).map(({ scope, id }) => [scope, id])).toEqual([
      ['s', 'a_4'],
      ['s', 'b_1'],
      ['t', 'a_1'],
    ]);
  });

  it('insert, and set only the given columns of an existing row', async () => {
    await write((changes) => {
      changes.upsert(THINGS, { scope: 's', id: 'a', title: 'A', count: 1 });
      changes.upsert(THINGS, { scope: 's', id: 'b', title: 'B', count: 1 });
    });
    await write((changes) => {
      changes.upsert(THINGS, { scope: 's', id: 'a', count: 2 });
    });
    expect(await readRows()).toMatchObject([
      { id: 'a', title: 'A', count: '2' },
      { id: 'b', title: 'B', count: '1' },
    ]);
  });

  it('write a row that changes several times in a batch once, with its last values', async () => {
    await write((changes) => {
      changes.upsert(THINGS, { scope: 's', id: 'a', title: 'first', count: 1 });
      changes.upsert(THINGS, { scope: 's', id: 'a', title: 'last' });
    });
    expect(await readRows()).toMatchObject([{ id: 'a', title: 'last', count: '1' }]);
  });

  it('remove, and allow a removed row to return in the same batch', async () => {
    await write((changes) => {
      changes.upsert(THINGS, { scope: 's', id: 'a', title: 'A' });
      changes.upsert(THINGS, { scope: 's', id: 'b', title: 'B' });
    });
    await write((changes) => {
      changes.remove(THINGS, { scope: 's', id: 'a' });
      changes.remove(THINGS, { scope: 's', id: 'b' });
      changes.upsert(THINGS, { scope: 's', id: 'b', title: 'again' });
    });
    expect(await readRows()).toMatchObject([{ id: 'b', title: 'again' }]);
  });

  it('keep values exactly: milliseconds, nulls, key order, quotes and any script', async () => {
    const title = `it's "quoted" \\ 日本 🎈`;
    const extra = { z: 1, a: { deep: [null, title] } };
    await write((changes) => {
      changes.upsert(THINGS, {
        scope: 's',
        id: 'a',
        title,
        count: null,
        at: '2026-02-28T23:59:59.123Z',
        extra,
      });
    });
    const [row] = await readRows();
    expect(row).toMatchObject({ title, count: null, at: '2026-02-28T23:59:59.123Z' });
    expect(JSON.stringify(row?.['extra'])).toBe(JSON.stringify(extra));
  });

  it('write nothing when a statement in the transaction fails', async () => {
    const failing = write((changes) => {
      changes.upsert(THINGS, { scope: 's', id: 'a', title: 'A' });
      changes.runAfterRows({ text: 'select 1 / $1::int', values: ['0'] });
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await readRows()).toEqual([]);
  });
});
