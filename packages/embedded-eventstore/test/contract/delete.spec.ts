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
  readAll,
  ContractStore,
  createNumbered,
  createNumberedUpTo,
  numbersIn,
  createUniqueName,
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
    const stream = createUniqueName('d-');
    await client.appendToStream(stream, createNumberedUpTo(count));
    return stream;
  };
  const read = (stream: string) => readAll(client.readStream(stream));

  describe('a deleted stream', () => {
    it('is not found by readers, and continues after its old events', async () => {
      const stream = await stored(3);
      await client.deleteStream(stream);
      await expect(read(stream)).rejects.toBeInstanceOf(StreamNotFoundError);
      const { nextExpectedRevision } = await client.appendToStream(stream, createNumbered(3));
      expect(nextExpectedRevision).toBe(3n);
      expect(await numbersIn(client.readStream(stream))).toEqual([3]);
      const { metadata } = await client.getStreamMetadata(stream);
      expect(metadata?.truncateBefore).toBe(3);
    });

    it('can be created again with "no stream" and with its old revision', async () => {
      for (const expectedRevision of [NO_STREAM, 1n] as const) {
        const stream = await stored(2);
        await client.deleteStream(stream);
        await client.appendToStream(stream, createNumbered(2), { expectedRevision });
        expect(await numbersIn(client.readStream(stream))).toEqual([2]);
      }
    });

    it('does not count as existing', async () => {
      const stream = await stored(1);
      await client.deleteStream(stream);
      await expect(
        client.appendToStream(stream, createNumbered(1), { expectedRevision: STREAM_EXISTS }),
      ).rejects.toBeInstanceOf(StreamDeletedError);
    });

    it('exists again after metadata is written, without its old events', async () => {
      const stream = await stored(2);
      await client.deleteStream(stream);
      await client.setStreamMetadata(stream, { maxCount: 100 });
      await client.appendToStream(stream, createNumbered(2));
      expect(await numbersIn(client.readStream(stream))).toEqual([2]);
    });

    it('still shows its events in $all', async () => {
      const stream = await stored(2);
      await client.deleteStream(stream);
      const all = await readAll(client.readAll());
      expect(all.filter(({ event }) => event?.streamId === stream)).toHaveLength(2);
    });
  });

  it('is deleted only at the expected revision', async () => {
    const stream = await stored(2);
    await expect(client.deleteStream(stream, { expectedRevision: 5n })).rejects.toMatchObject({
      streamName: stream,
      expectedVersion: 5n,
      actualVersion: 1n,
    });
    await client.deleteStream(stream, { expectedRevision: 1n });
    await expect(client.deleteStream(createUniqueName('d-'))).rejects.toBeInstanceOf(
      WrongExpectedVersionError,
    );
  });

  describe('a tombstone', () => {
    it('ends reads, appends, deletes and subscriptions of its stream for ever', async () => {
      const stream = await stored(2);
      await client.tombstoneStream(stream, { expectedRevision: 1n });
      const refusals = [
        () => read(stream),
        () => client.appendToStream(stream, createNumbered(2), { expectedRevision: ANY }),
        () => client.appendToStream(stream, createNumbered(2), { expectedRevision: NO_STREAM }),
        () => client.deleteStream(stream),
        () => client.tombstoneStream(stream),
        () => readAll(client.subscribeToStream(stream, { fromRevision: START })),
      ];
      for (const refusal of refusals) {
        await expect(refusal()).rejects.toBeInstanceOf(StreamDeletedError);
      }
    });

    it('can be written to a stream that never existed', async () => {
      const stream = createUniqueName('d-');
      await client.tombstoneStream(stream, { expectedRevision: NO_STREAM });
      await expect(read(stream)).rejects.toMatchObject({ streamName: stream });
    });

    it('ends a live subscription', async () => {
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
    it('is stored as it was written, with custom fields and access rules', async () => {
      const stream = createUniqueName('d-');
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

    it('limits a stream by count', async () => {
      const stream = await stored(5);
      await client.setStreamMetadata(stream, { maxCount: 2 });
      expect(await numbersIn(client.readStream(stream))).toEqual([3, 4]);
      const backwards = client.readStream(stream, { direction: 'backwards', fromRevision: 'end' });
      expect(await numbersIn(backwards)).toEqual([4, 3]);
    });

    it('limits a stream by revision', async () => {
      const stream = await stored(5);
      await client.setStreamMetadata(stream, { truncateBefore: 3 });
      expect(await numbersIn(client.readStream(stream))).toEqual([3, 4]);
      expect(await numbersIn(client.readStream(stream, { fromRevision: 1n }))).toEqual([3, 4]);
    });

    it('limits a stream by age', async () => {
      const stream = await stored(2);
      await client.setStreamMetadata(stream, { maxAge: 1 });
      await until('the events to be too old', async () => (await read(stream)).length === 0);
      await client.appendToStream(stream, createNumbered(2));
      expect(await numbersIn(client.readStream(stream))).toEqual([2]);
    });

    it('is kept only in its last version', async () => {
      const stream = createUniqueName('d-');
      for (const maxCount of [1, 2, 3]) await client.setStreamMetadata(stream, { maxCount });
      const versions = await readAll(client.readStream(`$$${stream}`));
      expect(versions.map(({ event }) => event?.revision)).toEqual([2n]);
    });
  });

  it('leaves a link without its target if the target is removed', async () => {
    const target = await stored(2);
    const links = createUniqueName('d-');
    await client.appendToStream(
      links,
      [0, 1].map((revision) => link(`${revision}@${target}`)),
    );
    await client.setStreamMetadata(target, { truncateBefore: 1 });
    const resolved = await readAll(client.readStream(links, { resolveLinkTos: true }));
    expect(resolved.map(({ event }) => event?.streamId)).toEqual([undefined, target]);
    expect(resolved.map(({ link }) => link?.streamId)).toEqual([links, links]);
  });

  const link = (data: string) => binaryEvent({ type: '$>', data: Buffer.from(data) });
});
