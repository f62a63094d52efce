import type { EventStoreDBClient } from '@eventstore/db-client';
import {
  BACKWARDS,
  binaryEvent,
  END,
  FORWARDS,
  START,
  StreamNotFoundError,
} from '@eventstore/db-client';
import {
  readAll,
  ContractStore,
  createNumberedUpTo,
  numbersIn,
  createUniqueName,
} from '../support/store-contract';

describe('reads', () => {
  let store: ContractStore;
  let client: EventStoreDBClient;
  const stream = createUniqueName('r-');

  beforeAll(async () => {
    store = await ContractStore.start();
    client = store.client;
    await client.appendToStream(stream, createNumberedUpTo(5));
  });
  afterAll(() => store.close());

  describe('of a stream', () => {
    const forwards = { direction: FORWARDS } as const;
    const backwards = { direction: BACKWARDS } as const;

    it.each([
      ['from the start', { ...forwards, fromRevision: START }, [0, 1, 2, 3, 4]],
      ['from a revision, inclusive', { ...forwards, fromRevision: 3n }, [3, 4]],
      ['limited', { ...forwards, fromRevision: START, maxCount: 2 }, [0, 1]],
      ['past the end', { ...forwards, fromRevision: 99n }, []],
      ['backwards from the end', { ...backwards, fromRevision: END }, [4, 3, 2, 1, 0]],
      ['backwards from a revision', { ...backwards, fromRevision: 2n }, [2, 1, 0]],
      ['backwards from past the end', { ...backwards, fromRevision: 99n }, [4, 3, 2, 1, 0]],
      ['backwards, limited', { ...backwards, fromRevision: END, maxCount: 1 }, [4]],
    ] as const)('%s', async (_, options, expected) => {
      expect(await numbersIn(client.readStream(stream, options))).toEqual(expected);
    });

    it('answers "not found" if the stream does not exist', async () => {
      const missing = createUniqueName('r-');
      const error = await readAll(client.readStream(missing)).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(StreamNotFoundError);
      expect(error).toMatchObject({ streamName: missing });
    });

    it('accepts names with non-ASCII and special characters', async () => {
      for (const name of [
        createUniqueName('héllo 世界 – '),
        createUniqueName('a@b::c%20-'),
        createUniqueName('$mine-'),
      ]) {
        await client.appendToStream(name, createNumberedUpTo(1));
        const [read] = await readAll(client.readStream(name));
        expect(read?.event?.streamId).toBe(name);
      }
      const missing = createUniqueName('ñ-');
      await expect(readAll(client.readStream(missing))).rejects.toMatchObject({
        streamName: missing,
      });
    });

    it('returns all events of a stream that has many pages', async () => {
      const long = createUniqueName('r-');
      const count = 2_500;
      await client.appendToStream(long, createNumberedUpTo(count));
      const all = Array.from({ length: count }, (_, i) => i);
      expect(await numbersIn(client.readStream(long))).toEqual(all);
      const back = client.readStream(long, { ...backwards, fromRevision: END });
      expect(await numbersIn(back)).toEqual(all.toReversed());
    });

    it('returns events of a megabyte', async () => {
      const large = createUniqueName('r-');
      const data = Buffer.alloc(1_000_000, 7);
      for (let i = 0; i < 3; i += 1) {
        await client.appendToStream(large, binaryEvent({ type: 'large', data }));
      }
      const events = await readAll(client.readStream(large));
      expect(events.map(({ event }) => (event?.data as Uint8Array).length)).toEqual([
        1_000_000, 1_000_000, 1_000_000,
      ]);
    });

    it('resolves links, or returns them as they are', async () => {
      const links = createUniqueName('r-');
      const data = Buffer.from(`2@${stream}`);
      await client.appendToStream(links, [
        binaryEvent({ type: '$>', data }),
        binaryEvent({ type: '$>', data: Buffer.from(`0@${createUniqueName('never-')}@x`) }),
      ]);
      const [resolved, dangling] = await readAll(
        client.readStream(links, { resolveLinkTos: true }),
      );
      expect(resolved?.event).toMatchObject({ streamId: stream, revision: 2n });
      expect(resolved?.link).toMatchObject({ streamId: links, revision: 0n, type: '$>' });
      expect(dangling?.event).toBeUndefined();
      expect(dangling?.link).toMatchObject({ streamId: links, revision: 1n });
      const [raw] = await readAll(client.readStream(links));
      expect(raw?.link).toBeUndefined();
      expect(raw?.event?.type).toBe('$>');
    });
  });

  describe('of $all', () => {
    it('has system events from the beginning', async () => {
      const [first] = await readAll(client.readAll({ maxCount: 1 }));
      expect(first?.event?.type).toMatch(/^\$/);
    });

    it('starts at a position when it reads forwards, and before it when it reads backwards', async () => {
      const mine = createUniqueName('r-');
      const { position } = await client.appendToStream(mine, createNumberedUpTo(3));
      const fromPosition = position ?? START;
      const [at] = await readAll(client.readAll({ fromPosition, maxCount: 1 }));
      expect(at?.event).toMatchObject({ streamId: mine, revision: 2n });
      const before = client.readAll({ direction: BACKWARDS, fromPosition, maxCount: 2 });
      const revisions = (await readAll(before)).map(({ event }) => event?.revision);
      expect(revisions).toEqual([1n, 0n]);
    });

    it('has growing positions with gaps, and a commit position on every event', async () => {
      const all = await readAll(client.readAll());
      const positions = all.map(({ event }) => event?.position.commit ?? 0n);
      expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
      expect(new Set(positions).size).toBe(positions.length);
      expect(Number((positions.at(-1) ?? 0n) - (positions[0] ?? 0n))).toBeGreaterThan(all.length);
      for (const { commitPosition, event } of all)
        expect(commitPosition).toBe(event?.position.commit);
    });

    it('finds no event forwards from the end, and the newest events backwards', async () => {
      const mine = createUniqueName('r-');
      await client.appendToStream(mine, createNumberedUpTo(1));
      expect(await readAll(client.readAll({ fromPosition: END }))).toEqual([]);
      const newest = client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 20 });
      const streams = (await readAll(newest)).map(({ event }) => event?.streamId);
      expect(streams).toContain(mine);
    });

    it('refuses a position that no event has', async () => {
      const { position } = await client.appendToStream(
        createUniqueName('r-'),
        createNumberedUpTo(1),
      );
      await client.appendToStream(createUniqueName('r-'), createNumberedUpTo(1));
      const commit = (position?.commit ?? 0n) + 1n;
      const read = client.readAll({ fromPosition: { commit, prepare: commit } });
      await expect(readAll(read)).rejects.toThrow(/invalid position/i);
    });

    it('finds no event at a position after the newest one', async () => {
      const { position } = await client.appendToStream(
        createUniqueName('r-'),
        createNumberedUpTo(1),
      );
      const commit = (position?.commit ?? 0n) + 1_000_000n;
      const read = client.readAll({ fromPosition: { commit, prepare: commit } });
      expect(await readAll(read)).toEqual([]);
    });
  });
});
