import type { EventStoreDBClient } from '@eventstore/db-client';
import {
  ANY,
  binaryEvent,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import {
  collect,
  ContractStore,
  numbered,
  numberedUpTo,
  numbersIn,
  unique,
} from '../support/store-contract';
import { until } from '../support/until';

describe('deleting and limiting streams', () => {
  let store: ContractStore;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    store = await ContractStore.start();
    client = store.client;
  });
  afterAll(() => store.close());

  const stored = async (count: number): Promise<string> => {
    const stream = unique('d-');
    await client.appendToStream(stream, numberedUpTo(count));
    return stream;
  };
  const read = (stream: string) => collect(client.readStream(stream));

  describe('a deleted stream', () => {
    it('reads as not found, and goes on behind its old events', async () => {
      const stream = await stored(3);
      await client.deleteStream(stream);
      await expect(read(stream)).rejects.toBeInstanceOf(StreamNotFoundError);
      const { nextExpectedRevision } = await client.appendToStream(stream, numbered(3));
      expect(nextExpectedRevision).toBe(3n);
      expect(await numbersIn(client.readStream(stream))).toEqual([3]);
      const { metadata } = await client.getStreamMetadata(stream);
      expect(metadata?.truncateBefore).toBe(3);
    });

    it('is created anew with "no stream" and with its old revision', async () => {
      for (const expectedRevision of [NO_STREAM, 1n] as const) {
        const stream = await stored(2);
        await client.deleteStream(stream);
        await client.appendToStream(stream, numbered(2), { expectedRevision });
        expect(await numbersIn(client.readStream(stream))).toEqual([2]);
      }
    });

    it('does not count as existing', async () => {
      const stream = await stored(1);
      await client.deleteStream(stream);
      await expect(
        client.appendToStream(stream, numbered(1), { expectedRevision: STREAM_EXISTS }),
      ).rejects.toBeInstanceOf(StreamDeletedError);
    });

    it('comes back when metadata is written, without its old events', async () => {
      const stream = await stored(2);
      await client.deleteStream(stream);
      await client.setStreamMetadata(stream, { maxCount: 100 });
      await client.appendToStream(stream, numbered(2));
      expect(await numbersIn(client.readStream(stream))).toEqual([2]);
    });

    it('still shows its events in $all', async () => {
      const stream = await stored(2);
      await client.deleteStream(stream);
      const all = await collect(client.readAll());
      expect(all.filter(({ event }) => event?.streamId === stream)).toHaveLength(2);
    });
  });

  it('deletes at the expected revision only', async () => {
    const stream = await stored(2);
    await expect(client.deleteStream(stream, { expectedRevision: 5n })).rejects.toMatchObject({
      streamName: stream,
      expectedVersion: 5n,
      actualVersion: 1n,
    });
    await client.deleteStream(stream, { expectedRevision: 1n });
    await expect(client.deleteStream(unique('d-'))).rejects.toBeInstanceOf(
      WrongExpectedVersionError,
    );
  });

  describe('a tombstone', () => {
    it('ends a stream for good: reads, appends, deletes, subscriptions', async () => {
      const stream = await stored(2);
      await client.tombstoneStream(stream, { expectedRevision: 1n });
      const refusals = [
        () => read(stream),
        () => client.appendToStream(stream, numbered(2), { expectedRevision: ANY }),
        () => client.appendToStream(stream, numbered(2), { expectedRevision: NO_STREAM }),
        () => client.deleteStream(stream),
        () => client.tombstoneStream(stream),
        () => collect(client.subscribeToStream(stream, { fromRevision: START })),
      ];
      for (const refusal of refusals) {
        await expect(refusal()).rejects.toBeInstanceOf(StreamDeletedError);
      }
    });

    it('may name a stream that never was', async () => {
      const stream = unique('d-');
      await client.tombstoneStream(stream, { expectedRevision: NO_STREAM });
      await expect(read(stream)).rejects.toMatchObject({ streamName: stream });
    });

    it('ends a subscription that is live', async () => {
      const stream = await stored(1);
      const subscription = client.subscribeToStream(stream, { fromRevision: START });
      const seen: unknown[] = [];
      const ended = (async () => {
        for await (const event of subscription) seen.push(event);
      })();
      const outcome = expect(ended).rejects.toBeInstanceOf(StreamDeletedError);
      await until('the first event', () => seen.length === 1);
      await client.tombstoneStream(stream);
      await outcome;
    });
  });

  describe('stream metadata', () => {
    it('is kept as it was written, custom fields and access rules included', async () => {
      const stream = unique('d-');
      const metadata = {
        maxCount: 17,
        maxAge: 3600,
        truncateBefore: 2,
        cacheControl: 12,
        acl: { readRoles: ['a'], writeRoles: ['b', 'c'] },
        mine: { x: 1 },
      };
      const { nextExpectedRevision } = await client.setStreamMetadata(stream, metadata);
      expect(nextExpectedRevision).toBe(0n);
      const stored = await client.getStreamMetadata(stream);
      expect(stored.metadata).toMatchObject(metadata);
      await expect(
        client.setStreamMetadata(stream, {}, { expectedRevision: NO_STREAM }),
      ).rejects.toBeInstanceOf(WrongExpectedVersionError);
    });

    it('limits by count', async () => {
      const stream = await stored(5);
      await client.setStreamMetadata(stream, { maxCount: 2 });
      expect(await numbersIn(client.readStream(stream))).toEqual([3, 4]);
      const backwards = client.readStream(stream, { direction: 'backwards', fromRevision: 'end' });
      expect(await numbersIn(backwards)).toEqual([4, 3]);
    });

    it('limits by revision', async () => {
      const stream = await stored(5);
      await client.setStreamMetadata(stream, { truncateBefore: 3 });
      expect(await numbersIn(client.readStream(stream))).toEqual([3, 4]);
      expect(await numbersIn(client.readStream(stream, { fromRevision: 1n }))).toEqual([3, 4]);
    });

    it('limits by age', async () => {
      const stream = await stored(2);
      await client.setStreamMetadata(stream, { maxAge: 1 });
      await until('the events to be too old', async () => (await read(stream)).length === 0);
      await client.appendToStream(stream, numbered(2));
      expect(await numbersIn(client.readStream(stream))).toEqual([2]);
    });

    it('keeps only its last version', async () => {
      const stream = unique('d-');
      for (const maxCount of [1, 2, 3]) await client.setStreamMetadata(stream, { maxCount });
      const versions = await collect(client.readStream(`$$${stream}`));
      expect(versions.map(({ event }) => event?.revision)).toEqual([2n]);
    });
  });

  it('leaves a link whose target is gone, without the target', async () => {
    const target = await stored(2);
    const links = unique('d-');
    await client.appendToStream(
      links,
      [0, 1].map((revision) => link(`${revision}@${target}`)),
    );
    await client.setStreamMetadata(target, { truncateBefore: 1 });
    const resolved = await collect(client.readStream(links, { resolveLinkTos: true }));
    expect(resolved.map(({ event }) => event?.streamId)).toEqual([undefined, target]);
    expect(resolved.map(({ link }) => link?.streamId)).toEqual([links, links]);
  });

  const link = (data: string) => binaryEvent({ type: '$>', data: Buffer.from(data) });
});
