import { jsonEvent } from '@eventstore/db-client';
import { EventStoreConnection } from '../../src/event-store/connection';
import { Directory } from '../../src/event-store/directory';
import { type Decider, type Fact, unreachable } from '../../src/kernel/decider';
import { ContractStore, unique } from '../support/store-contract';

type Switched = Fact<'switch.on', object> | Fact<'switch.off', object>;

const switchAggregate: Decider<boolean, Switched> = {
  initialState: () => false,
  evolve: (_, fact) => {
    switch (fact.type) {
      case 'switch.on':
        return true;
      case 'switch.off':
        return false;
      default:
        return unreachable(fact);
    }
  },
};

const PATIENCE_MS = 10_000;

describe('a directory', () => {
  const category = unique('switch');
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

  const write = async (stream: string, ...types: string[]): Promise<void> => {
    const metadata = { schema: 'v1', at: '2026-03-10T12:00:00.000Z', command: 'c' };
    const events = types.map((type) => jsonEvent({ type, data: {}, metadata }));
    await connection.client.appendToStream(stream, events);
  };

  it('leaves out what only a later version of the service knows, and goes on', async () => {
    const [first, second] = [`${category}-1`, `${category}-2`];
    await write(first, 'switch.on', 'switch.dimmed');
    await write(second, 'switch.dimmed', 'switch.on');
    const directory = new Directory<boolean, Switched>({
      connection,
      category,
      decider: switchAggregate,
      events: { 'switch.on': {}, 'switch.off': {} },
    });
    const stop = new AbortController();
    const following = directory.follow(stop.signal);
    await directory.whenKnown(second, 1, PATIENCE_MS);
    expect([directory.get(first), directory.get(second)]).toEqual([true, true]);
    await write(first, 'switch.dimmed', 'switch.off');
    await directory.whenKnown(first, 3, PATIENCE_MS);
    expect(directory.get(first)).toBe(false);
    stop.abort();
    await following;
  });
});
