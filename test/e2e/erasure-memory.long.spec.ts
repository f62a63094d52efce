import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster, describeWithPostgres } from '../support/cluster';
import { findTexts, HeapSnapshots, THREADS_OF_A_SERVICE } from '../support/heap';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';
import { readWrappedKey } from '../support/vault-file';

const EMAIL = 'ada.unforgettable@example.com';
/** Texts of one person, each in another place, so that a failure shows the place. */
const TEXTS = {
  email: 'ada.unforgettable',
  metadata: 'metadata of a person who went',
  changed: 'changed metadata of a person who went',
  comment: 'comment of a person who went',
  feedback: 'ticket subject of a person who went',
  body: 'ticket body of a person who went',
  credit: 'credit note of a person who went',
  refund: 'refund note of a person who went',
  motion: 'answer to an offer of a person who went',
  imported: 'imported metadata of a person who went',
} as const;
const PERSONAL = Object.values(TEXTS);
/** The time in ms within which every process forgets an erased subscriber (docs/security.md). */
const FORGOTTEN_WITHIN_MS = 30_000;

/** Makes the service handle personal values in every way it can. Returns the subscriber's id. */
const leaveTraces = async ({ api }: TestTenant, receiver: Receiver): Promise<string> => {
  let calls = 0;
  const createIdempotencyHeader = () => ({ 'idempotency-key': `call ${(calls += 1)}` });
  await api.put('/v1/plans/pro', { name: 'Pro', amount: 900, currency: 'USD', interval: 'month' });
  const registration = { email: EMAIL, external_id: 'ada-1', metadata: { note: TEXTS.metadata } };
  const { id } = (
    await api.post('/v1/subscribers', registration, createIdempotencyHeader())
  ).expect(201);
  const path = `/v1/subscribers/${String(id)}`;
  const subscription = { subscriber_id: id, plan: 'pro', payment_method: 'pm_test_ok' };
  const first = (
    await api.post('/v1/subscriptions', subscription, createIdempotencyHeader())
  ).expect(201);
  const [payment] = (await api.get(`/v1/payments?subscriber_id=${String(id)}`)).data;
  const refund = { amount: 100, reason: 'other', note: TEXTS.refund };
  const refunds = `/v1/payments/${String(payment?.['id'])}/refunds`;
  (await api.post(refunds, refund, createIdempotencyHeader())).expect(201);
  const cancellation = { effective: 'immediately', feedback: 'other', comment: TEXTS.comment };
  const cancel = `/v1/subscriptions/${String(first['id'])}/cancel`;
  (await api.post(cancel, cancellation, createIdempotencyHeader())).expect(200);
  (await api.post('/v1/subscriptions', subscription, createIdempotencyHeader())).expect(201);
  const ticket = { subscriber_id: id, topic: 'other', subject: TEXTS.feedback, body: TEXTS.body };
  (await api.post('/v1/tickets', ticket, createIdempotencyHeader())).expect(201);
  const credit = { amount: 100, currency: 'USD', note: TEXTS.credit };
  (await api.post(`${path}/credits`, credit, createIdempotencyHeader())).expect(201);
  (await api.patch(path, { metadata: { note: TEXTS.changed } }, createIdempotencyHeader())).expect(
    200,
  );
  const definition = { definition: { status: ['active'] } };
  (await api.post('/v1/cohorts/preview', definition, createIdempotencyHeader())).expect(200);
  const lines = [
    { kind: 'subscriber', external_id: 'ada-2', email: EMAIL, metadata: { note: TEXTS.imported } },
    { kind: 'subscriber', external_id: 'ada-3', email: EMAIL, unknown: TEXTS.imported },
  ];
  const { id: importId } = (
    await api.post('/v1/imports', { lines }, createIdempotencyHeader())
  ).expect(202);
  await until('the import to end', async () => {
    return (await api.get(`/v1/imports/${String(importId)}`)).ok['finished_at'];
  });
  await receiver.next('subscriber.updated');
  await readEverywhere({ api }, String(id));
  return String(id);
};

const readEverywhere = async ({ api }: Pick<TestTenant, 'api'>, id: string): Promise<void> => {
  const path = `/v1/subscribers/${id}`;
  for (const each of [
    path,
    '/v1/subscribers',
    `/v1/subscribers?email=${encodeURIComponent(EMAIL)}`,
    `/v1/search?q=${encodeURIComponent(EMAIL)}`,
    `${path}/timeline`,
    `${path}/events`,
    `${path}/credits`,
    `/v1/subscriptions?subscriber_id=${id}`,
    `/v1/tickets?subscriber_id=${id}`,
    `/v1/refunds?subscriber_id=${id}`,
    '/v1/events?limit=100',
    '/v1/test_helpers/outbox',
  ]) {
    await api.get(each);
  }
};

