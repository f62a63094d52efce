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
  collect,
  ContractStore,
  embeddedOnly,
  numbered,
  numberedUpTo,
  numbersIn,
  unique,
} from '../support/store-contract';

describe('appends', () => {
  let store: ContractStore;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    store = await ContractStore.start();
    client = store.client;
  });
  afterAll(() => store.close());

  const wrong = (append: Promise<unknown>) =>
    expect(append).rejects.toBeInstanceOf(WrongExpectedVersionError);

  describe.each([
    ['batch append', {}],
    ['classic append', { credentials: { username: 'admin', password: 'changeit' } }],
  ])('by %s', (_, options) => {
    const append: EventStoreDBClient['appendToStream'] = (stream, events, more) =>
      client.appendToStream(stream, events, { ...options, ...more });

    it('tells the last revision and a position', async () => {
      const { success, nextExpectedRevision, position } = await append(
        unique('a-'),
        numberedUpTo(3),
      );
      expect(success).toBe(true);
      expect(nextExpectedRevision).toBe(2n);
      expect(position?.commit).toBeGreaterThan(0n);
      expect(position?.prepare).toBe(position?.commit);
    });

    it('keeps data, metadata, type, id and content type', async () => {
      const stream = unique('a-');
      const id = randomUUID();
      const metadata = { why: 'ünïcode ✓' };
      await append(stream, [
        jsonEvent({ id, type: 'json', data: { a: [1, null, 'x'] }, metadata }),
        binaryEvent({ type: 'binary', data: Buffer.from([0, 255, 1]), metadata: Buffer.from('m') }),
      ]);
      const [json, binary] = await collect(client.readStream(stream));
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

    it('refuses a revision that is not the current one, naming it', async () => {
      const stream = unique('a-');
      await append(stream, numberedUpTo(2));
      for (const expectedRevision of [NO_STREAM, 0n, 7n] as const) {
        await expect(append(stream, numbered(9), { expectedRevision })).rejects.toMatchObject({
          actualVersion: 1n,
        });
      }
      await wrong(append(unique('a-'), numbered(0), { expectedRevision: 0n }));
      expect(await numbersIn(client.readStream(stream))).toEqual([0, 1]);
    });

    it('appends at the current revision, and to what exists', async () => {
      const stream = unique('a-');
      await append(stream, numbered(0), { expectedRevision: NO_STREAM });
      await append(stream, numbered(1), { expectedRevision: 0n });
      await append(stream, numbered(2), { expectedRevision: STREAM_EXISTS });
      await append(stream, numbered(3), { expectedRevision: ANY });
      expect(await numbersIn(client.readStream(stream))).toEqual([0, 1, 2, 3]);
    });

    it('needs something that exists for "stream exists"; metadata is enough', async () => {
      const stream = unique('a-');
      await wrong(append(stream, numbered(0), { expectedRevision: STREAM_EXISTS }));
      await client.setStreamMetadata(stream, { maxCount: 10 });
      await append(stream, numbered(0), { expectedRevision: STREAM_EXISTS });
    });

    it('takes an append of no events', async () => {
      const stream = unique('a-');
      expect((await append(stream, [])).success).toBe(true);
      await append(stream, numberedUpTo(2));
      expect((await append(stream, [])).nextExpectedRevision).toBe(1n);
      await wrong(append(stream, [], { expectedRevision: 5n }));
    });

    it('refuses more data than the limit, whole', async () => {
      const stream = unique('a-');
      const large = (bytes: number) =>
        binaryEvent({ type: 'large', data: Buffer.alloc(bytes), metadata: Buffer.alloc(0) });
      await append(stream, [large(524_288), large(500_000)]);
      await expect(append(stream, [large(1_048_577)])).rejects.toBeInstanceOf(
        MaxAppendSizeExceededError,
      );
      await expect(append(stream, [large(900_000), large(900_000)])).rejects.toMatchObject({
        maxAppendSize: 1_048_576,
      });
      expect(await collect(client.readStream(stream))).toHaveLength(2);
    });

    it('counts metadata and types too: small events of long types are too large', async () => {
      const events = (count: number) =>
        Array.from({ length: count }, () =>
          binaryEvent({
            type: 't'.repeat(1_000),
            data: Buffer.alloc(2),
            metadata: Buffer.alloc(2),
          }),
        );
      await expect(append(unique('a-'), events(530))).rejects.toBeInstanceOf(
        MaxAppendSizeExceededError,
      );
      await append(unique('a-'), events(520));
    });
  });

  describe('repeated', () => {
    it('at its revision, is told the same answer and stored once', async () => {
      const stream = unique('a-');
      const events = numberedUpTo(3);
      const first = await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
      await client.appendToStream(stream, numbered(3), { expectedRevision: 2n });
      const again = await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
      expect(again).toEqual(first);
      expect(await numbersIn(client.readStream(stream))).toEqual([0, 1, 2, 3]);
    });

    it('with other ids, or only partly, is a conflict', async () => {
      const stream = unique('a-');
      const [a, b] = [numbered(0), numbered(1)];
      await client.appendToStream(stream, [a, b], { expectedRevision: NO_STREAM });
      await wrong(client.appendToStream(stream, [a, numbered(2)], { expectedRevision: NO_STREAM }));
      await wrong(
        client.appendToStream(stream, [a, b, numbered(2)], { expectedRevision: NO_STREAM }),
      );
      await wrong(client.appendToStream(stream, [b], { expectedRevision: NO_STREAM }));
    });

    it('without a revision is recognised for a while, by its first id', async () => {
      const stream = unique('a-');
      const [a, b] = [numbered(0), numbered(1)];
      const first = await client.appendToStream(stream, [a, b]);
      expect(await client.appendToStream(stream, [a, b])).toEqual(first);
      await wrong(client.appendToStream(stream, [a, numbered(2)]));
      // A new first id is a new append, even with an old id behind it.
      await client.appendToStream(stream, [numbered(3), b]);
      expect(await numbersIn(client.readStream(stream))).toEqual([0, 1, 3, 1]);
    });

    it('in another stream is another append', async () => {
      const event = numbered(0);
      for (const stream of [unique('a-'), unique('a-')]) {
        await client.appendToStream(stream, event, { expectedRevision: NO_STREAM });
      }
    });

    embeddedOnly('restarts the server')(
      'is remembered over a restart at its revision, and not without one',
      async () => {
        const stream = unique('a-');
        const event = numbered(0);
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

  it('answers each of many appends at once, in the order of one stream', async () => {
    const stream = unique('a-');
    const count = 500;
    const results = await Promise.all(
      numberedUpTo(count).map((event) => client.appendToStream(stream, event)),
    );
    expect(results.map((result) => Number(result.nextExpectedRevision))).toEqual(
      Array.from({ length: count }, (_, i) => i),
    );
    expect(await collect(client.readStream(stream))).toHaveLength(count);
  });
});
