import type { EventStoreDBClient } from '@eventstore/db-client';
import {
  type AllStreamSubscription,
  END,
  eventTypeFilter,
  type Filter,
  excludeSystemEvents,
  type Position,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { once } from 'node:events';
import {
  readAll,
  ContractStore,
  receive,
  createNumbered,
  createNumberedUpTo,
  readNumber,
  createUniqueName,
} from '../support/store-contract';
import { until } from '../support/until';

describe('catch-up subscriptions', () => {
  let store: ContractStore;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    store = await ContractStore.start();
    client = store.client;
  });
  afterAll(() => store.close());

  const append = (stream: string, ...numbers: number[]) =>
    client.appendToStream(stream, numbers.map(createNumbered));

  describe('to a stream', () => {
    it('send a confirmation, past events, "caught up" and then live events', async () => {
      const stream = createUniqueName('s-');
      await append(stream, 0, 1);
      const subscription = client.subscribeToStream(stream, { fromRevision: START });
      const signs: string[] = [];
      subscription.once('confirmation', () => signs.push('confirmed'));
      const caughtUp = once(subscription, 'caughtUp').then(() => signs.push('caught up'));
      subscription.on('data', (event) => signs.push(String(readNumber(event))));
      await caughtUp;
      await append(stream, 2);
      await until('the live event', () => signs.length === 5);
      expect(signs).toEqual(['confirmed', '0', '1', 'caught up', '2']);
      await subscription.unsubscribe();
    });

    it('start after a revision, or at the end', async () => {
      const stream = createUniqueName('s-');
      await append(stream, 0, 1, 2);
      const behind = client.subscribeToStream(stream, { fromRevision: 0n });
      expect((await receive(behind, 2)).map(readNumber)).toEqual([1, 2]);
      const atEnd = client.subscribeToStream(stream, { fromRevision: END });
      const seen = receive(atEnd, 1);
      await once(atEnd, 'confirmation');
      await append(stream, 3);
      expect((await seen).map(readNumber)).toEqual([3]);
    });

    it('wait for a stream that does not exist yet or was soft-deleted', async () => {
      const stream = createUniqueName('s-');
      const first = client.subscribeToStream(stream, { fromRevision: START });
      const seen = receive(first, 1);
      await once(first, 'confirmation');
      await append(stream, 0);
      expect((await seen).map(readNumber)).toEqual([0]);
      await client.deleteStream(stream);
      const second = receive(client.subscribeToStream(stream, { fromRevision: START }), 1);
      await append(stream, 1);
      expect((await second).map(readNumber)).toEqual([1]);
    });

    it('resolve links', async () => {
      const [target, links] = [createUniqueName('s-'), createUniqueName('s-')];
      await append(target, 7);
      await client.appendToStream(links, {
        id: crypto.randomUUID(),
        type: '$>',
        contentType: 'application/octet-stream',
        data: Buffer.from(`0@${target}`),
        metadata: undefined,
      });
      const subscription = client.subscribeToStream(links, { resolveLinkTos: true });
      const [event] = await receive(subscription, 1);
      expect(event?.event?.streamId).toBe(target);
      expect(event?.link?.streamId).toBe(links);
    });
  });

  describe('to $all', () => {
    it('start after a position that has a commit and a prepare position', async () => {
      const stream = createUniqueName('s-');
      const { position } = await append(stream, 0);
      await append(stream, 1);
      const subscription = client.subscribeToAll({
        fromPosition: position ?? START,
        // Links of system projections may stand between the two events.
        filter: streamNameFilter({ prefixes: [stream] }),
      });
      const [event] = await receive(subscription, 1);
      expect(event?.event).toMatchObject({ streamId: stream, revision: 1n });
    });

    it('refuse a position that no event has', async () => {
      const { position } = await append(createUniqueName('s-'), 0);
      await append(createUniqueName('s-'), 0);
      const commit = (position?.commit ?? 0n) + 1n;
      const subscription = client.subscribeToAll({ fromPosition: { commit, prepare: commit } });
      await expect(readAll(subscription)).rejects.toThrow(/invalid position/i);
    });

    it('lose no event and keep the order while others write', async () => {
      const prefix = createUniqueName('s');
      const count = 1_000;
      const filter = streamNameFilter({ prefixes: [prefix] });
      const subscription = client.subscribeToAll({ fromPosition: START, filter });
      const seen = receive(subscription, count);
      for (let n = 0; n < count; n += 100) {
        const hundred = Array.from({ length: 100 }, (_, i) => append(`${prefix}-${i % 7}`, n + i));
        await Promise.all(hundred);
      }
      const positions = (await seen).map(({ event }) => event?.position.commit ?? 0n);
      expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
      expect(new Set((await seen).map(readNumber)).size).toBe(count);
    });

    it('are not delayed by a subscriber that reads nothing', async () => {
      const stream = createUniqueName('s-');
      const slow = client.subscribeToStream(stream, { fromRevision: START });
      await until('the confirmation', () => slow.id !== undefined || slow.readableLength >= 0);
      const fast = receive(client.subscribeToStream(stream, { fromRevision: START }), 2_000);
      for (let i = 0; i < 20; i += 1) await client.appendToStream(stream, createNumberedUpTo(100));
      expect(await fast).toHaveLength(2_000);
      expect(await receive(slow, 2_000)).toHaveLength(2_000);
    });
  });

  describe('with a filter', () => {
    let prefix: string;
    beforeAll(async () => {
      prefix = createUniqueName('f');
      for (let n = 0; n < 4; n += 1) {
        await client.appendToStream(`${prefix}${n % 2 === 0 ? 'even' : 'odd'}-1`, [
          { ...createNumbered(n), type: `${prefix}.${n < 2 ? 'low' : 'high'}` },
        ]);
      }
    });

    const numbers = async (subscription: AllStreamSubscription, count: number) =>
      (await receive(subscription, count)).map(readNumber);
    const subscribe = (filter: Filter) => client.subscribeToAll({ fromPosition: START, filter });

    it('select streams by a prefix or an expression', async () => {
      const prefixes = [`${prefix}even`, 'never'];
      expect(await numbers(subscribe(streamNameFilter({ prefixes })), 2)).toEqual([0, 2]);
      const regex = `^${prefix}(odd|x)-\\d$`;
      expect(await numbers(subscribe(streamNameFilter({ regex })), 2)).toEqual([1, 3]);
    });

    it('select event types by a prefix or an expression', async () => {
      const prefixes = [`${prefix}.h`];
      expect(await numbers(subscribe(eventTypeFilter({ prefixes })), 2)).toEqual([2, 3]);
      const regex = `${prefix}\\.l`;
      expect(await numbers(subscribe(eventTypeFilter({ regex })), 2)).toEqual([0, 1]);
    });

    it('can leave out system events', async () => {
      const types = await receive(subscribe(excludeSystemEvents()), 4);
      expect(types.filter(({ event }) => event?.type.startsWith('$'))).toEqual([]);
    });

    it('send checkpoints when no event passes the filter', async () => {
      const reached: Position[] = [];
      const subscription = subscribe(
        streamNameFilter({
          prefixes: [createUniqueName('never')],
          maxSearchWindow: 32,
          checkpointInterval: 1,
          checkpointReached: (_, position) => void reached.push(position),
        }),
      );
      subscription.on('data', () => undefined);
      // The search goes on in windows of 32 events, so a window after these events ends within the
      // second batch.
      const { position } = await client.appendToStream(
        createUniqueName('s-'),
        createNumberedUpTo(100),
      );
      await client.appendToStream(createUniqueName('s-'), createNumberedUpTo(100));
      await until('a checkpoint in the second batch', () =>
        reached.some(({ commit }) => commit > (position?.commit ?? 0n)),
      );
      await subscription.unsubscribe();
      expect(reached).toEqual(reached.toSorted((a, b) => Number(a.commit - b.commit)));
    });

    it('start at the end without a checkpoint, and send one for each interval of new events', async () => {
      const before = await append(createUniqueName('s-'), 0);
      const reached: bigint[] = [];
      let isLive = false;
      const subscription = client.subscribeToAll({
        fromPosition: END,
        filter: streamNameFilter({
          prefixes: [createUniqueName('never')],
          maxSearchWindow: 10,
          checkpointInterval: 2,
          checkpointReached: (_, { commit }) => void reached.push(commit),
        }),
      });
      subscription.on('data', () => undefined).on('caughtUp', () => void (isLive = true));
      await until('the subscription to be live', () => isLive);
      expect(reached).toEqual([]);
      await client.appendToStream(createUniqueName('s-'), createNumberedUpTo(200));
      // Links of system projections are considered too.
      await until('ten checkpoints', () => reached.length >= 10);
      await subscription.unsubscribe();
      expect(reached[0]).toBeGreaterThan(before.position?.commit ?? 0n);
    });

    it('send a checkpoint at the last selected event when they have caught up', async () => {
      const checkpoints: bigint[] = [];
      const stream = createUniqueName('s-');
      const { position } = await append(stream, 0);
      await append(createUniqueName('s-'), 1);
      const subscription = subscribe(
        streamNameFilter({
          prefixes: [stream],
          checkpointInterval: 1_000_000,
          checkpointReached: (_, { commit }) => void checkpoints.push(commit),
        }),
      );
      let isLive = false;
      subscription.on('data', () => undefined).on('caughtUp', () => void (isLive = true));
      await until('the subscription to be live', () => isLive);
      await subscription.unsubscribe();
      expect(checkpoints).toEqual([position?.commit]);
    });
  });
});
