import type { EventStoreDBClient } from '@eventstore/db-client';
import {
  END,
  eventTypeFilter,
  type Filter,
  PARK,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionExistsError,
  type PersistentSubscriptionToAllSettings,
  persistentSubscriptionToAllSettingsFromDefaults as settings,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import {
  consume,
  ContractStore,
  embeddedOnly,
  createNumbered,
  createNumberedUpTo,
  readNumber,
  createUniqueName,
} from '../support/store-contract';
import { until } from '../support/until';

describe('persistent subscriptions to $all', () => {
  let store: ContractStore;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    store = await ContractStore.start();
    client = store.client;
  });
  afterAll(() => store.close());

  const create = async (
    filter: Filter | undefined,
    changes: Partial<PersistentSubscriptionToAllSettings> = {},
  ): Promise<string> => {
    const name = createUniqueName('all');
    const all = settings({ startFrom: START, ...changes });
    await client.createPersistentSubscriptionToAll(name, all, filter ? { filter } : {});
    return name;
  };
  const connect = (group: string) => client.subscribeToPersistentSubscriptionToAll(group);
  const createFilter = (prefix: string) => streamNameFilter({ prefixes: [prefix] });

  it('filter old and new events by the names of their streams', async () => {
    const prefix = createUniqueName('a');
    await client.appendToStream(`${prefix}-1`, createNumberedUpTo(2));
    const group = await create(createFilter(prefix));
    const seen = consume(connect(group), 3);
    await client.appendToStream(`${prefix}-2`, createNumbered(2));
    expect((await seen).map(readNumber)).toEqual([0, 1, 2]);
  });

  it('filter by an expression for the event type', async () => {
    const type = createUniqueName('type');
    await client.appendToStream(createUniqueName('a-'), [
      { ...createNumbered(4), type },
      createNumbered(5),
    ]);
    const group = await create(eventTypeFilter({ regex: `^${type}$` }));
    const seen = consume(connect(group), 2);
    await client.appendToStream(createUniqueName('a-'), [
      createNumbered(6),
      { ...createNumbered(7), type },
    ]);
    expect((await seen).map(readNumber)).toEqual([4, 7]);
  });

  it('begin at a position, inclusive, or at the end', async () => {
    const stream = createUniqueName('a-');
    await client.appendToStream(stream, createNumbered(0));
    const { position } = await client.appendToStream(stream, createNumbered(1));
    const at = await create(createFilter(stream), { startFrom: position ?? START });
    const end = await create(createFilter(stream), { startFrom: END });
    const fromEnd = consume(connect(end), 1);
    await client.appendToStream(stream, createNumbered(2));
    expect((await consume(connect(at), 2)).map(readNumber)).toEqual([1, 2]);
    expect((await fromEnd).map(readNumber)).toEqual([2]);
  });

  it('refuse a start after the end, or with its two positions in the wrong order', async () => {
    const far = { commit: 10n ** 15n, prepare: 10n ** 15n };
    await expect(create(undefined, { startFrom: far })).rejects.toThrow();
    await expect(create(undefined, { startFrom: { commit: 1n, prepare: 2n } })).rejects.toThrow();
  });

  it('deliver every event without a filter, except their own checkpoints', async () => {
    const group = await create(undefined);
    const { position } = await client.appendToStream(createUniqueName('a-'), createNumbered(0));
    const subscription = connect(group);
    const streams: string[] = [];
    for await (const event of subscription) {
      await subscription.ack(event);
      streams.push(event.event?.streamId ?? '');
      if ((event.commitPosition ?? event.event?.position.commit) === position?.commit) break;
    }
    expect(streams.filter((name) => name.startsWith('$persistentsubscription-$all'))).toEqual([]);
    expect(streams.some((name) => name.startsWith('$'))).toBe(true);
  });

  it('park events, report their number, and replay them', async () => {
    const prefix = createUniqueName('a');
    await client.appendToStream(`${prefix}-1`, createNumberedUpTo(2));
    const group = await create(createFilter(prefix));
    const first = connect(group);
    await consume(first, 2, (event) => first.nack(PARK, 'later', event));
    await until('both to be parked', async () => {
      const { stats } = await client.getPersistentSubscriptionToAllInfo(group);
      return stats.parkedMessageCount === 2n;
    });
    await client.replayParkedMessagesToAll(group);
    expect((await consume(connect(group), 2)).map(readNumber)).toEqual([0, 1]);
  });

  it('are created, listed, changed and deleted', async () => {
    const group = await create(createFilter('x'), { maxRetryCount: 3 });
    await expect(
      client.createPersistentSubscriptionToAll(group, settings()),
    ).rejects.toBeInstanceOf(PersistentSubscriptionExistsError);
    await client.updatePersistentSubscriptionToAll(group, settings({ maxRetryCount: 4 }));
    const listed = await client.listPersistentSubscriptionsToAll();
    const found = listed.find(({ groupName }) => groupName === group);
    expect(found?.settings.maxRetryCount).toBe(4);
    await client.deletePersistentSubscriptionToAll(group);
    await expect(client.deletePersistentSubscriptionToAll(group)).rejects.toBeInstanceOf(
      PersistentSubscriptionDoesNotExistError,
    );
  });

  embeddedOnly('restarts the server')('continue after a restart with their filter', async () => {
    const prefix = createUniqueName('a');
    const group = await create(createFilter(prefix), {
      checkPointLowerBound: 1,
      checkPointUpperBound: 1,
    });
    await client.appendToStream(`${prefix}-1`, createNumberedUpTo(2));
    await consume(connect(group), 2);
    await until('a checkpoint', async () => {
      const { stats } = await client.getPersistentSubscriptionToAllInfo(group);
      return stats.lastCheckpointedEventPosition !== undefined;
    });
    await store.restart();
    client = store.client;
    await client.appendToStream(createUniqueName('other-'), createNumbered(8));
    await client.appendToStream(`${prefix}-1`, createNumbered(9));
    const seen = await until('the new event', async () => {
      const [event] = await consume(connect(group), 1);
      return readNumber(event!) === 9;
    });
    expect(seen).toBe(true);
  });
});
