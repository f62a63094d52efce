import type { EventStoreDBClient } from '@eventstore/db-client';
import {
  DISPATCH_TO_SINGLE,
  END,
  PARK,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionDroppedError,
  PersistentSubscriptionExistsError,
  PersistentSubscriptionMaximumSubscribersReachedError,
  type PersistentSubscriptionToStreamSettings,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  PINNED,
  RETRY,
  ROUND_ROBIN,
  SKIP,
  START,
  STOP,
} from '@eventstore/db-client';
import { once } from 'node:events';
import {
  collect,
  consume,
  ContractStore,
  embeddedOnly,
  failure,
  numbered,
  numberedUpTo,
  numberOf,
  unique,
} from '../support/store-contract';
import { until } from '../support/until';

describe('persistent subscriptions to a stream', () => {
  let store: ContractStore;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    store = await ContractStore.start();
    client = store.client;
  });
  afterAll(() => store.close());

  const GROUP = 'group';

  /** A stream of `events` and a group on it. */
  const group = async (
    events: number,
    changes: Partial<PersistentSubscriptionToStreamSettings> = {},
  ): Promise<string> => {
    const stream = unique('g-');
    if (events > 0) await client.appendToStream(stream, numberedUpTo(events));
    const all = settings({ startFrom: START, ...changes });
    await client.createPersistentSubscriptionToStream(stream, GROUP, all);
    return stream;
  };
  const connect = (stream: string, bufferSize = 10) =>
    client.subscribeToPersistentSubscriptionToStream(stream, GROUP, { bufferSize });
  const info = (stream: string) => client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
  const parked = async (stream: string) => (await info(stream)).stats.parkedMessageCount;

  /** An answer that is followed at once by the end of the call may be lost: wait for its effect. */
  const isParked = (stream: string, events: number): Promise<unknown> =>
    until(`${events} to be parked`, async () => (await parked(stream)) === BigInt(events));

  describe('begin', () => {
    it('at the start of the stream, and continue with live events', async () => {
      const stream = await group(2);
      const seen = consume(connect(stream), 3);
      await client.appendToStream(stream, numbered(2));
      expect((await seen).map(numberOf)).toEqual([0, 1, 2]);
    });

    it('at a revision, which is itself delivered', async () => {
      const stream = await group(3, { startFrom: 1n });
      expect((await consume(connect(stream), 2)).map(numberOf)).toEqual([1, 2]);
    });

    it('at the end, and deliver only later events', async () => {
      const stream = await group(2, { startFrom: END });
      const seen = consume(connect(stream), 1);
      await client.appendToStream(stream, numbered(2));
      expect((await seen).map(numberOf)).toEqual([2]);
    });

    it('before their stream exists', async () => {
      const stream = await group(0);
      const seen = consume(connect(stream), 1);
      await client.appendToStream(stream, numbered(0));
      expect((await seen).map(numberOf)).toEqual([0]);
    });
  });

  describe('answers', () => {
    it('with "retry" deliver the event again at once, before later events, and count', async () => {
      const stream = await group(2);
      const subscription = connect(stream, 1);
      const seen = await consume(subscription, 4, (event, i) =>
        i < 2 ? subscription.nack(RETRY, 'again', event) : subscription.ack(event),
      );
      expect(seen.map(numberOf)).toEqual([0, 0, 0, 1]);
      expect(seen.map(({ retryCount }) => retryCount)).toEqual([0, 1, 2, 0]);
    });

    it('with "retry" park the event after the last retry', async () => {
      const stream = await group(1, { maxRetryCount: 2 });
      const subscription = connect(stream);
      const seen = await consume(subscription, 3, async (event, i) => {
        await subscription.nack(RETRY, 'never works', event);
        if (i === 2) await isParked(stream, 1);
      });
      expect(seen.map(({ retryCount }) => retryCount)).toEqual([0, 1, 2]);
    });

    it('with "park" park the event at once, with the reason and a link to it', async () => {
      const stream = await group(2);
      const subscription = connect(stream);
      await consume(subscription, 2, async (event, i) => {
        if (i === 0) await subscription.nack(PARK, 'bad', event);
        else {
          await subscription.ack(event);
          await isParked(stream, 1);
        }
      });
      const name = `$persistentsubscription-${stream}::${GROUP}-parked`;
      const [entry] = await collect(client.readStream(name, { resolveLinkTos: true }));
      expect(entry?.event).toMatchObject({ streamId: stream, revision: 0n });
      expect(entry?.link?.type).toBe('$>');
    });

    it.each([
      ['skip', SKIP],
      ['stop', STOP],
    ] as const)('%s is done with', async (_, action) => {
      const stream = await group(2);
      const first = connect(stream);
      await consume(first, 1, (event) => first.nack(action, 'not needed', event));
      const second = connect(stream);
      expect((await consume(second, 1)).map(numberOf)).toEqual([1]);
      expect(await parked(stream)).toBe(0n);
    });

    it('that do not come in time make the event be delivered again, then parked', async () => {
      const stream = await group(1, { messageTimeout: 200, maxRetryCount: 1 });
      const subscription = connect(stream);
      const seen = await consume(subscription, 2, () => undefined);
      expect(seen.map(({ retryCount }) => retryCount)).toEqual([0, 1]);
      const silent = connect(stream);
      silent.on('data', () => undefined);
      await until('it to be parked', async () => (await parked(stream)) === 1n);
      await silent.unsubscribe();
    });

    it('that a consumer owed when it left make its events go to the next consumer', async () => {
      const stream = await group(3);
      await consume(connect(stream), 3, () => undefined);
      const seen = await consume(connect(stream), 3);
      expect(seen.map(numberOf)).toEqual([0, 1, 2]);
      expect(seen[0]?.retryCount).toBeGreaterThan(0);
    });
  });

  describe('parked events', () => {
    const parkAll = async (events: number): Promise<string> => {
      const stream = await group(events);
      const subscription = connect(stream);
      await consume(subscription, events, async (event, i) => {
        await subscription.nack(PARK, 'later', event);
        if (i === events - 1) await isParked(stream, events);
      });
      return stream;
    };

    it('are delivered again when they are replayed, with a retry count of 0', async () => {
      const stream = await parkAll(3);
      await client.replayParkedMessagesToStream(stream, GROUP);
      const seen = await consume(connect(stream), 3);
      expect(seen.map(numberOf)).toEqual([0, 1, 2]);
      expect(seen.map(({ retryCount }) => retryCount)).toEqual([0, 0, 0]);
      await until('none to be left', async () => (await parked(stream)) === 0n);
    });

    it('are replayed up to a revision of the parked stream', async () => {
      const stream = await parkAll(3);
      await client.replayParkedMessagesToStream(stream, GROUP, { stopAt: 2 });
      expect((await consume(connect(stream), 2)).map(numberOf)).toEqual([0, 1]);
      await isParked(stream, 1);
    });

    it('can be replayed when there are none', async () => {
      const stream = await group(1);
      await client.replayParkedMessagesToStream(stream, GROUP);
      expect((await consume(connect(stream), 1)).map(numberOf)).toEqual([0]);
    });

    embeddedOnly('the real server forgets them when they are replayed')(
      'survive a restart between replay and answer',
      async () => {
        const stream = await parkAll(2);
        await client.replayParkedMessagesToStream(stream, GROUP);
        await consume(connect(stream), 2, () => undefined);
        await store.restart();
        client = store.client;
        await client.replayParkedMessagesToStream(stream, GROUP);
        expect((await consume(connect(stream), 2)).map(numberOf)).toEqual([0, 1]);
      },
    );
  });

  describe('consumers', () => {
    const share = async (strategy: string, perStream: boolean): Promise<number[][]> => {
      const stream = await group(0, { consumerStrategyName: strategy });
      const received: number[][] = [[], []];
      const subscriptions = await Promise.all(
        received.map(async (numbers) => {
          const subscription = connect(stream, 100);
          subscription.on('data', (event) => {
            numbers.push(numberOf(event) ?? -1);
            void subscription.ack(event);
          });
          await once(subscription, 'confirmation');
          return subscription;
        }),
      );
      await until(
        'both to be connected',
        async () => (await info(stream)).connections.length === 2,
      );
      const events = perStream ? 60 : 20;
      await client.appendToStream(stream, numberedUpTo(events));
      await until('all events', () => received.flat().length === events);
      await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()));
      return received;
    };

    it('take turns with the strategy round robin', async () => {
      const [a, b] = await share(ROUND_ROBIN, false);
      expect([a?.length, b?.length]).toEqual([10, 10]);
    });

    it('leave everything to one of them with dispatch to single', async () => {
      const [a, b] = await share(DISPATCH_TO_SINGLE, false);
      expect([a?.length, b?.length].toSorted((x, y) => Number(x) - Number(y))).toEqual([0, 20]);
    });

    it('get all events of one stream with the strategy pinned', async () => {
      const [a, b] = await share(PINNED, true);
      expect([a?.length, b?.length].toSorted((x, y) => Number(x) - Number(y))).toEqual([0, 60]);
    });

    it('get no more events than they have free slots', async () => {
      const stream = await group(10);
      const subscription = connect(stream, 3);
      subscription.on('data', () => undefined);
      await until('three in flight', async () => {
        const { connections } = await info(stream);
        return connections[0]?.inFlightMessages === 3 && connections[0].availableSlots === 0;
      });
      await subscription.unsubscribe();
    });

    it('are limited in number; a slot that is freed can be taken again', async () => {
      const stream = await group(1, { maxSubscriberCount: 1 });
      const first = connect(stream);
      first.on('data', () => undefined);
      await once(first, 'confirmation');
      expect(await failure(connect(stream))).toBeInstanceOf(
        PersistentSubscriptionMaximumSubscribersReachedError,
      );
      await first.unsubscribe();
      await until('the place', async () => (await info(stream)).connections.length === 0);
      expect((await consume(connect(stream), 1)).map(numberOf)).toEqual([0]);
    });
  });

  describe('checkpoints', () => {
    const often = { checkPointLowerBound: 1, checkPointUpperBound: 1 } as const;
    const checkpoint = async (stream: string) =>
      (await info(stream)).stats.lastCheckpointedEventRevision;

    it('are written before the oldest event that is not acknowledged', async () => {
      const stream = await group(4, often);
      const subscription = connect(stream);
      await consume(subscription, 4, (event, i) => (i === 1 ? undefined : subscription.ack(event)));
      await until('a checkpoint', async () => (await checkpoint(stream)) === 0n);
    });

    embeddedOnly('restarts the server')('are the start after a restart', async () => {
      const stream = await group(3, often);
      const subscription = connect(stream);
      await consume(subscription, 2);
      await until('a checkpoint', async () => (await checkpoint(stream)) === 1n);
      await store.restart();
      client = store.client;
      expect((await consume(connect(stream), 1)).map(numberOf)).toEqual([2]);
    });

    embeddedOnly('restarts the server')(
      'that were not reached before a restart make the events be delivered again',
      async () => {
        const stream = await group(3);
        await consume(connect(stream), 3);
        await store.restart();
        client = store.client;
        expect((await consume(connect(stream), 3)).map(numberOf)).toEqual([0, 1, 2]);
      },
    );

    it('are the start after a restart of the subsystem, which drops the consumers', async () => {
      const stream = await group(3, often);
      const subscription = connect(stream);
      await consume(subscription, 1);
      await until('a checkpoint', async () => (await checkpoint(stream)) === 0n);
      const waiting = connect(stream);
      const dropped = failure(waiting);
      await until('the consumer', async () => (await info(stream)).connections.length === 1);
      await client.restartPersistentSubscriptionSubsystem();
      expect(await dropped).toBeInstanceOf(Error);
      expect((await consume(connect(stream), 2)).map(numberOf)).toEqual([1, 2]);
    });
  });

  describe('management', () => {
    it('refuses to create a group twice, and to change or delete one that does not exist', async () => {
      const stream = await group(0);
      await expect(
        client.createPersistentSubscriptionToStream(stream, GROUP, settings()),
      ).rejects.toBeInstanceOf(PersistentSubscriptionExistsError);
      const missing = unique('g-');
      for (const refused of [
        () => client.updatePersistentSubscriptionToStream(missing, GROUP, settings()),
        () => client.deletePersistentSubscriptionToStream(missing, GROUP),
        () => client.getPersistentSubscriptionToStreamInfo(missing, GROUP),
        () => client.replayParkedMessagesToStream(missing, GROUP),
        () => client.listPersistentSubscriptionsToStream(missing),
      ]) {
        await expect(refused()).rejects.toBeInstanceOf(PersistentSubscriptionDoesNotExistError);
      }
      const subscription = client.subscribeToPersistentSubscriptionToStream(missing, GROUP);
      expect(await failure(subscription)).toMatchObject({ streamName: missing, groupName: GROUP });
    });

    it('refuses a group that would read nothing', async () => {
      const created = client.createPersistentSubscriptionToStream(
        unique('s-'),
        GROUP,
        settings({ readBatchSize: 0 }),
      );
      await expect(created).rejects.toThrow();
    });

    embeddedOnly('a real server breaks the connection')(
      'refuses a call with a very long name with a status that reaches the client',
      async () => {
        const asked = client.getPersistentSubscriptionToStreamInfo(
          unique('s-'),
          'ä'.repeat(20_000),
        );
        await expect(asked).rejects.toBeInstanceOf(PersistentSubscriptionDoesNotExistError);
      },
    );

    it('drops the consumers of a group that is updated, which then continues', async () => {
      const stream = await group(2);
      const waiting = connect(stream);
      const dropped = failure(waiting);
      await until('the consumer', async () => (await info(stream)).connections.length === 1);
      const changed = settings({ startFrom: START, maxRetryCount: 77 });
      await client.updatePersistentSubscriptionToStream(stream, GROUP, changed);
      expect(await dropped).toBeInstanceOf(PersistentSubscriptionDroppedError);
      expect((await info(stream)).settings.maxRetryCount).toBe(77);
      expect((await consume(connect(stream), 2)).map(numberOf)).toEqual([0, 1]);
    });

    it('forgets the position of a deleted group', async () => {
      const stream = await group(2, { checkPointLowerBound: 1, checkPointUpperBound: 1 });
      const waiting = connect(stream);
      await consume(waiting, 2);
      await client.deletePersistentSubscriptionToStream(stream, GROUP);
      await client.createPersistentSubscriptionToStream(
        stream,
        GROUP,
        settings({ startFrom: START }),
      );
      expect((await consume(connect(stream), 2)).map(numberOf)).toEqual([0, 1]);
    });

    it('describes settings, state and consumers of a group', async () => {
      const changes = { messageTimeout: 1_234, maxSubscriberCount: 3, extraStatistics: true };
      const stream = await group(5, changes);
      const subscription = connect(stream);
      let taken = 0;
      subscription.on('data', (event) => {
        taken += 1;
        void subscription.ack(event);
      });
      await until('all events', () => taken === 5);
      const found = await until('the answers', async () => {
        const now = await info(stream);
        return now.stats.totalInFlightMessages === 0 && now.status === 'Live' ? now : undefined;
      });
      expect(found).toMatchObject({ eventSource: stream, groupName: GROUP });
      expect(found.settings).toMatchObject(changes);
      expect(found.stats).toMatchObject({ totalItems: 5n, lastKnownEventRevision: 4n });
      expect(found.connections).toHaveLength(1);
      expect([...(found.connections[0]?.extraStatistics?.keys() ?? [])]).toContain('highest');
      await subscription.unsubscribe();
    });

    it('lists the groups of a stream, and all', async () => {
      const stream = await group(0);
      await client.createPersistentSubscriptionToStream(stream, 'other', settings());
      const names = (await client.listPersistentSubscriptionsToStream(stream)).map(
        ({ groupName }) => groupName,
      );
      expect(names.toSorted()).toEqual([GROUP, 'other']);
      const all = await client.listAllPersistentSubscriptions();
      expect(all.filter(({ eventSource }) => eventSource === stream)).toHaveLength(2);
    });
  });
});
