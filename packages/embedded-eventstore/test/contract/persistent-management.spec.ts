import {
  DISPATCH_TO_SINGLE,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionDroppedError,
  PersistentSubscriptionExistsError,
  PersistentSubscriptionMaximumSubscribersReachedError,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  PINNED,
  ROUND_ROBIN,
  START,
} from '@eventstore/db-client';
import { once } from 'node:events';
import {
  consume,
  embeddedOnly,
  waitForError,
  createNumberedUpTo,
  readNumber,
  createUniqueName,
} from '../support/store-contract';
import { GROUP, GroupStage } from '../support/group-stage';
import { until } from '../support/until';

describe('groups of a stream', () => {
  let stage: GroupStage;

  beforeAll(async () => {
    stage = await GroupStage.start();
  });
  afterAll(() => stage.store.close());

  describe('consumers', () => {
    const distribute = async (strategy: string, perStream: boolean): Promise<number[][]> => {
      const stream = await stage.create(0, { consumerStrategyName: strategy });
      const received: number[][] = [[], []];
      const subscriptions = await Promise.all(
        received.map(async (numbers) => {
          const subscription = stage.connect(stream, 100);
          subscription.on('data', (event) => {
            numbers.push(readNumber(event) ?? -1);
            void subscription.ack(event);
          });
          await once(subscription, 'confirmation');
          return subscription;
        }),
      );
      await until(
        'both to be connected',
        async () => (await stage.readInfo(stream)).connections.length === 2,
      );
      const events = perStream ? 60 : 20;
      await stage.client.appendToStream(stream, createNumberedUpTo(events));
      await until('all events', () => received.flat().length === events);
      await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()));
      return received;
    };

    it('receive events in turn with the strategy round robin', async () => {
      const [a, b] = await distribute(ROUND_ROBIN, false);
      expect([a?.length, b?.length]).toEqual([10, 10]);
    });

    it('receive nothing except one of them, with the strategy dispatch to single', async () => {
      const [a, b] = await distribute(DISPATCH_TO_SINGLE, false);
      expect([a?.length, b?.length].toSorted((x, y) => Number(x) - Number(y))).toEqual([0, 20]);
    });

    it('receive all events of the same stream with the strategy pinned', async () => {
      const [a, b] = await distribute(PINNED, true);
      expect([a?.length, b?.length].toSorted((x, y) => Number(x) - Number(y))).toEqual([0, 60]);
    });

    it('receive no more events than they have free slots', async () => {
      const stream = await stage.create(10);
      const subscription = stage.connect(stream, 3);
      subscription.on('data', () => undefined);
      await until('three in flight', async () => {
        const { connections } = await stage.readInfo(stream);
        return connections[0]?.inFlightMessages === 3 && connections[0].availableSlots === 0;
      });
      await subscription.unsubscribe();
    });

    it('are limited in number, and a new one can replace one that has left', async () => {
      const stream = await stage.create(1, { maxSubscriberCount: 1 });
      const first = stage.connect(stream);
      first.on('data', () => undefined);
      await once(first, 'confirmation');
      expect(await waitForError(stage.connect(stream))).toBeInstanceOf(
        PersistentSubscriptionMaximumSubscribersReachedError,
      );
      await first.unsubscribe();
      await until('the place', async () => (await stage.readInfo(stream)).connections.length === 0);
      expect((await consume(stage.connect(stream), 1)).map(readNumber)).toEqual([0]);
    });
  });

  describe('checkpoints', () => {
    const often = { checkPointLowerBound: 1, checkPointUpperBound: 1 } as const;
    const checkpoint = async (stream: string) =>
      (await stage.readInfo(stream)).stats.lastCheckpointedEventRevision;

    it('are written before the oldest event that is not acknowledged', async () => {
      const stream = await stage.create(4, often);
      const subscription = stage.connect(stream);
      await consume(subscription, 4, (event, i) => (i === 1 ? undefined : subscription.ack(event)));
      await until('a checkpoint', async () => (await checkpoint(stream)) === 0n);
    });

    embeddedOnly('restarts the server')('are the start after a restart', async () => {
      const stream = await stage.create(3, often);
      const subscription = stage.connect(stream);
      await consume(subscription, 2);
      await until('a checkpoint', async () => (await checkpoint(stream)) === 1n);
      await stage.store.restart();
      expect((await consume(stage.connect(stream), 1)).map(readNumber)).toEqual([2]);
    });

    embeddedOnly('restarts the server')(
      'that were not reached before a restart make the events be delivered again',
      async () => {
        const stream = await stage.create(3);
        await consume(stage.connect(stream), 3);
        await stage.store.restart();
        expect((await consume(stage.connect(stream), 3)).map(readNumber)).toEqual([0, 1, 2]);
      },
    );

    it('are the start after a restart of the subsystem, which disconnects the consumers', async () => {
      const stream = await stage.create(3, often);
      const subscription = stage.connect(stream);
      await consume(subscription, 1);
      await until('a checkpoint', async () => (await checkpoint(stream)) === 0n);
      const waiting = stage.connect(stream);
      const dropped = waitForError(waiting);
      await until(
        'the consumer',
        async () => (await stage.readInfo(stream)).connections.length === 1,
      );
      await stage.client.restartPersistentSubscriptionSubsystem();
      expect(await dropped).toBeInstanceOf(Error);
      expect((await consume(stage.connect(stream), 2)).map(readNumber)).toEqual([1, 2]);
    });
  });

  describe('management', () => {
    it('refuses to create a group twice, and to change or delete one that does not exist', async () => {
      const stream = await stage.create(0);
      await expect(
        stage.client.createPersistentSubscriptionToStream(stream, GROUP, settings()),
      ).rejects.toBeInstanceOf(PersistentSubscriptionExistsError);
      const missing = createUniqueName('g-');
      for (const refused of [
        () => stage.client.updatePersistentSubscriptionToStream(missing, GROUP, settings()),
        () => stage.client.deletePersistentSubscriptionToStream(missing, GROUP),
        () => stage.client.getPersistentSubscriptionToStreamInfo(missing, GROUP),
        () => stage.client.replayParkedMessagesToStream(missing, GROUP),
        () => stage.client.listPersistentSubscriptionsToStream(missing),
      ]) {
        await expect(refused()).rejects.toBeInstanceOf(PersistentSubscriptionDoesNotExistError);
      }
      const subscription = stage.client.subscribeToPersistentSubscriptionToStream(missing, GROUP);
      expect(await waitForError(subscription)).toMatchObject({
        streamName: missing,
        groupName: GROUP,
      });
    });

    it('refuses a group that could never read an event', async () => {
      const created = stage.client.createPersistentSubscriptionToStream(
        createUniqueName('s-'),
        GROUP,
        settings({ readBatchSize: 0 }),
      );
      await expect(created).rejects.toThrow();
    });

    embeddedOnly('a real server breaks the connection')(
      'refuses a call with a very long name with a status that reaches the client',
      async () => {
        const asked = stage.client.getPersistentSubscriptionToStreamInfo(
          createUniqueName('s-'),
          'ä'.repeat(20_000),
        );
        await expect(asked).rejects.toBeInstanceOf(PersistentSubscriptionDoesNotExistError);
      },
    );

    it('disconnects the consumers of an updated group, which continues from its checkpoint', async () => {
      const stream = await stage.create(2);
      const waiting = stage.connect(stream);
      const dropped = waitForError(waiting);
      await until(
        'the consumer',
        async () => (await stage.readInfo(stream)).connections.length === 1,
      );
      const changed = settings({ startFrom: START, maxRetryCount: 77 });
      await stage.client.updatePersistentSubscriptionToStream(stream, GROUP, changed);
      expect(await dropped).toBeInstanceOf(PersistentSubscriptionDroppedError);
      expect((await stage.readInfo(stream)).settings.maxRetryCount).toBe(77);
      expect((await consume(stage.connect(stream), 2)).map(readNumber)).toEqual([0, 1]);
    });

    it('deletes the checkpoint of a deleted group', async () => {
      const stream = await stage.create(2, { checkPointLowerBound: 1, checkPointUpperBound: 1 });
      const waiting = stage.connect(stream);
      await consume(waiting, 2);
      await stage.client.deletePersistentSubscriptionToStream(stream, GROUP);
      await stage.client.createPersistentSubscriptionToStream(
        stream,
        GROUP,
        settings({ startFrom: START }),
      );
      expect((await consume(stage.connect(stream), 2)).map(readNumber)).toEqual([0, 1]);
    });

    it('describes settings, state and consumers of a group', async () => {
      const changes = { messageTimeout: 1_234, maxSubscriberCount: 3, extraStatistics: true };
      const stream = await stage.create(5, changes);
      const subscription = stage.connect(stream);
      let taken = 0;
      subscription.on('data', (event) => {
        taken += 1;
        void subscription.ack(event);
      });
      await until('all events', () => taken === 5);
      const found = await until('the answers', async () => {
        const now = await stage.readInfo(stream);
        return now.stats.totalInFlightMessages === 0 && now.status === 'Live' ? now : undefined;
      });
      expect(found).toMatchObject({ eventSource: stream, groupName: GROUP });
      expect(found.settings).toMatchObject(changes);
      expect(found.stats).toMatchObject({ totalItems: 5n, lastKnownEventRevision: 4n });
      expect(found.connections).toHaveLength(1);
      expect([...(found.connections[0]?.extraStatistics?.keys() ?? [])]).toContain('highest');
      await subscription.unsubscribe();
    });

    it('lists the groups of a stream, and all groups', async () => {
      const stream = await stage.create(0);
      await stage.client.createPersistentSubscriptionToStream(stream, 'other', settings());
      const names = (await stage.client.listPersistentSubscriptionsToStream(stream)).map(
        ({ groupName }) => groupName,
      );
      expect(names.toSorted()).toEqual([GROUP, 'other']);
      const all = await stage.client.listAllPersistentSubscriptions();
      expect(all.filter(({ eventSource }) => eventSource === stream)).toHaveLength(2);
    });
  });
});