/**
 * Erases all of the person's subscribers: the imported one is the same person under another name.
 */
const eraseAll = async ({ api }: TestTenant): Promise<void> => {
  for (const { id } of (await api.get('/v1/subscribers?limit=100')).data) {
    (await api.delete(`/v1/subscribers/${String(id)}`)).expect(200);
  }
};

/** The second suite below covers PostgreSQL, where the service has no thread for SQL. */
const describeEmbedded = process.env['TEST_SQL'] === 'postgres' ? describe.skip : describe;

describeEmbedded('the memory of the process that erased', () => {
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let wrappedKey: string;
  const heap = new HeapSnapshots();

  beforeAll(async () => {
    service = await Service.start(heap.options);
    tenant = await service.tenant();
    receiver = await Receiver.start(({ body }, response) => {
      response.end(body);
    });
    const hook = { type: 'https_webhook', url: receiver.url };
    await tenant.api.post('/v1/destinations', hook);
    // The deliveries wait for their next attempt and contain data of the event.
    await tenant.api.post('/v1/destinations', { ...hook, url: 'http://127.0.0.1:9/never' });
    await tenant.api.post('/v1/destinations', { type: 'email_fallback', email: 'a@example.com' });
    const id = await leaveTraces(tenant, receiver);
    wrappedKey = readWrappedKey(readFileSync(join(service.dataDir, 'eventstore/data.mdb')), id);
  });

  afterAll(async () => {
    await service.dispose();
    await receiver.close();
    heap.dispose();
  });

  it('contains nothing of the person as soon as the erasure is answered', async () => {
    const before = await heap.take(service, THREADS_OF_A_SERVICE);
    // The search finds data that exists.
    expect(findTexts(before, PERSONAL)).not.toEqual([]);
    await eraseAll(tenant);
    const after = await heap.take(service, THREADS_OF_A_SERVICE);
    expect(findTexts(after, [...PERSONAL, wrappedKey])).toEqual([]);
  }, 300_000);

  it('contains nothing of the person after everything is read again', async () => {
    const [first] = (await tenant.api.get('/v1/subscribers')).data;
    await readEverywhere(tenant, String(first?.['id']));
    const after = await heap.take(service, THREADS_OF_A_SERVICE);
    expect(findTexts(after, [...PERSONAL.slice(1), wrappedKey])).toEqual([]);
  }, 300_000);
});

describeWithPostgres('the memory of another process', () => {
  let cluster: Cluster;
  let receiver: Receiver;
  let tenants: TestTenant[];
  const heap = new HeapSnapshots();

  beforeAll(async () => {
    const { env, nodeFlags = [] } = heap.options;
    cluster = await Cluster.start(env, { nodeFlags });
    const [first, second] = [await cluster.join(), await cluster.join()];
    const operator = first.createOperatorApi(cluster.operatorToken);
    const { id } = (await operator.post('/operator/v1/tenants', { name: 'Acme' })).expect(201);
    const issued = { environment: 'test', name: 'tests' };
    const path = `/operator/v1/tenants/${String(id)}/api-keys`;
    const key = (await operator.post(path, issued)).created['key'] as string;
    tenants = [first, second].map((each) => ({ id: String(id), key, api: each.createApi(key) }));
    receiver = await Receiver.start();
    await tenants[0]!.api.post('/v1/destinations', { type: 'https_webhook', url: receiver.url });
  });

  afterAll(async () => {
    await cluster.dispose();
    await receiver.close();
    heap.dispose();
  });

  it('contains nothing of the person within 30 s', async () => {
    const [first, second] = tenants as [TestTenant, TestTenant];
    const other = cluster.services[1]!;
    const id = await leaveTraces(second, receiver);
    expect(findTexts(await heap.take(other, 1), PERSONAL)).not.toEqual([]);
    await eraseAll(first);
    const erasedAt = Date.now();
    await until('the other process to know', async () => {
      return (await second.api.get(`/v1/subscribers/${id}`)).ok['erased_at'];
    });
    await until(
      'nothing to be found',
      async () => findTexts(await heap.take(other, 1), PERSONAL).length === 0,
      FORGOTTEN_WITHIN_MS,
    );
    expect(Date.now() - erasedAt).toBeLessThan(FORGOTTEN_WITHIN_MS);
  }, 300_000);
});
