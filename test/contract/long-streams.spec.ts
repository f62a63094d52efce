import { jsonEvent } from '@eventstore/db-client';
import { Aggregates } from '../../src/event-store/aggregates';
import { EventCatalogue } from '../../src/event-store/catalogue';
import { EventStoreConnection } from '../../src/event-store/connection';
import { MasterKey } from '../../src/event-store/master-key';
import { Vault } from '../../src/event-store/vault';
import type { Decider, Fact } from '../../src/kernel/decider';
import {
  ContractStore,
  createUniqueName,
} from '../../packages/embedded-eventstore/test/support/store-contract';

type Counted = Fact<'test.counted', { n: number }>;

const PAGE_EVENTS = 500;

/** A decider that collects the counted numbers in order. */
const tally: Decider<readonly number[], Counted> = {
  initialState: () => [],
  evolve: (numbers, { data }) => [...numbers, data.n],
};

describe('an aggregate with a long stream', () => {
  let store: ContractStore;
  let connection: EventStoreConnection;

  beforeAll(async () => {
    store = await ContractStore.start();
    connection = new EventStoreConnection(store.connectionString);
  });

  afterAll(async () => {
    await connection.close();
    await store.close();
  });

  it.each([0, 1, PAGE_EVENTS - 1, PAGE_EVENTS, PAGE_EVENTS + 1, 3 * PAGE_EVENTS])(
    'of %i events is folded completely, and never held in memory as a whole',
    async (count) => {
      const name = createUniqueName('test-');
      const numbers = Array.from({ length: count }, (_, n) => n);
      const metadata = { schema: 'v1', at: '2026-03-10T12:00:00.000Z', command: 'c' };
      const events = numbers.map((n) => jsonEvent({ type: 'test.counted', data: { n }, metadata }));
      if (count > 0) await connection.client.appendToStream(name, events);
      const reads = jest.spyOn(connection.client, 'readStream');
      const vault = new Vault(connection, new MasterKey(Buffer.alloc(32)));
      const aggregates = new Aggregates(connection, vault, new EventCatalogue([]));
      const { state, revision } = await aggregates.load(tally, { name });
      expect([revision, state]).toEqual([count - 1, numbers]);
      for (const [, options] of reads.mock.calls) expect(options?.maxCount).toBe(PAGE_EVENTS);
      reads.mockRestore();
    },
  );
});
