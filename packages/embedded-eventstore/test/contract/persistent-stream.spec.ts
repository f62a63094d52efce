import { END, PARK, RETRY, SKIP, STOP } from '@eventstore/db-client';
import {
  readAll,
  consume,
  embeddedOnly,
  createNumbered,
  readNumber,
} from '../support/store-contract';
import { GROUP, GroupStage } from '../support/group-stage';
import { until } from '../support/until';

describe('persistent subscriptions to a stream', () => {
  let stage: GroupStage;

  beforeAll(async () => {
    stage = await GroupStage.start();
  });
  afterAll(() => stage.store.close());

  describe('begin', () => {
    it('at the start of the stream, and continue with live events', async () => {
      const stream = await stage.create(2);
      const seen = consume(stage.connect(stream), 3);
      await stage.client.appendToStream(stream, createNumbered(2));
      expect((await seen).map(readNumber)).toEqual([0, 1, 2]);
    });

    it('at a revision, which is itself delivered', async () => {
      const stream = await stage.create(3, { startFrom: 1n });
      expect((await consume(stage.connect(stream), 2)).map(readNumber)).toEqual([1, 2]);
    });

    it('at the end, and deliver only later events', async () => {
      const stream = await stage.create(2, { startFrom: END });
      const seen = consume(stage.connect(stream), 1);
      await stage.client.appendToStream(stream, createNumbered(2));
      expect((await seen).map(readNumber)).toEqual([2]);
    });

    it('before their stream exists', async () => {
      const stream = await stage.create(0);
      const seen = consume(stage.connect(stream), 1);
      await stage.client.appendToStream(stream, createNumbered(0));
      expect((await seen).map(readNumber)).toEqual([0]);
    });
  });

  describe('answers', () => {
    it('with "retry" deliver the event again at once, before later events, and count', async () => {
      const stream = await stage.create(2);
      const subscription = stage.connect(stream, 1);
      const seen = await consume(subscription, 4, (event, i) =>
        i < 2 ? subscription.nack(RETRY, 'again', event) : subscription.ack(event),
      );
      expect(seen.map(readNumber)).toEqual([0, 0, 0, 1]);
      expect(seen.map(({ retryCount }) => retryCount)).toEqual([0, 1, 2, 0]);
    });

    it('with "retry" park the event after the last retry', async () => {
      const stream = await stage.create(1, { maxRetryCount: 2 });
      const subscription = stage.connect(stream);
      const seen = await consume(subscription, 3, async (event, i) => {
        await subscription.nack(RETRY, 'never works', event);
        if (i === 2) await stage.waitUntilParked(stream, 1);
      });
      expect(seen.map(({ retryCount }) => retryCount)).toEqual([0, 1, 2]);
    });

    it('with "park" park the event at once, with the reason and a link to it', async () => {
      const stream = await stage.create(2);
      const subscription = stage.connect(stream);
      await consume(subscription, 2, async (event, i) => {
        if (i === 0) await subscription.nack(PARK, 'bad', event);
        else {
          await subscription.ack(event);
          await stage.waitUntilParked(stream, 1);
        }
      });
      const name = `$persistentsubscription-${stream}::${GROUP}-parked`;
      const [entry] = await readAll(stage.client.readStream(name, { resolveLinkTos: true }));
      expect(entry?.event).toMatchObject({ streamId: stream, revision: 0n });
      expect(entry?.link?.type).toBe('$>');
    });

    it.each([
      ['skip', SKIP],
      ['stop', STOP],
    ] as const)('with "%s" complete the event, without a retry', async (_, action) => {
      const stream = await stage.create(2);
      const first = stage.connect(stream);
      await consume(first, 1, (event) => first.nack(action, 'not needed', event));
      const second = stage.connect(stream);
      expect((await consume(second, 1)).map(readNumber)).toEqual([1]);
      expect(await stage.countParked(stream)).toBe(0n);
    });

    it('that do not arrive in time cause a retry, and after the last retry the event is parked', async () => {
      const stream = await stage.create(1, { messageTimeout: 200, maxRetryCount: 1 });
      const subscription = stage.connect(stream);
      const seen = await consume(subscription, 2, () => undefined);
      expect(seen.map(({ retryCount }) => retryCount)).toEqual([0, 1]);
      const silent = stage.connect(stream);
      silent.on('data', () => undefined);
      await until('it to be parked', async () => (await stage.countParked(stream)) === 1n);
      await silent.unsubscribe();
    });

    it('that a consumer did not give before it left cause a delivery to the next consumer', async () => {
      const stream = await stage.create(3);
      await consume(stage.connect(stream), 3, () => undefined);
      const seen = await consume(stage.connect(stream), 3);
      expect(seen.map(readNumber)).toEqual([0, 1, 2]);
      expect(seen[0]?.retryCount).toBeGreaterThan(0);
    });
  });

  describe('parked events', () => {
    const parkAll = async (events: number): Promise<string> => {
      const stream = await stage.create(events);
      const subscription = stage.connect(stream);
      await consume(subscription, events, async (event, i) => {
        await subscription.nack(PARK, 'later', event);
        if (i === events - 1) await stage.waitUntilParked(stream, events);
      });
      return stream;
    };

    it('are delivered again when they are replayed, with a retry count of 0', async () => {
      const stream = await parkAll(3);
      await stage.client.replayParkedMessagesToStream(stream, GROUP);
      const seen = await consume(stage.connect(stream), 3);
      expect(seen.map(readNumber)).toEqual([0, 1, 2]);
      expect(seen.map(({ retryCount }) => retryCount)).toEqual([0, 0, 0]);
      await until('none to be left', async () => (await stage.countParked(stream)) === 0n);
    });

    it('are replayed up to a revision of the parked stream', async () => {
      const stream = await parkAll(3);
      await stage.client.replayParkedMessagesToStream(stream, GROUP, { stopAt: 2 });
      expect((await consume(stage.connect(stream), 2)).map(readNumber)).toEqual([0, 1]);
      await stage.waitUntilParked(stream, 1);
    });

    it('can be replayed when there are none', async () => {
      const stream = await stage.create(1);
      await stage.client.replayParkedMessagesToStream(stream, GROUP);
      expect((await consume(stage.connect(stream), 1)).map(readNumber)).toEqual([0]);
    });

    embeddedOnly('the real server forgets them when they are replayed')(
      'survive a restart between replay and response',
      async () => {
        const stream = await parkAll(2);
        await stage.client.replayParkedMessagesToStream(stream, GROUP);
        await consume(stage.connect(stream), 2, () => undefined);
        await stage.store.restart();
        await stage.client.replayParkedMessagesToStream(stream, GROUP);
        expect((await consume(stage.connect(stream), 2)).map(readNumber)).toEqual([0, 1]);
      },
    );
  });
});
