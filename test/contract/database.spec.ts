import type { Database } from '../../src/read-models/database';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';

describe.each(databases)('the SQL database, on $name SQL', (which) => {
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(which));
  });

  afterAll(() => close());

  const named = (name: string): Promise<{ n: number }[]> =>
    sql.query<{ n: number }>({ name, text: 'select $1::int + 1 as n', values: [1] });

  const FAILING = [
    ['a query', () => sql.query({ text: 'select 1 / 0' })],
    ['a named query', () => sql.query({ name: 'bad', text: 'select 1 / $1::int', values: [0] })],
    ['a transaction', () => sql.transaction((session) => session.query({ text: 'select 1 / 0' }))],
  ] as const;

  it.each(FAILING)('goes on with its prepared statements when %s has failed', async (_, fail) => {
    expect(await named('sum')).toEqual([{ n: 2 }]);
    for (let time = 0; time < 3; time += 1) {
      await expect(fail()).rejects.toThrow('division by zero');
      expect(await named('sum')).toEqual([{ n: 2 }]);
      expect(await named('another sum')).toEqual([{ n: 2 }]);
    }
  });
});
