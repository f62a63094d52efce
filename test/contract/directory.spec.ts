import { jsonEvent } from '@eventstore/db-client';
import { EventStoreConnection } from '../../src/event-store/connection';
import { Directory } from '../../src/event-store/directory';
import type { JsonObject } from '../../src/kernel/json';
import { type Decider, type Fact, unreachable } from '../../src/kernel/decider';
import type { Scope } from '../../src/kernel/scope';
import {
  ContractStore,
  createUniqueName,
} from '../../packages/embedded-eventstore/test/support/store-contract';

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

type Opened = Fact<'room.opened', { floor: string }> | Fact<'room.closed', object>;

interface Room {
  readonly scope: Scope | null;
  readonly open: boolean;
}

const roomAggregate: Decider<Room, Opened> = {
  initialState: () => ({ scope: null, open: false }),
  evolve: (room, { type, data }) =>
    type === 'room.closed'
      ? { scope: null, open: false }
      : { scope: { tenantId: data.floor, environment: 'test' }, open: true },
};

class Rooms extends Directory<Room, Opened> {
  listFloorFlags(floor: string): boolean[] {
    return this.findInScope({ tenantId: floor, environment: 'test' }).map(({ open }) => open);
  }
}

const WAIT_LIMIT_MS = 10_000;

describe('a directory', () => {
  const category = createUniqueName('switch');
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

  const writeFact = async (stream: string, type: string, data: JsonObject): Promise<void> => {
    const metadata = { schema: 'v1', at: '2026-03-10T12:00:00.000Z', command: 'c' };
    await connection.client.appendToStream(stream, jsonEvent({ type, data, metadata }));
  };

  const write = async (stream: string, ...types: string[]): Promise<void> => {
    for (const type of types) await writeFact(stream, type, {});
  };

  it('skips events that only a later version of the service knows, and continues', async () => {
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
    await directory.waitForRevision(second, 1, WAIT_LIMIT_MS);
    expect([directory.get(first), directory.get(second)]).toEqual([true, true]);
    await write(first, 'switch.dimmed', 'switch.off');
    await directory.waitForRevision(first, 3, WAIT_LIMIT_MS);
    expect(directory.get(first)).toBe(false);
    stop.abort();
    await following;
  });

  it('lists the objects of an environment in the order of creation', async () => {
    const rooms = createUniqueName('room');
    const directory = new Rooms({
      connection,
      category: rooms,
      decider: roomAggregate,
      events: { 'room.opened': {}, 'room.closed': {} },
      readScope: ({ scope }) => scope,
    });
    const stop = new AbortController();
    const following = directory.follow(stop.signal);
    for (const [id, floor] of Object.entries({ 1: 'a', 2: 'b', 3: 'a' })) {
      await writeFact(`${rooms}-${id}`, 'room.opened', { floor });
    }
    await write(`${rooms}-1`, 'room.closed');
    await directory.waitForRevision(`${rooms}-1`, 1, WAIT_LIMIT_MS);
    expect(['a', 'b', 'c'].map((floor) => directory.listFloorFlags(floor))).toEqual([
      [false, true],
      [true],
      [],
    ]);
    stop.abort();
    await following;
  });
});
