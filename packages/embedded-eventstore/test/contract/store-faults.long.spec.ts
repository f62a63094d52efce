import {
  ErrorType,
  type EventStoreDBClient,
  FAULTED,
  NO_STREAM,
  NotLeaderError,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  START,
  UnavailableError,
} from '@eventstore/db-client';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedEventStore } from '../../src/start';
import { createBatchAppend, RawStore } from '../support/raw-store';
import {
  readAll,
  waitForError,
  receive,
  createNumbered,
  readNumber,
  numbersIn,
} from '../support/store-contract';
import { createStoreStarter, type StoreServer } from '../support/store-server';
import { until } from '../support/until';

const WAIT_LIMIT_MS = 300;

/** True if a promise is still pending after a time in which every healthy call is answered. */
const isUnanswered = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => false,
      () => false,
    ),
    delay(WAIT_LIMIT_MS, true),
  ]);

describe('faults of the embedded event store', () => {
  const { start, connect } = createStoreStarter();
  const group = settings({ startFrom: START });

  const running = async (): Promise<[StoreServer, EventStoreDBClient]> => {
    const server = await start();
    return [server, connect(server.connectionString)];
  };

  const connectToGroup = (client: EventStoreDBClient, name: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const subscription = client.subscribeToPersistentSubscriptionToStream('a-1', name);
      subscription.on('confirmation', resolve).on('error', reject);
      subscription.on('data', () => undefined);
    });

  describe('calls of groups', () => {
    it('ignore the next connects', async () => {
      const [server, client] = await running();
      await client.createPersistentSubscriptionToStream('a-1', 'g', group);
      await server.inject('connect-unanswered=next:2');
      expect(await isUnanswered(connectToGroup(client, 'g'))).toBe(true);
      expect(await isUnanswered(connectToGroup(client, 'g'))).toBe(true);
      await connectToGroup(client, 'g');
    });

    it.each([
      [
        'create',
        (client: EventStoreDBClient) =>
          client.createPersistentSubscriptionToStream('a-1', 'new', group),
      ],
      [
        'update',
        (client: EventStoreDBClient) =>
          client.updatePersistentSubscriptionToStream('a-1', 'g', group),
      ],
      [
        'delete',
        (client: EventStoreDBClient) => client.deletePersistentSubscriptionToStream('a-1', 'g'),
      ],
      ['replay', (client: EventStoreDBClient) => client.replayParkedMessagesToStream('a-1', 'g')],
    ])('ignore the next %s, without an effect', async (name, call) => {
      const [server, client] = await running();
      await client.createPersistentSubscriptionToStream('a-1', 'g', group);
      await server.inject(`${name}-unanswered=next:1`);
      expect(await isUnanswered(call(client))).toBe(true);
      await call(client);
    });

    it('create a group without a response', async () => {
      const [server, client] = await running();
      await server.inject('answer-lost=next:1');
      const create = client.createPersistentSubscriptionToStream('a-1', 'g', group);
      expect(await isUnanswered(create)).toBe(true);
      const info = await client.getPersistentSubscriptionToStreamInfo('a-1', 'g');
      expect(info.groupName).toBe('g');
    });

    it('drop connects without a response for some time after the start', async () => {
      const server = await start();
      const before = connect(server.connectionString);
      await before.createPersistentSubscriptionToStream('a-1', 'g', group);
      await server.restart(['--fault', 'not-ready=2s']);
      const client = connect(server.connectionString);
      expect(await isUnanswered(connectToGroup(client, 'g'))).toBe(true);
      await expect(client.getPersistentSubscriptionToStreamInfo('a-1', 'g')).rejects.toBeInstanceOf(
        UnavailableError,
      );
      await client.appendToStream('a-1', createNumbered(0));
      await until(
        'the group to answer',
        async () => !(await isUnanswered(connectToGroup(client, 'g'))),
      );
    });
  });

  describe('appends', () => {
    it('get no response although they are stored', async () => {
      const [server, client] = await running();
      await server.inject('append-unanswered=next:1');
      const append = client.appendToStream('a-1', createNumbered(0), {
        expectedRevision: NO_STREAM,
      });
      expect(await isUnanswered(append)).toBe(true);
      expect(await numbersIn(client.readStream('a-1'))).toEqual([0]);
    });

    const SENT = randomUUID();

    /** Returns the correlation ids of the next answers to one append. */
    const collectAnswers = (server: StoreServer, count: number): Promise<readonly string[]> =>
      new Promise((resolve, reject) => {
        const raw = new RawStore(server.connectionString);
        const ids: string[] = [];
        const call = raw.streams.batchAppend(raw.metadata, {});
        call.on('error', reject).on('data', (answer: BatchAppendResp) => {
          ids.push(answer.getCorrelationId()?.getString() ?? '');
          if (ids.length < count) return;
          resolve(ids);
          call.on('error', () => undefined);
          raw.close();
        });
        const append = { stream: 'a-1', correlationId: SENT, eventId: randomUUID() };
        call.write(createBatchAppend(append));
      });

    it('are preceded by the response to an append that the client did not send', async () => {
      const [server] = await running();
      await server.inject('unknown-answer=next:1');
      const [unknown, sent] = await collectAnswers(server, 2);
      expect(unknown).toMatch(/^[0-9a-f-]{36}$/);
      expect([unknown === SENT, sent]).toEqual([false, SENT]);
    });

    it('are answered twice', async () => {
      const [server] = await running();
      await server.inject('double-answer=next:1');
      expect(await collectAnswers(server, 2)).toEqual([SENT, SENT]);
    });

    it('fail on one call while another call has appends without a response', async () => {
      const [server, client] = await running();
      const other = connect(`${server.connectionString}&keepAliveInterval=10001`);
      const broken = new Promise((resolve) => {
        const raw = new RawStore(server.connectionString);
        raw.streams
          .batchAppend(raw.metadata, {})
          .on('error', (error) => {
            raw.close();
            resolve(error);
          })
          .on('data', () => undefined)
          .write(createBatchAppend({ stream: 'b-1', correlationId: SENT, eventId: SENT }));
      });
      await until(
        'the other stream to be open',
        async () => (await numbersIn(client.readStream('b-1'))).length === 1,
      );
      await server.inject('break-other-append-stream=next:1');
      await other.appendToStream('a-1', createNumbered(0), { expectedRevision: NO_STREAM });
      expect(await broken).toMatchObject({ code: 14 });
    });

    it('are refused as not leader although they are committed', async () => {
      const [server, client] = await running();
      await client.createPersistentSubscriptionToStream('a-1', 'g', group);
      const dropped = waitForError(client.subscribeToPersistentSubscriptionToStream('a-1', 'g'));
      await until('a consumer', async () => {
        const info = await client.getPersistentSubscriptionToStreamInfo('a-1', 'g');
        return info.connections.length === 1;
      });
      await server.inject('leader-change=next:1');
      const append = client.appendToStream('a-1', createNumbered(0), {
        expectedRevision: NO_STREAM,
      });
      await expect(append).rejects.toBeInstanceOf(NotLeaderError);
      expect(await dropped).toMatchObject({ type: ErrorType.PERSISTENT_SUBSCRIPTION_DROPPED });
      expect(await numbersIn(client.readStream('a-1'))).toEqual([0]);
    });
  });

  it('send nothing for some time and answer afterwards over the same connection', async () => {
    const [server, client] = await running();
    await client.appendToStream('a-1', createNumbered(0));
    await server.inject('silence=1500ms');
    const append = client.appendToStream('a-1', createNumbered(1));
    expect(await isUnanswered(append)).toBe(true);
    expect((await append).nextExpectedRevision).toBe(1n);
    expect(await numbersIn(client.readStream('a-1'))).toEqual([0, 1]);
  });

  it('stop the links of $by_category until the projection is enabled again', async () => {
    const [server, client] = await running();
    await client.appendToStream('a-1', createNumbered(0));
    await server.inject('projection-fault=next:1');
    await client.appendToStream('a-1', createNumbered(1));
    await client.appendToStream('a-1', createNumbered(2));
    expect(await client.getProjectionStatus('$by_category')).toMatchObject({
      projectionStatus: FAULTED,
      status: 'Faulted',
    });
    expect(await readAll(client.readStream('$ce-a'))).toHaveLength(1);
    await client.enableProjection('$by_category');
    const links = client.subscribeToStream('$ce-a', { fromRevision: START, resolveLinkTos: true });
    expect((await receive(links, 3)).map(readNumber)).toEqual([0, 1, 2]);
  });

  it('can be requested from a server in a worker thread', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'store-'));
    const store = await startEmbeddedEventStore({ dir });
    try {
      const client = connect(store.connectionString);
      await client.createPersistentSubscriptionToStream('a-1', 'g', group);
      await store.injectFault('connect-unanswered', { next: 1 });
      expect(await isUnanswered(connectToGroup(client, 'g'))).toBe(true);
      await store.injectFault('connect-unanswered', { next: 1 });
      await store.clearFaults();
      await connectToGroup(client, 'g');
    } finally {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
