import { MINUTE_MS } from '../../kernel/time';
import type { Query } from '../../read-models/database';
import { ApiKeyUses } from './api-key.uses';

const startMs = Date.parse('2026-03-01T12:00:00Z');

/** A database that records the values of each statement. It fails the given number of times. */
class StatementRecorder {
  readonly written: unknown[] = [];
  failures = 0;

  query<Row extends object>({ values }: Query): Promise<Row[]> {
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new Error('the database is away'));
    }
    this.written.push(values);
    return Promise.resolve([]);
  }
}

describe('uses of API keys', () => {
  it('are written at most once a minute per key, and for all keys in one statement', async () => {
    const database = new StatementRecorder();
    const uses = new ApiKeyUses(database);
    uses.note('a', startMs);
    uses.note('a', startMs + 1_000);
    uses.note('b', startMs + 2_000);
    await uses.write();
    uses.note('a', startMs + MINUTE_MS - 1);
    await uses.write();
    uses.note('a', startMs + MINUTE_MS);
    await uses.write();
    expect(database.written).toEqual([
      [
        ['a', 'b'],
        ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:02.000Z'],
      ],
      [['a'], ['2026-03-01T12:01:00.000Z']],
    ]);
  });

  it('are written later if the database was unavailable', async () => {
    const database = new StatementRecorder();
    const uses = new ApiKeyUses(database);
    database.failures = 1;
    uses.note('a', startMs);
    await expect(uses.write()).rejects.toThrow('away');
    await uses.write();
    expect(database.written).toEqual([[['a'], ['2026-03-01T12:00:00.000Z']]]);
  });
});
