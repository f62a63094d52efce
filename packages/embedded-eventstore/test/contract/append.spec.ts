import type { EventStoreDBClient } from '@eventstore/db-client';
import {
  ANY,
  binaryEvent,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import {
  readAll,
  ContractStore,
  embeddedOnly,
  createNumbered,
  createNumberedUpTo,
  numbersIn,
  createUniqueName,
} from '../support/store-contract';

describe('appends', () => {
  let store: ContractStore;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    store = await ContractStore.start();
    client = store.client;
  });
  afterAll(() => store.close());

  const expectConflict = (append: Promise<unknown>) =>
    expect(append).rejects.toBeInstanceOf(WrongExpectedVersionError);

  describe.each([
    ['batch append', {}],
    ['classic append', { credentials: { username: 'admin', password: 'changeit' } }],
  ])('by %s', (_, options) => {
    const append: EventStoreDBClient['appendToStream'] = (stream, events, more) =>
      client.appendToStream(stream, events, { ...options, ...more });

    it('returns the last revision and a position', async () => {
      const { success, nextExpectedRevision, position } = await append(
        createUniqueName('a-'),
        createNumberedUpTo(3),
      );
      expect(success).toBe(true);
      expect(nextExpectedRevision).toBe(2n);
      expect(position?.commit).toBeGreaterThan(0n);
      expect(position?.prepare).toBe(position?.commit);
    });

    it('keeps data, metadata, type, id and content type', async () => {
      const stream = createUniqueName('a-');
      const id = randomUUID();
      const metadata = { why: 'ünïcode ✓' };
      await append(stream, [
        jsonEvent({ id, type: 'json', data: { a: [1, null, 'x'] }, metadata }),
        binaryEvent({ type: 'binary', data: Buffer.from([0, 255, 1]), metadata: Buffer.from('m') }),
      ]);
      const [json, binary] = await readAll(client.readStream(stream));
      expect(json?.event).toMatchObject({
        id,
        type: 'json',
        streamId: stream,
        revision: 0n,
        isJson: true,
        data: { a: [1, null, 'x'] },
        metadata,
      });
      expect(binary?.event?.isJson).toBe(false);
      expect(Buffer.from(binary?.event?.data as Uint8Array)).toEqual(Buffer.from([0, 255, 1]));
      const ageMs = Math.abs(Date.now() - (json?.event?.created.getTime() ?? 0));
      expect(ageMs).toBeLessThan(120_000);
    });

    it('refuses a revision that is not the current one, and names the current one', async () => {
      const stream = createUniqueName('a-');
      await append(stream, createNumberedUpTo(2));
      for (const expectedRevision of [NO_STREAM, 0n, 7n] as const) {
        await expect(append(stream, createNumbered(9), { expectedRevision })).rejects.toMatchObject(
          {
            actualVersion: 1n,
          },
        );
      }
      await expectConflict(
        append(createUniqueName('a-'), createNumbered(0), { expectedRevision: 0n }),
      );
      expect(await numbersIn(client.readStream(stream))).toEqual([0, 1]);
    });

    it('appends at the current revision, and to a stream that exists', async () => {
      const stream = createUniqueName('a-');
      await append(stream, createNumbered(0), { expectedRevision: NO_STREAM });
      await append(stream, createNumbered(1), { expectedRevision: 0n });
      await append(stream, createNumbered(2), { expectedRevision: STREAM_EXISTS });
      await append(stream, createNumbered(3), { expectedRevision: ANY });
      expect(await numbersIn(client.readStream(stream))).toEqual([0, 1, 2, 3]);
    });

    it('needs an existing stream for "stream exists", and metadata is enough', async () => {
      const stream = createUniqueName('a-');
      await expectConflict(append(stream, createNumbered(0), { expectedRevision: STREAM_EXISTS }));
      await client.setStreamMetadata(stream, { maxCount: 10 });
      await append(stream, createNumbered(0), { expectedRevision: STREAM_EXISTS });
    });

    it('accepts an append without events', async () => {
      const stream = createUniqueName('a-');
      expect((await append(stream, [])).success).toBe(true);
      await append(stream, createNumberedUpTo(2));
      expect((await append(stream, [])).nextExpectedRevision).toBe(1n);
      await expectConflict(append(stream, [], { expectedRevision: 5n }));
    });

    it('refuses the whole append if its data exceeds the limit', async () => {
      const stream = createUniqueName('a-');
      const large = (bytes: number) =>
        binaryEvent({ type: 'large', data: Buffer.alloc(bytes), metadata: Buffer.alloc(0) });
      await append(stream, [large(524_288), large(500_000)]);
      await expect(append(stream, [large(1_048_577)])).rejects.toBeInstanceOf(
        MaxAppendSizeExceededError,
      );
      await expect(append(stream, [large(900_000), large(900_000)])).rejects.toMatchObject({
        maxAppendSize: 1_048_576,
      });
      expect(await readAll(client.readStream(stream))).toHaveLength(2);
    });

    it('counts metadata and types too, so small events of long types can exceed the limit', async () => {
      const events = (count: number) =>
        Array.from({ length: count }, () =>
          binaryEvent({
            type: 't'.repeat(1_000),
            data: Buffer.alloc(2),
            metadata: Buffer.alloc(2),
          }),
        );
      await expect(append(createUniqueName('a-'), events(530))).rejects.toBeInstanceOf(
        MaxAppendSizeExceededError,
      );
      await append(createUniqueName('a-'), events(520));
    });
  });

  describe('a repeated append', () => {
    it('at its revision gets the same response and is stored once', async () => {
      const stream = createUniqueName('a-');
      const events = createNumberedUpTo(3);
      const first = await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
      await client.appendToStream(stream, createNumbered(3), { expectedRevision: 2n });
      const again = await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
      expect(again).toEqual(first);
      expect(await numbersIn(client.readStream(stream))).toEqual([0, 1, 2, 3]);
    });

    it('with other ids, or with only some of the same, is a conflict', async () => {
      const stream = createUniqueName('a-');
      const [a, b] = [createNumbered(0), createNumbered(1)];
      await client.appendToStream(stream, [a, b], { expectedRevision: NO_STREAM });
      await expectConflict(
        client.appendToStream(stream, [a, createNumbered(2)], { expectedRevision: NO_STREAM }),
      );
      await expectConflict(
        client.appendToStream(stream, [a, b, createNumbered(2)], { expectedRevision: NO_STREAM }),
      );
      await expectConflict(client.appendToStream(stream, [b], { expectedRevision: NO_STREAM }));
    });

    it('without a revision is recognised for some time by its first id', async () => {
      const stream = createUniqueName('a-');
      const [a, b] = [createNumbered(0), createNumbered(1)];
      const first = await client.appendToStream(stream, [a, b]);
      expect(await client.appendToStream(stream, [a, b])).toEqual(first);
      await expectConflict(client.appendToStream(stream, [a, createNumbered(2)]));
      // An unknown first id makes the append a new one, even if a later id is known.
      await client.appendToStream(stream, [createNumbered(3), b]);
      expect(await numbersIn(client.readStream(stream))).toEqual([0, 1, 3, 1]);
    });

    it('in another stream is a new append', async () => {
      const event = createNumbered(0);
      for (const stream of [createUniqueName('a-'), createUniqueName('a-')]) {
        await client.appendToStream(stream, event, { expectedRevision: NO_STREAM });
      }
    });

    embeddedOnly('restarts the server')(
      'is remembered over a restart at its revision, and not without one',
      async () => {
        const stream = createUniqueName('a-');
        const event = createNumbered(0);
        const expectedRevision = NO_STREAM;
        const first = await client.appendToStream(stream, event, { expectedRevision });
        await store.restart();
        client = store.client;
        expect(await client.appendToStream(stream, event, { expectedRevision })).toEqual(first);
        await client.appendToStream(stream, event);
        expect(await numbersIn(client.readStream(stream))).toEqual([0, 0]);
      },
    );
  });

  it('answers many concurrent appends in the order of their stream', async () => {
    const stream = createUniqueName('a-');
    const count = 500;
    const results = await Promise.all(
      createNumberedUpTo(count).map((event) => client.appendToStream(stream, event)),
    );
    expect(results.map((result) => Number(result.nextExpectedRevision))).toEqual(
      Array.from({ length: count }, (_, i) => i),
    );
    expect(await readAll(client.readStream(stream))).toHaveLength(count);
  });
});
