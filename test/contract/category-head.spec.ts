import { jsonEvent } from '@eventstore/db-client';
import { EventStoreConnection } from '../../src/event-store/connection';
import { readCategoryHead } from '../../src/event-store/groups';
import {
  ContractStore,
  createUniqueName,
} from '../../packages/embedded-eventstore/test/support/store-contract';
import { until } from '../support/until';

describe('the head of a category', () => {
  let store: ContractStore;
  let connection: EventStoreConnection;

  beforeAll(async () => {
    store = await ContractStore.start({ projections: true });
    connection = new EventStoreConnection(store.connectionString);
  });
  afterAll(async () => {
    await connection.close();
    await store.close();
  });

  const append = async (stream: string): Promise<string> => {
    const metadata = { schema: 'v1', at: '2026-01-01T00:00:00.000Z', command: 'c' };
    const event = jsonEvent({ type: 'fact', data: {}, metadata });
    const { position } = await store.client.appendToStream(stream, [event]);
    return String(position?.commit);
  };

  it('counts links whose events are deleted, and the links of the deletions', async () => {
    const category = createUniqueName('c');
    const links = `$ce-${category}`;
    expect(await readCategoryHead(connection, links)).toEqual({ revision: 0, position: '0' });

    const position = await append(`${category}-kept`);
    for (const stream of [`${category}-a`, `${category}-b`]) await append(stream);
    await until(
      'the links',
      async () => (await readCategoryHead(connection, links)).revision === 3,
    );
    for (const stream of [`${category}-a`, `${category}-b`])
      await store.client.deleteStream(stream);
    const waitForRevision = (revision: number): Promise<unknown> =>
      until('the links of the deletions', async () => {
        return (await readCategoryHead(connection, links)).revision === revision;
      });
    await waitForRevision(5);
    expect(await readCategoryHead(connection, links)).toEqual({ revision: 5, position });

    await store.client.deleteStream(`${category}-kept`);
    await waitForRevision(6);
    expect(await readCategoryHead(connection, links)).toEqual({ revision: 6, position: '0' });
  });
});
