import { Readable } from 'node:stream';
import type { EventStoreConnection } from '../../event-store/connection';
import { log } from '../../ops/log';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import type { Database } from '../../read-models/database';
import { Readiness } from './readiness';

describe('the readiness of a process', () => {
  let lines: [level: string, line: object, message: string][];
  let acceptsWrites: boolean;
  let disk: string;
  let readiness: Readiness;

  beforeEach(() => {
    lines = [];
    for (const level of ['info', 'warn'] as const) {
      jest.spyOn(log, level).mockImplementation(((line: object, message: string) => {
        lines.push([level, line, message]);
      }) as never);
    }
    acceptsWrites = true;
    disk = 'ok';
    const connection = {
      client: { readStream: () => Readable.from([]) },
    } as unknown as EventStoreConnection;
    const database = { acceptsWrites: () => Promise.resolve(acceptsWrites) } as unknown as Database;
    const freshness = { isComplete: () => Promise.resolve(true) } as unknown as ReadYourWrites;
    readiness = new Readiness(connection, database, freshness);
    readiness.observe('disk', () => disk);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is logged once for each change and not for each probe', async () => {
    readiness.logChanges();
    await readiness.check();
    acceptsWrites = false;
    await readiness.check();
    await readiness.check();
    disk = 'full';
    await readiness.check();
    [acceptsWrites, disk] = [true, 'ok'];
    await readiness.check();
    await readiness.check();
    expect(lines).toEqual([
      ['warn', { ready: false, failing: { database: 'read_only' } }, 'readiness.changed'],
      [
        'warn',
        { ready: false, failing: { disk: 'full', database: 'read_only' } },
        'readiness.changed',
      ],
      ['info', { ready: true, failing: {} }, 'readiness.changed'],
    ]);
  });

  it('is not logged during the start, which reports what it waits for', async () => {
    disk = 'full';
    await readiness.check();
    expect(lines).toEqual([]);
    readiness.logChanges();
    await readiness.check();
    expect(lines).toHaveLength(1);
  });
});
