import {
  persistentSubscriptionToAllSettingsFromDefaults as allSettings,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
  START,
} from '@eventstore/db-client';

import { Empty } from '@eventstore/db-client/generated/shared_pb';
import {
  AppendReq,
  DeleteReq,
  ReadResp,
  TombstoneReq,
} from '@eventstore/db-client/generated/streams_pb';

import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import {
  callUnary,
  createBatchAppend,
  RawStore,
  readRequest,
  streamIdentifier,
  type StreamRead,
} from '../support/raw-store';
import {
  readAll,
  ContractStore,
  embeddedOnly,
  createNumbered,
  createNumberedUpTo,
  createUniqueName,
} from '../support/store-contract';

import { until } from '../support/until';

/**
 * Clients in other languages rely on these facts, so the messages are compared as they are sent.
 */
describe('the protocol', () => {
  let store: ContractStore;
  let raw: RawStore;

  beforeAll(async () => {
    store = await ContractStore.start();
    raw = new RawStore(store.connectionString);
  });
  afterAll(async () => {
    raw.close();
    await store.close();
  });

  describe('names in the confirmation of a persistent subscription', () => {
    it('its stream and group', async () => {
      const stream = createUniqueName('s-');
      await store.client.createPersistentSubscriptionToStream(stream, 'g', streamSettings());
      expect(await raw.readSubscriptionId({ stream, name: 'g' })).toBe(`${stream}::g`);
    });

    it('$all and its group', async () => {
      const name = createUniqueName('g');
      await store.client.createPersistentSubscriptionToAll(name, allSettings());
      expect(await raw.readSubscriptionId({ name })).toBe(`$all::${name}`);
    });
  });

  describe('reports to a compatible client of a read', () => {
    /** Reads a stream as a list: revisions of events, and positions as `first 3` or `last 2`. */
    const readAsLines = async (read: StreamRead): Promise<readonly string[]> =>
      (await raw.read(readRequest(read))).map((message) => {
        switch (message.getContentCase()) {
          case ReadResp.ContentCase.FIRST_STREAM_POSITION:
            return `first ${message.getFirstStreamPosition()}`;
          case ReadResp.ContentCase.LAST_STREAM_POSITION:
            return `last ${message.getLastStreamPosition()}`;
          case ReadResp.ContentCase.STREAM_NOT_FOUND:
            return 'not found';
          default:
            return String(message.getEvent()?.getEvent()?.getStreamRevision());
        }
      });

    let stream: string;
    beforeAll(async () => {
      stream = createUniqueName('s-');
      await store.client.appendToStream(stream, createNumberedUpTo(3));
    });

    const compatibility = 1;

    it('the last revision, forwards and backwards', async () => {
      expect(await readAsLines({ stream, count: 10, compatibility })).toEqual([
        '0',
        '1',
        '2',
        'last 2',
      ]);
      expect(await readAsLines({ stream, count: 1, compatibility })).toEqual(['0', 'last 2']);
      const backwards = { stream, from: 2, backwards: true, count: 2, compatibility };
      expect(await readAsLines(backwards)).toEqual(['2', '1', 'last 2']);
    });

    it('the next revision, if the read starts after the end', async () => {
      const read = { stream, from: 10, count: 10, compatibility };
      expect(await readAsLines(read)).toEqual(['first 3', 'last 2']);
      expect(await readAsLines({ ...read, from: 3 })).toEqual(['last 2']);
    });

    it('the first visible revision, if the read starts at events that are cut off', async () => {
      const short = createUniqueName('s-');
      await store.client.appendToStream(short, createNumberedUpTo(3));
      await store.client.setStreamMetadata(short, { maxCount: 1 });
      const read = { stream: short, from: 0, compatibility };
      expect(await readAsLines({ ...read, count: 1 })).toEqual(['first 2', '2', 'last 2']);
      expect(await readAsLines({ ...read, count: 10 })).toEqual(['2', 'last 2']);
    });

    it('no revision of a stream that does not exist', async () => {
      expect(
        await readAsLines({ stream: createUniqueName('s-'), count: 1, compatibility }),
      ).toEqual(['not found']);
    });

    it('no revision if the client is not compatible', async () => {
      expect(await readAsLines({ stream, from: 10, count: 10 })).toEqual([]);
      expect(await readAsLines({ stream, count: 10 })).toEqual(['0', '1', '2']);
    });
  });

  describe('after the tombstone of a stream', () => {
    const gone = { code: status.FAILED_PRECONDITION };

    const tombstoned = async (): Promise<string> => {
      const stream = createUniqueName('s-');
      await store.client.appendToStream(stream, createNumbered(0));
      await store.client.setStreamMetadata(stream, { maxCount: 5 });
      await store.client.tombstoneStream(stream);
      return stream;
    };

    it('refuses readers and subscribers of the metadata stream, but not writers', async () => {
      const stream = `$$${await tombstoned()}`;
      await expect(raw.read(readRequest({ stream, count: 1 }))).rejects.toMatchObject(gone);
      expect(await raw.subscribe(stream).ended).toMatchObject(gone);
      await store.client.appendToStream(stream, createNumbered(1));
    });

    it('ends a new subscription with an error before its confirmation', async () => {
      const { ended, messages } = raw.subscribe(await tombstoned());
      expect(await ended).toMatchObject(gone);
      expect(messages).toEqual([]);
    });

    it('sends the tombstone to a live subscription before it ends with an error', async () => {
      const stream = createUniqueName('s-');
      await store.client.appendToStream(stream, createNumbered(0));
      const { ended, messages } = raw.subscribe(stream);
      await until('it to be live', () => messages.some((message) => message.hasCaughtUp()));
      await store.client.tombstoneStream(stream);
      expect(await ended).toMatchObject(gone);
      const last = messages.at(-1)?.getEvent()?.getEvent();
      expect(last?.getMetadataMap().get('type')).toBe('$streamDeleted');
      expect(last?.getStreamRevision()).toBe('9223372036854775807');
    });
  });

  describe('refuses an empty stream name as an argument error', () => {
    const refused = { code: status.INVALID_ARGUMENT };
    const noName = streamIdentifier('');
    const OTHER_CODES = 'a real server may answer with another code';

    it('in reads and subscriptions', async () => {
      for (const read of [{ stream: '', count: 1 }, { stream: '' }]) {
        await expect(raw.read(readRequest(read))).rejects.toMatchObject(refused);
      }
      await expect(raw.readSubscriptionId({ stream: '', name: 'g' })).rejects.toMatchObject(
        refused,
      );
    });

    embeddedOnly(OTHER_CODES)('in appends, inside the answer of a batch append', async () => {
      const append = { stream: '', correlationId: randomUUID(), eventId: randomUUID() };
      const answer = await raw.appendInBatch(createBatchAppend(append));
      expect(answer.getError()?.getCode()).toBe(status.INVALID_ARGUMENT);
      const options = new AppendReq.Options();
      options.setStreamIdentifier(noName);
      options.setAny(new Empty());
      const request = new AppendReq();
      request.setOptions(options);
      await expect(
        callUnary((done) => {
          const call = raw.streams.append(raw.metadata, done);
          call.write(request);
          call.end();
        }),
      ).rejects.toMatchObject(refused);
    });

    embeddedOnly(OTHER_CODES)('in deletions', async () => {
      const deletion = new DeleteReq.Options();
      deletion.setStreamIdentifier(noName);
      deletion.setAny(new Empty());
      const deleted = new DeleteReq();
      deleted.setOptions(deletion);
      await expect(
        callUnary((done) => raw.streams.delete(deleted, raw.metadata, done)),
      ).rejects.toMatchObject(refused);
      const tombstone = new TombstoneReq.Options();
      tombstone.setStreamIdentifier(noName);
      tombstone.setAny(new Empty());
      const tombstoned = new TombstoneReq();
      tombstoned.setOptions(tombstone);
      await expect(
        callUnary((done) => raw.streams.tombstone(tombstoned, raw.metadata, done)),
      ).rejects.toMatchObject(refused);
    });
  });

  it('lists the users, one event for each', async () => {
    const users = await readAll(store.client.readStream('$users', { fromRevision: START }));
    const names = users.map(({ event }) => Buffer.from(event?.data as Uint8Array).toString());
    expect(users.map(({ event }) => event?.type)).toEqual(users.map(() => '$User'));
    expect(names).toEqual(expect.arrayContaining(['admin', 'ops']));
  });
});
