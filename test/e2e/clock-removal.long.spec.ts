import { ClockedSubscriber } from '../support/billing';
import { runCli } from '../support/cli';
import { databases } from '../support/databases';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const EMAIL = 'ada@example.com';
const REFUND = { amount: 100, reason: 'requested_by_customer' };

/** A deleted test clock deletes its subscribers and all of their data (D-111). */
describe.each(databases)('deleting a test clock, on $name SQL', (database) => {
  let service: RunningService;
  let tenant: TestTenant;
  let ada: ClockedSubscriber;
  /** The paths at which the subscriber's data can be read. */
  let paths: string[];
  let cohortId: unknown;
  /** A subscriber that lives in real time and is not deleted. */
  let carol: unknown;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    const plan = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' };
    (await tenant.api.put('/v1/plans/pro', plan)).expect(200);
    const everyone = { name: 'Everyone', definition: {} };
    cohortId = (await tenant.api.post('/v1/cohorts', everyone)).created['id'];
    // The cohort is empty afterwards.
    const paying = { name: 'Paying', definition: { status: ['active'] } };
    (await tenant.api.post('/v1/cohorts', paying)).expect(201);
    ada = await ClockedSubscriber.create(tenant.api, '2026-01-31T09:00:00Z');
    paths = await own(ada);
    const registration = { email: 'carol@example.com' };
    carol = (await tenant.api.post('/v1/subscribers', registration)).created['id'];
    // This subscriber is erased first: its tombstone is deleted with the clock, too.
    (await tenant.api.delete(`/v1/subscribers/${await createAnother()}`)).expect(200);
    await until('the members', async () => (await countMembers()) === 2);
  });

  const countMembers = async (): Promise<unknown> =>
    (await tenant.api.get(`/v1/cohorts/${String(cohortId)}`)).ok['member_count'];

  const createAnother = async (): Promise<string> => {
    const body = { email: 'bob@example.com', test_clock: ada.clockId };
    return (await tenant.api.post('/v1/subscribers', body)).created['id'] as string;
  };

  /** Creates one object of each kind for a subscriber. */
  const own = async (person: ClockedSubscriber): Promise<string[]> => {
    const { api } = tenant;
    const { subscriberId } = person;
    const create = async (path: string, body: Json): Promise<string> =>
      (await api.post(path, body)).created['id'] as string;
    const sub = (await person.subscribe({ plan: 'pro', payment_method: 'pm_test_ok' })).created;
    const credit = { amount: 300, currency: 'USD', category: 'promotional' };
    const creditId = await create(`/v1/subscribers/${subscriberId}/credits`, credit);
    await person.advance('2026-03-01T09:00:00Z');
    const [payment] = (await api.get(`/v1/payments?subscriber_id=${subscriberId}`)).data;
    const paymentId = String(payment!['id']);
    const refundId = await create(`/v1/payments/${paymentId}/refunds`, REFUND);
    const ticketId = await create('/v1/tickets', { subscriber_id: subscriberId, topic: 'other' });
    const offer = { type: 'redirect', url: 'https://example.com', label: 'Stay' };
    const motionId = await create('/v1/motions', { name: 'Save', kind: 'cancel_save', offer });
    (await api.post(`/v1/motions/${motionId}/activate`)).expect(200);
    const trigger = { subscriber_id: subscriberId };
    const run = (await api.post(`/v1/motions/${motionId}/trigger`, trigger)).expect(202);
    return [
      `subscribers/${subscriberId}`,
      `subscribers/${subscriberId}/timeline`,
      `subscribers/${subscriberId}/events`,
      `subscribers/${subscriberId}/credits`,
      `subscriptions/${String(sub['id'])}`,
      `subscriptions/${String(sub['id'])}?at=2026-02-10T00:00:00Z`,
      `payments/${paymentId}`,
      `payments/${paymentId}/attempts`,
      `refunds/${refundId}`,
      `credits/${creditId}`,
      `credits/${creditId}/transactions`,
      `tickets/${ticketId}`,
      `motion_runs/${run['id'] as string}`,
    ];
  };

  it('leaves nothing readable', async () => {
    for (const path of paths) expect([path, await readStatus(path)]).toEqual([path, 200]);
    (await tenant.api.delete(`/v1/test_helpers/clocks/${ada.clockId}`)).expect(200);
    for (const path of paths) expect([path, await readStatus(path)]).toEqual([path, 404]);
  });

  const readStatus = async (path: string): Promise<number> =>
    (await tenant.api.get(`/v1/${path}`)).status;

  it('leaves nothing in lists and counts', async () => {
    const [motion] = (await tenant.api.get('/v1/motions')).data;
    for (const path of [
      'subscriptions',
      'payments',
      'refunds',
      'tickets',
      `motions/${String(motion!['id'])}/runs`,
    ]) {
      expect([path, (await tenant.api.get(`/v1/${path}`)).data]).toEqual([path, []]);
    }
    expect((await tenant.api.get('/v1/subscribers')).data).toMatchObject([{ id: carol }]);
    const listed = await tenant.api.get(`/v1/cohorts/${String(cohortId)}/members`);
    expect(listed.data).toMatchObject([{ subscriber_id: carol }]);
    expect(await countMembers()).toBe(1);
    for (const metric of ['active_subscribers', 'mrr']) {
      const { points } = (await tenant.api.get(`/v1/metrics/${metric}`)).ok as { points: Json[] };
      expect([metric, points.at(-1)!['value']]).toEqual([metric, 0]);
    }
  });

  it('refuses commands as for subscribers that never existed', async () => {
    const { api } = tenant;
    const path = `/v1/subscribers/${ada.subscriberId}`;
    for (const answer of [
      await api.patch(path, { tags: ['x'] }),
      await api.delete(path),
      await api.post('/v1/tickets', { subscriber_id: ada.subscriberId, topic: 'other' }),
      await api.post(`/v1/${paths.find((each) => each.startsWith('tickets'))!}/close`),
      await api.post(`/v1/${paths.find((each) => each.startsWith('subscriptions'))!}/cancel`),
    ]) {
      expect(answer.refusal.slice(0, 2)).toEqual([404, 'resource_not_found']);
    }
  });

  it('keeps the events, like those of an erased subscriber', async () => {
    const events = await ada.listEvents();
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['subscriber.created', 'payment.succeeded', 'subscriber.erased']),
    );
    expect(JSON.stringify(events)).not.toContain(EMAIL);
    expect(events.at(-1)).toMatchObject({ type: 'subscriber.erased', subscriber: { email: null } });
    expect(events.at(-1)!['data']).not.toHaveProperty('removed');
  });

  it('also deletes a subscriber that is registered at the same time', async () => {
    const late: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const { clockId } = await ClockedSubscriber.create(tenant.api, '2026-01-31T09:00:00Z');
      const body = { email: 'late@example.com', test_clock: clockId };
      const register = () => tenant.api.post('/v1/subscribers', body);
      const path = `/v1/test_helpers/clocks/${clockId}`;
      const [removed, ...answers] = await Promise.all([
        tenant.api.delete(path),
        ...Array.from({ length: 5 }, register),
      ]);
      expect(removed.status).toBe(200);
      for (const { status, body: answer } of answers) {
        expect([201, 404]).toContain(status);
        if (status === 201) late.push(answer['id'] as string);
      }
    }
    expect(late.length).toBeGreaterThan(0);
    for (const id of late) expect(await readStatus(`subscribers/${id}`)).toBe(404);
    expect((await tenant.api.get('/v1/subscribers')).data).toMatchObject([{ id: carol }]);
  });

  it('gives the same result as a rebuild', async () => {
    expect(await runCli(service, ['projections', 'verify', '--whole'])).toMatchObject({ code: 0 });
  });

  it('frees the external ids of its subscribers and subscriptions at once, also for an import', async () => {
    const plan = { plan: 'pro', payment_method: 'pm_test_ok', external_id: 'order-1' };
    const ids: unknown[] = [];
    for (const _ of [1, 2, 3]) {
      const clock = { frozen_time: '2026-01-01T00:00:00Z' };
      const { id: clockId } = (await tenant.api.post('/v1/test_helpers/clocks', clock)).created;
      const dora = { email: 'dora@example.com', external_id: 'dora', test_clock: clockId };
      const { id } = (await tenant.api.post('/v1/subscribers', dora)).created;
      (await tenant.api.post('/v1/subscribers', dora)).expect(409);
      const subscription = { subscriber_id: id, ...plan };
      (await tenant.api.post('/v1/subscriptions', subscription)).expect(201);
      (await tenant.api.post('/v1/subscriptions', subscription)).expect(409);
      ids.push(id);
      (await tenant.api.delete(`/v1/test_helpers/clocks/${String(clockId)}`)).expect(200);
    }
    expect(new Set(ids).size).toBe(3);
    const lines = [{ kind: 'subscriber', external_id: 'dora', email: 'dora@example.com' }];
    const imported = (await tenant.api.post('/v1/imports', { lines })).expect(202)['id'];
    await until('the import to end', async () => {
      const { lines_ok: ok } = (await tenant.api.get(`/v1/imports/${String(imported)}`)).ok;
      return ok === 1;
    });
  });
});
