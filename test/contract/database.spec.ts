import type { Database, Session, WritingSession } from '../../src/read-models/database';
import type { ChangeStatement } from '../../src/read-models/statement-batch';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';

describe.each(databases)('the SQL database, on $name SQL', (which) => {
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(which));
  });

  afterAll(() => close());

  const runNamed = (name: string): Promise<{ n: number }[]> =>
    sql.query<{ n: number }>({ name, text: 'select $1::int + 1 as n', values: [1] });

  const FAILING = [
    ['a query', () => sql.query({ text: 'select 1 / 0' })],
    ['a named query', () => sql.query({ name: 'bad', text: 'select 1 / $1::int', values: [0] })],
    ['a transaction', () => sql.transaction((session) => session.query({ text: 'select 1 / 0' }))],
  ] as const;

  it.each(FAILING)(
    'continues to use its prepared statements when %s has failed',
    async (_, fail) => {
      expect(await runNamed('sum')).toEqual([{ n: 2 }]);
      for (let time = 0; time < 3; time += 1) {
        await expect(fail()).rejects.toThrow('division by zero');
        expect(await runNamed('sum')).toEqual([{ n: 2 }]);
        expect(await runNamed('another sum')).toEqual([{ n: 2 }]);
      }
    },
  );

  describe('changes that are made together', () => {
    const NOTE = { text: 'insert into pg_temp.notes values ($1, $2)' };
    const note = (id: string, text: string | null): ChangeStatement => ({
      ...NOTE,
      values: [id, text],
    });
    const readNotes = (session: Session): Promise<object[]> =>
      session.query({ text: 'select * from pg_temp.notes order by id' });
    const FAILS: ChangeStatement = { text: 'select 1 / $1::int', values: ['0'] };

    /** Runs work inside one transaction, because a temporary table lives on one connection. */
    const runInTransaction = <T>(work: (session: WritingSession) => Promise<T>): Promise<T> =>
      sql.transaction(async (session) => {
        await session.query({
          text: 'create temporary table notes (id int primary key, text text) on commit drop',
        });
        return work(session);
      });

    it('are all made, each statement as often as it is given', async () => {
      const found = await runInTransaction(async (session) => {
        await session.change([note('1', 'a'), note('2', null)]);
        await session.change([note('3', 'c')]);
        return readNotes(session);
      });
      expect(found).toEqual([
        { id: 1, text: 'a' },
        { id: 2, text: null },
        { id: 3, text: 'c' },
      ]);
    });

    it('are not made at all when one of them fails, and can then be repeated', async () => {
      const found = await runInTransaction(async (session) => {
        await session.query({ text: 'savepoint before' });
        const failing = session.change([note('1', 'a'), FAILS, note('2', 'b')]);
        await expect(failing).rejects.toThrow('division by zero');
        await session.query({ text: 'rollback to savepoint before' });
        await session.change([note('2', 'b')]);
        return readNotes(session);
      });
      expect(found).toEqual([{ id: 2, text: 'b' }]);
    });

    it('are one transaction also outside of any other', async () => {
      await sql.query({ text: 'create table if not exists public.kept (id int)' });
      const insert: ChangeStatement = {
        text: 'insert into public.kept values ($1)',
        values: ['1'],
      };
      await expect(sql.change([insert, FAILS])).rejects.toThrow('division by zero');
      expect(await sql.query({ text: 'select * from public.kept' })).toEqual([]);
      await sql.change([insert]);
      expect(await sql.query({ text: 'select * from public.kept' })).toEqual([{ id: 1 }]);
    });
  });
});
