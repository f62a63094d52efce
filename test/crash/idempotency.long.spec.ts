import { EventStoreDBClient } from '@eventstore/db-client';
import { randomBytes } from 'node:crypto';
import type { Answer } from '../support/api';
import { Service, type TestTenant } from '../support/service';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { until } from '../support/until';

/**
 * This suite kills the service after the command is in the log and before its response is stored.
 * The store commits but does not confirm the append, so the service is still waiting when it is
 * killed.
 */
describe('a service killed between append and stored response', () => {
  let store: StoreServer;
  let client: EventStoreDBClient;
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    store = await StoreServer.start({ projections: false });
    service = await Service.start({
      env: {
        EVENTSTORE_URL: store.connectionString,
        MASTER_KEY: randomBytes(32).toString('base64'),
      },
    });
    tenant = await service.tenant();
  });

  afterAll(async () => {
    await service.dispose();
    await client.dispose();
    await store.dispose();
  });

  /** Returns the ids of the tickets in the subscriber's stream. */
  const listStoredTickets = async (subscriber: string): Promise<string[]> => {
    const ids: string[] = [];
    const stream = `${tenant.id}.test-${subscriber}`;
    for await (const { event } of client.readStream(stream)) {
      const { ticket } = event?.data as unknown as { ticket?: { id: string } };
      if (ticket !== undefined) ids.push(ticket.id);
    }
    return ids;
  };

  const restartStore = async (...args: string[]): Promise<void> => {
    await store.restart(args);
    client = EventStoreDBClient.connectionString(store.connectionString);
  };

  it('answers the repeat with the stored result and executes the command once', async () => {
    const created = await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const subscriber_id = String(created.created['id']);
    await restartStore('--fault', 'append-unanswered=1');
    const submit = () =>
      tenant.api.post(
        '/v1/tickets',
        { subscriber_id, topic: 'other', subject: 'Once' },
        { 'idempotency-key': 'cut off' },
      );
    const cutOff = submit().then(
      ({ status }) => status,
      () => 'no answer',
    );
    const [id] = await until('the ticket in the log', async () => {
      const ids = await listStoredTickets(subscriber_id);
      return ids.length > 0 ? ids : null;
    });
    await service.kill();
    expect(await cutOff).toBe('no answer');
    await client.dispose();
    await restartStore();
    await service.run();
    // The killed process was the only one, so its lock ended with the start.
    const answer = await submit();
    expect(answer.created).toMatchObject({ id, subject: 'Once', status: 'open' });
    const again = await submit();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.created).toEqual(answer.created);
    expect(await listStoredTickets(subscriber_id)).toEqual([id]);
    const { data } = await tenant.api.get(`/v1/tickets?subscriber_id=${subscriber_id}`);
    expect(data.map((each) => each['id'])).toEqual([id]);
  }, 60_000);
});

describe('requests under way when the single process of a service is killed', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
  });

  afterAll(() => service.dispose());

  it('are repeated at once after the start, and each has its effect once', async () => {
    const { api } = await service.tenant();
    const create = (i: number) =>
      api.post(
        '/v1/subscribers',
        { email: `ada${i}@example.com` },
        { 'idempotency-key': `create ${i}` },
      );
    const all = Array.from({ length: 40 }, (_, i) => i);
    const first = all.map((i) => create(i).catch(() => null));
    await Promise.race(first);
    await service.kill();
    await Promise.all(first);
    await service.run();
    const repeated = await Promise.all(all.map(create));
    expect(repeated.map(({ status }) => status)).toEqual(all.map(() => 201));
    const { data } = await api.get('/v1/subscribers?limit=100');
    expect(data).toHaveLength(all.length);
  });
});

/** An append without a response is looked up by its event ids, so the caller learns its result. */
describe('a request whose appends all time out at the store after their commit', () => {
  let store: StoreServer;
  let service: Service;
  let tenant: TestTenant;
  let subscriber: string;

  beforeAll(async () => {
    store = await StoreServer.start({ projections: false });
    service = await Service.start({
      env: {
        EVENTSTORE_URL: store.connectionString,
        MASTER_KEY: randomBytes(32).toString('base64'),
      },
    });
    tenant = await service.tenant();
    const created = await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    subscriber = String(created.created['id']);
  });

  afterAll(async () => {
    await service.dispose();
    await store.dispose();
  });

  /**
   * Sends a request while the store answers no append, and again when it does. Returns what both
   * attempts were answered.
   */
  const sendTwice = async (status: number, ask: () => Promise<Answer>): Promise<Answer> => {
    await store.restart(['--fault', 'append-unanswered=1']);
    const first = await until('an answer', async () => {
      const answer = await ask();
      return answer.status === 503 ? null : answer;
    });
    await store.restart();
    const repeated = await until('the store to be back', async () => {
      const answer = await ask();
      return answer.status === 503 ? null : answer;
    });
    expect([repeated.status, repeated.body['id']]).toEqual([status, first.body['id']]);
    return first;
  };

  it('takes effect once for every caller that repeats it with its key', async () => {
    const path = `/v1/subscribers/${subscriber}/credits`;
    const credit = { amount: 500, currency: 'USD', category: 'goodwill' };
    const grant = () => tenant.api.post(path, credit, { 'idempotency-key': 'mute' });
    const { created } = await sendTwice(201, grant);
    expect(created).toMatchObject({ amount: 500, remaining: 500 });
    const { data } = await tenant.api.get(path);
    expect(data.map(({ id }) => id)).toEqual([created['id']]);
  });

  it('creates one import if it is an upload', async () => {
    const lines = '{"kind":"subscriber","external_id":"crm-1","email":"bob@example.com"}';
    const headers = { 'idempotency-key': 'mute upload', 'content-type': 'application/x-ndjson' };
    const upload = () => tenant.api.send('POST', '/v1/imports', { body: lines, headers });
    const { id } = (await sendTwice(202, upload)).expect(202);
    const ended = await until('the import', async () => {
      const { ok } = await tenant.api.get(`/v1/imports/${String(id)}`);
      return ok['finished_at'] === null ? null : ok;
    });
    expect(ended).toMatchObject({ status: 'completed', lines_ok: 1 });
  });
});
