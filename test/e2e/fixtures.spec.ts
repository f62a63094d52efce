import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { RunningService, type TestTenant } from '../support/service';
import { Receiver } from '../support/receiver';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const SOME_TEXT = expect.any(String) as string;

describe('test helpers', () => {
  let service: RunningService;
  let tenant: TestTenant;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const destination = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    (await service.operator.post(path, destination)).expect(201);
  });

  afterAll(async () => {
    await receiver.close();
  });

  it('create an event of every type of the catalogue', async () => {
    const catalogue = (await tenant.api.get('/v1/event_types')).data;
    const types = catalogue.map(({ type }) => String(type));
    for (const { type, schema } of catalogue) {
      const envelope = (await tenant.api.post('/v1/test_helpers/events', { type })).created;
      expect(envelope).toMatchObject({ type, environment: 'test', tenant: { id: tenant.id } });
      if (String(type).startsWith('subscription.')) {
        expect(envelope).toHaveProperty('subscription.id');
      }
      expect(listViolations(schema as object, envelope['data'])).toEqual([]);
      expect(listStrangeIds(envelope['data'])).toEqual([]);
    }
    await until('all of them at the receiver', () => {
      const seen = new Set(receiver.received.map(({ event }) => event.type));
      return types.every((type) => seen.has(type));
    });
  });

  it('create events of an existing subscriber with other data', async () => {
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const request = { type: 'subscriber.updated', subscriber_id: id, data: { tags: ['vip'] } };
    const envelope = (await tenant.api.post('/v1/test_helpers/events', request)).created;
    expect(envelope).toMatchObject({
      subscriber: { id, email: 'ada@example.com' },
      data: { tags: ['vip'] },
      sequence: 2,
    });
    expect((await tenant.api.get(`/v1/events/${String(envelope['id'])}`)).ok).toEqual(envelope);
    const postForRefusal = async (body: object) =>
      (await tenant.api.post('/v1/test_helpers/events', body)).refusal;
    expect(await postForRefusal({ ...request, data: { tags: 'vip' } })).toEqual([
      400,
      'parameter_invalid',
      'data.tags',
    ]);
    const immense = { payment: { amount: 1e300 } };
    expect(await postForRefusal({ type: 'payment.succeeded', data: immense })).toEqual([
      400,
      'parameter_invalid',
      'data.payment.amount',
    ]);
    expect(await postForRefusal({ type: 'no.such' })).toEqual([400, 'parameter_invalid', 'type']);
    expect(await postForRefusal({ ...request, type: 'subscriber.created' })).toEqual([
      400,
      'parameter_invalid',
      'subscriber_id',
    ]);
    const unknown = { ...request, subscriber_id: 'subscriber_0000000000000000' };
    expect(await postForRefusal(unknown)).toEqual([404, 'resource_not_found', 'subscriber_id']);
  });

  it('erase an existing subscriber as the API does', async () => {
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'eve@example.com' })).created;
    await tenant.api.post('/v1/test_helpers/events', {
      type: 'subscription.activated',
      subscriber_id: id,
    });
    const request = { type: 'subscriber.erased', subscriber_id: id };
    const key = { 'idempotency-key': 'erased' };
    const erase = (headers = {}) => tenant.api.post('/v1/test_helpers/events', request, headers);
    const envelope = (await erase(key)).created;
    expect(envelope).toMatchObject({
      type: 'subscriber.erased',
      subscriber: { id, email_hashed: `sha256:${'0'.repeat(64)}` },
    });
    expect((await tenant.api.get(`/v1/events/${String(envelope['id'])}`)).ok).toEqual(envelope);
    const record = (await tenant.api.get(`/v1/subscribers/${String(id)}`)).ok;
    const { erased_at: erasedAt } = envelope['data'] as Json;
    expect(record).toMatchObject({ email: null, erased_at: erasedAt });
    expect(record).toMatchObject({ subscription: { status: 'cancelled' } });
    expect((await erase(key)).created).toEqual(envelope);
    expect((await erase()).refusal).toEqual([409, 'subscriber_erased', 'subscriber_id']);
    const unknown = { ...request, subscriber_id: 'subscriber_0000000000000000' };
    expect((await tenant.api.post('/v1/test_helpers/events', unknown)).refusal).toEqual([
      404,
      'resource_not_found',
      'subscriber_id',
    ]);
  });

  it('apply the given fields over the fixture', async () => {
    const make = async (body: object) =>
      (await tenant.api.post('/v1/test_helpers/events', body)).created['data'];
    const data = { ticket: { topic: 'cancel', priority: 'high' } };
    expect(await make({ type: 'ticket.submitted', data })).toMatchObject({
      ticket: { topic: 'cancel', priority: 'high', status: 'open' },
    });
    expect(await make({ type: 'subscriber.updated' })).toMatchObject({
      previous: { tags: ['fixture'] },
      tags: ['fixture', 'updated'],
    });
  });

  /** Creates an event of the type on a new subscriber and returns its content. */
  const emitEvent = async (type: string, data: object = {}) =>
    (await tenant.api.post('/v1/test_helpers/events', { type, data })).created as unknown as {
      data: Json;
      subscription: Json;
      subscriber: Json;
    };

  it('are consistent with the catalogue and with themselves', async () => {
    for (const outcome of ['presented', 'accepted', 'declined', 'expired', 'applied', 'failed']) {
      expect((await emitEvent(`motion.${outcome}`)).data).toMatchObject({ outcome });
    }
    const cancelled = await emitEvent('subscription.cancelled');
    expect(cancelled.data).toMatchObject({ reason: 'cancellation_requested', voluntary: true });
    const disputed = await emitEvent('subscription.cancelled', { reason: 'payment_disputed' });
    expect(disputed.data).toMatchObject({ reason: 'payment_disputed', voluntary: false });
    const lapsed = await emitEvent('subscription.lapsed');
    expect(lapsed.data).toMatchObject({ reason: 'payment_failed', voluntary: false, attempts: 7 });
    const changed = await emitEvent('subscription.plan_changed', { to_plan: 'gold' });
    expect(changed.data).toMatchObject({ from_plan: 'fixture', to_plan: 'gold' });
    expect(changed.subscription).toMatchObject({ plan: 'gold' });
    const extended = await emitEvent('subscription.trial_extended');
    expect(extended.subscription).toMatchObject({
      status: 'trialing',
      trial_end: extended.data['trial_end'],
    });
    const pastDue = await emitEvent('subscription.past_due');
    expect(pastDue.subscription).toMatchObject({
      payment_state: 'past_due',
      grace_ends_at: pastDue.data['grace_ends_at'],
    });
    const reactivated = await emitEvent('subscription.reactivated');
    expect(reactivated.data).toMatchObject({ previous: { status: 'cancelled' } });
    expect(reactivated.subscription).toMatchObject({ status: 'active' });
  });

  it('create payments, refunds and credits whose amounts agree with each other', async () => {
    const whole = { amount: 2000, amount_refunded: 0, credit_applied: 0 };
    const { data: succeeded } = await emitEvent('payment.succeeded');
    expect(succeeded).toMatchObject({
      payment: { ...whole, status: 'succeeded', succeeded_at: SOME_TEXT, failure: null },
    });
    const { data: failed } = await emitEvent('payment.failed');
    expect(failed).toMatchObject({
      payment: { ...whole, status: 'pending', failure: { code: 'insufficient_funds' } },
      failure: { code: 'insufficient_funds' },
      next_attempt_at: SOME_TEXT,
      final: false,
    });
    const { data: method } = await emitEvent('payment.method_updated');
    expect(method).toMatchObject({
      payment_method: { type: 'card', brand: 'visa', last4: '4242' },
    });
    const { data: refunded, subscriber } = await emitEvent('payment.refunded');
    const { id: refundId, payment_id: paymentId } = refunded['refund'] as Json;
    expect((await tenant.api.get(`/v1/refunds/${String(refundId)}`)).ok).toMatchObject({
      payment_id: paymentId,
      amount: 2000,
      status: 'succeeded',
    });
    expect((await tenant.api.get(`/v1/payments/${String(paymentId)}`)).ok).toMatchObject({
      status: 'succeeded',
      amount_refunded: 2000,
    });
    const payer = `/v1/subscribers/${String(subscriber['id'])}`;
    expect((await tenant.api.get(payer)).ok).toMatchObject({ total_paid: 0 });
  });

  it('report the answer time of tickets', async () => {
    for (const [type, before] of [
      ['ticket.resolved', 'open'],
      ['ticket.closed', 'resolved'],
    ] as const) {
      expect((await emitEvent(type)).data).toMatchObject({
        ticket: { status: type.slice('ticket.'.length), resolved_at: SOME_TEXT },
        previous: { status: before },
        resolution_seconds: 86_400,
      });
    }
  });

  it('create credits, cohorts and motions that exist', async () => {
    const credits = [];
    for (const amount of [500, 700]) {
      const { data } = await emitEvent('credit.granted', { amount });
      expect(data).toMatchObject({ amount, remaining: amount });
      credits.push([String(data['credit_id']), amount] as const);
    }
    for (const [id, amount] of credits) {
      expect((await tenant.api.get(`/v1/credits/${id}`)).ok).toMatchObject({
        amount,
        remaining: amount,
        status: 'active',
        source: { type: 'api', id: null },
      });
    }
    const entered = await emitEvent('cohort.entered');
    const cohortId = String(entered.data['cohort_id']);
    expect((await tenant.api.get(`/v1/cohorts/${cohortId}`)).ok).toMatchObject({ name: 'Fixture' });
    const member = `/v1/subscribers/${String(entered.subscriber['id'])}`;
    expect((await tenant.api.get(member)).ok['cohort_ids']).toEqual([cohortId]);
    const { data: run } = await emitEvent('motion.applied');
    expect((await tenant.api.get(`/v1/motion_runs/${String(run['run_id'])}`)).ok).toMatchObject({
      status: 'applied',
      accepted_at: SOME_TEXT,
    });
    const motion = `/v1/motions/${String(run['motion_id'])}`;
    expect((await tenant.api.get(motion)).ok).toMatchObject({ status: 'active' });
  });

  it('create subscribers by a seed', async () => {
    const seeded = await tenant.api.post('/v1/test_helpers/seed', { subscribers: 30 });
    const id = String(seeded.expect(202)['id']);
    await until('the import', async () => {
      return (await tenant.api.get(`/v1/imports/${id}`)).ok['status'] === 'completed';
    });
    const { data } = await tenant.api.get('/v1/subscribers?limit=100');
    expect(data.filter(({ tags }) => (tags as string[]).includes('seed'))).toHaveLength(30);
  });

  it('are refused outside test environments', async () => {
    const live = await service.createKey(tenant.id, 'live');
    for (const path of ['events', 'scenarios/trial_convert', 'seed']) {
      const refused = await live.api.post(`/v1/test_helpers/${path}`, {});
      expect(refused.refusal.slice(0, 2)).toEqual([403, 'test_helpers_live_forbidden']);
    }
  });
});

/** Returns the violations of the served JSON Schema by a value. */
const listViolations = (schema: object, value: unknown): string[] => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map((error) => JSON.stringify(error));
};

const PREFIXES: Readonly<Record<string, string>> = {
  subscriber: 'subscriber',
  subscription: 'sub',
  payment: 'pay',
  refund: 'rfd',
  credit: 'crd',
  ticket: 'tkt',
  run: 'mtr',
  motion_run: 'mtr',
  motion: 'mot',
  cohort: 'cohort',
};

/** Returns every id of another kind than its field requires, at any depth. */
const listStrangeIds = (value: unknown, path: readonly string[] = []): string[] => {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => listStrangeIds(each, [...path, key]));
  }
  const name = path.at(-1) ?? '';
  if (typeof value !== 'string' || !/(^|_)id$/.test(name)) return [];
  const prefix = PREFIXES[name === 'id' ? (path.at(-2) ?? '') : name.slice(0, -3)];
  const isRight = new RegExp(`^${String(prefix)}_[0-9a-z]{16,24}$`).test(value);
  return isRight ? [] : [`${path.join('.')}: ${value}`];
};
