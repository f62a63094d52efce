import { databases } from '../support/databases';
import { ClockedSubscriber } from '../support/billing';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

describe.each(databases)('timers, on $name SQL', (database) => {
  let service: RunningService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    await plan('pro', 2000);
  });

  const plan = (id: string, amount: number) =>
    tenant.api.put(`/v1/plans/${id}`, { name: id, amount, currency: 'USD', interval: 'month' });

  it('convert a trial, announce renewals and renew', async () => {
    const ada = await ClockedSubscriber.create(tenant.api, '2026-01-31T09:00:00Z');
    await ada.subscribe({ plan: 'pro', trial_days: 14, payment_method: 'pm_test_ok' });
    await ada.advance('2026-03-20T00:00:00Z');

    expect(await ada.listEventTimes()).toEqual([
      '2026-01-31T09:00 subscriber.created',
      '2026-01-31T09:00 subscription.trial_started',
      '2026-02-11T09:00 subscription.trial_will_end',
      '2026-02-14T09:00 payment.succeeded',
      '2026-02-14T09:00 subscription.activated',
      '2026-03-07T09:00 subscription.renewal_upcoming',
      '2026-03-14T09:00 payment.succeeded',
      '2026-03-14T09:00 subscription.renewed',
    ]);
    const events = await ada.listEvents();
    expect(events.at(-1)).toMatchObject({
      test_clock_id: ada.clockId,
      data: { renewal_count: 1, amount: 2000, period_end: '2026-04-14T09:00:00.000Z' },
      subscription: { status: 'active', current_period_start: '2026-03-14T09:00:00.000Z' },
    });
  });

  it('renew a subscription of the 31st on the last day of shorter months', async () => {
    const ada = await ClockedSubscriber.create(tenant.api, '2026-01-31T00:00:00Z');
    const subscription = (await ada.subscribe({ plan: 'pro', payment_method: 'pm_test_ok' }))
      .created;
    expect(subscription['current_period_end']).toBe('2026-02-28T00:00:00.000Z');
    await ada.advance('2026-03-31T00:00:00Z');
    const shown = (await tenant.api.get(`/v1/subscriptions/${String(subscription['id'])}`)).ok;
    expect(shown).toMatchObject({
      current_period_start: '2026-03-31T00:00:00.000Z',
      current_period_end: '2026-04-30T00:00:00.000Z',
    });
    const then = await tenant.api.get(
      `/v1/subscriptions/${String(subscription['id'])}?at=2026-03-01T00:00:00Z`,
    );
    expect(then.ok['current_period_end']).toBe('2026-03-31T00:00:00.000Z');
  });

  it('end an unpaid subscription after seven attempts', async () => {
    const ada = await ClockedSubscriber.create(tenant.api, '2026-01-01T00:00:00Z');
    const { id } = (await ada.subscribe({ plan: 'pro', payment_method: 'pm_test_ok' })).created;
    const method = { payment_method: 'pm_test_soft_decline' };
    await tenant.api.put(`/v1/subscriptions/${String(id)}/payment_method`, method);
    await ada.advance('2026-02-20T00:00:00Z');

    const course = (await ada.listEventTimes()).slice(5);
    expect(course).toEqual([
      '2026-02-01T00:00 payment.failed',
      '2026-02-01T00:00 subscription.past_due',
      '2026-02-02T00:00 payment.failed',
      '2026-02-04T00:00 payment.failed',
      '2026-02-06T00:00 payment.failed',
      '2026-02-08T00:00 payment.failed',
      '2026-02-11T00:00 payment.failed',
      '2026-02-14T00:00 payment.failed',
      '2026-02-15T00:00 subscription.lapsed',
      '2026-02-15T00:00 payment.recovery_lost',
    ]);
    const lapsed = (await ada.listEvents()).find(({ type }) => type === 'subscription.lapsed');
    expect(lapsed).toMatchObject({
      data: { reason: 'payment_failed', voluntary: false, attempts: 7 },
      subscription: { status: 'lapsed', payment_state: 'ok' },
    });
  });

  it('recover a subscription by a retry', async () => {
    const ada = await ClockedSubscriber.create(tenant.api, '2026-01-01T00:00:00Z');
    const { id } = (await ada.subscribe({ plan: 'pro', payment_method: 'pm_test_ok' })).created;
    const method = { payment_method: 'pm_test_fail_2_then_ok' };
    await tenant.api.put(`/v1/subscriptions/${String(id)}/payment_method`, method);
    await ada.advance('2026-02-05T00:00:00Z');

    expect((await ada.listEventTimes()).slice(5)).toEqual([
      '2026-02-01T00:00 payment.failed',
      '2026-02-01T00:00 subscription.past_due',
      '2026-02-02T00:00 payment.failed',
      '2026-02-04T00:00 payment.succeeded',
      '2026-02-04T00:00 payment.recovered',
      '2026-02-04T00:00 subscription.renewed',
    ]);
    const recovered = (await ada.listEvents()).find(({ type }) => type === 'payment.recovered');
    expect(recovered).toMatchObject({
      data: { attempts: 3, source: 'retry', first_failed_at: '2026-02-01T00:00:00.000Z' },
      subscription: { payment_state: 'ok' },
    });
  });

  it('close a resolved ticket once, unless it is opened again', async () => {
    const ada = await ClockedSubscriber.create(tenant.api, '2026-01-01T00:00:00Z');
    const submit = async (): Promise<string> => {
      const ticket = { subscriber_id: ada.subscriberId, topic: 'other' };
      const id = String((await tenant.api.post('/v1/tickets', ticket)).created['id']);
      (await tenant.api.post(`/v1/tickets/${id}/resolve`, {})).expect(200);
      return id;
    };
    const [left, reopened] = [await submit(), await submit()];
    const listStatuses = async (): Promise<unknown[]> =>
      Promise.all(
        [left, reopened].map(
          async (id) => (await tenant.api.get(`/v1/tickets/${id}`)).ok['status'],
        ),
      );
    await ada.advance('2026-01-04T23:59:59Z');
    expect(await listStatuses()).toEqual(['resolved', 'resolved']);
    (await tenant.api.post(`/v1/tickets/${reopened}/reopen`)).expect(200);
    await ada.advance('2026-01-05T00:00:00Z');
    expect(await listStatuses()).toEqual(['closed', 'open']);
    await ada.advance('2026-02-01T00:00:00Z');
    expect(await listStatuses()).toEqual(['closed', 'open']);
    const closed = (await ada.listEvents()).filter(({ type }) => type === 'ticket.closed');
    expect(closed).toMatchObject([
      {
        created_at: '2026-01-05T00:00:00.000Z',
        data: { ticket: { id: left, status: 'closed' }, actor: 'system', reason: 'auto_close' },
      },
    ]);
    const again = await tenant.api.post(`/v1/tickets/${left}/reopen`);
    expect(again.refusal.slice(0, 2)).toEqual([409, 'ticket_closed']);
  });

  it('warn once, 30 days before a payment method expires', async () => {
    // Test payment methods are valid until the end of 2034.
    const ada = await ClockedSubscriber.create(tenant.api, '2034-11-15T00:00:00Z');
    const { id } = (await ada.subscribe({ plan: 'pro', payment_method: 'pm_test_ok' })).created;
    await ada.advance('2034-12-01T23:59:59Z');
    const listWarnings = async () =>
      (await ada.listEvents()).filter(({ type }) => type === 'payment.method_expiring');
    expect(await listWarnings()).toEqual([]);
    await ada.advance('2035-01-10T00:00:00Z');
    expect(await listWarnings()).toMatchObject([
      {
        created_at: '2034-12-02T00:00:00.000Z',
        subscription: { id },
        data: { payment_method: { last4: '4242', exp_month: 12, exp_year: 2034 }, actor: 'system' },
      },
    ]);
  });

  it('fire in real time too, in any process with the role', async () => {
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'eve@example.com' })).created;
    const request = {
      subscriber_id: id,
      plan: 'pro',
      trial_end: new Date(Date.now() + 1_500).toISOString(),
    };
    const started = (await tenant.api.post('/v1/subscriptions', request)).created;
    const lapsed = await until('the end of the trial', async () => {
      const { body } = await tenant.api.get(`/v1/subscriptions/${String(started['id'])}`);
      return body['status'] === 'lapsed' ? body : null;
    });
    expect(lapsed).toMatchObject({ cancellation: { reason: 'trial_ended_without_payment' } });
  });

  it.each(['1969-12-31T23:59:59Z', '9000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'])(
    'refuse a clock at %s, where periods cannot be computed',
    async (frozen_time) => {
      const answer = await tenant.api.post('/v1/test_helpers/clocks', { frozen_time });
      expect(answer.refusal).toEqual([400, 'parameter_invalid', 'frozen_time']);
    },
  );

  it('list the clocks as they are shown, newest first, without deleted ones', async () => {
    const { api } = await service.tenant();
    const create = async (name: string | null) =>
      (await api.post('/v1/test_helpers/clocks', { name, frozen_time: '2026-01-31T09:00:00Z' }))
        .created;
    const [first, second, deleted] = [
      await create('a year'),
      await create(null),
      await create('-'),
    ];
    const path = (clock: { id?: unknown }) => `/v1/test_helpers/clocks/${String(clock.id)}`;
    (await api.delete(path(deleted))).expect(200);
    await api.post(`${path(first)}/advance`, { frozen_time: '2026-02-28T00:00:00Z' });
    const list = async () =>
      (await api.get('/v1/test_helpers/clocks')).ok as { data: { status: string }[] };
    await until('the clocks are ready', async () =>
      (await list()).data.every(({ status }) => status === 'ready'),
    );

    const shown = [(await api.get(path(second))).ok, (await api.get(path(first))).ok];
    expect(shown[1]).toMatchObject({ frozen_time: '2026-02-28T00:00:00.000Z', name: 'a year' });
    expect(await list()).toMatchObject({ data: shown, has_more: false });
    const page = (await api.get('/v1/test_helpers/clocks?limit=1')).ok;
    expect(page).toMatchObject({ data: [shown[0]], has_more: true });
  });

  it('refuse clocks that go backwards or too far, and delete the state of deleted clocks', async () => {
    const ada = await ClockedSubscriber.create(tenant.api, '2026-01-01T00:00:00Z');
    const path = `/v1/test_helpers/clocks/${ada.clockId}`;
    const advance = (frozen_time: string) => tenant.api.post(`${path}/advance`, { frozen_time });
    expect((await advance('2025-12-31T00:00:00Z')).refusal).toEqual([
      400,
      'parameter_invalid',
      'frozen_time',
    ]);
    await ada.subscribe({ plan: 'pro', payment_method: 'pm_test_ok' });
    expect((await advance('2026-03-02T00:00:00Z')).refusal[0]).toBe(400);
    const live = await service.createKey(tenant.id, 'live');
    expect((await live.api.get(path)).refusal.slice(0, 2)).toEqual([
      403,
      'test_helpers_live_forbidden',
    ]);

    expect((await tenant.api.delete(path)).ok).toMatchObject({ status: 'deleted' });
    expect((await tenant.api.get(path)).status).toBe(404);
    expect((await tenant.api.get(`/v1/subscribers/${ada.subscriberId}`)).status).toBe(404);
  });
});
