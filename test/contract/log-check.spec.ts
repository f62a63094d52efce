import { readNewestPosition } from '../../src/event-store/catch-up';
import { EventStoreConnection } from '../../src/event-store/connection';
import { checkLog } from '../../src/projections/log-check';
import type { Database } from '../../src/read-models/database';
import {
  ContractStore,
  createNumbered,
  createUniqueName,
} from '../../packages/embedded-eventstore/test/support/store-contract';
import { until } from '../support/until';

/** A database whose read models end at a position. */
const createDatabaseAt = (commit: bigint): Database => {
  const position = { commit: commit.toString(), prepare: commit.toString() };
  const row = { ...position, complete: true, owner: null, age_ms: '0' };
  return { query: () => Promise.resolve([row]) } as unknown as Database;
};

/** The number of calls that the client waits for when it closes. */
const openCalls = ({ client }: EventStoreConnection): number =>
  (client as unknown as { disposableStreams: ReadonlySet<unknown> }).disposableStreams.size;

describe('the check that the read models belong to the log', () => {
  const { signal } = new AbortController();
  let store: ContractStore;
  let connection: EventStoreConnection;

  beforeAll(async () => {
    store = await ContractStore.start();
    connection = new EventStoreConnection(store.connectionString);
    await store.client.appendToStream(
      createUniqueName('log-check-'),
      [0, 1, 2].map(createNumbered),
    );
  });

  afterAll(async () => {
    await connection.close();
    await store.close();
  });

  it('accepts a position of the log, and leaves no call open that would delay a stop', async () => {
    const newest = await readNewestPosition(connection);
    await checkLog({ connection, database: createDatabaseAt(newest?.commit ?? -1n) }, signal);
    await until('no call is open', () => openCalls(connection) === 0);
  });

  it('refuses a position after the end of the log', async () => {
    const newest = await readNewestPosition(connection);
    const later = (newest?.commit ?? 0n) + 1_000_000n;
    const check = checkLog({ connection, database: createDatabaseAt(later) }, signal);
    await expect(check).rejects.toThrow('the SQL database has read models up to position');
  });
});
