import type { Api } from '../support/api';
import { ClockedSubscriber } from '../support/billing';
import { databases } from '../support/databases';
import { RunningService, type TestTenant } from '../support/service';

type Json = Record<string, unknown>;

describe.each(databases)('billing, on $name SQL', (database) => {
  let service: RunningService;
  let tenant: TestTenant;
  let api: Api;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    ({ api } = tenant);
    await plan('basic', { amount: 1000 });
    await plan('pro', { amount: 2000 });
    await plan('yearly', { amount: 20_000, interval: 'year' });
    await plan('euro', { currency: 'EUR' });
  });

  const plan = (id: string, over: Json, on = api) =>
    on.put(`/v1/plans/${id}`, {
      name: id,
      amount: 2000,
      currency: 'USD',
      interval: 'month',
      ...over,
    });

  const createClockedSubscriber = () => ClockedSubscriber.create(api, '2026-03-01T00:00:00Z');

  const startSubscription = async (who: ClockedSubscriber, over: Json = {}): Promise<string> => {
    const request = { plan: 'pro', payment_method: 'pm_test_ok', ...over };
    return (await who.subscribe(request)).created['id'] as string;
  };

  const postAction = (id: string, action: string, body: unknown = {}) =>
    api.post(`/v1/subscriptions/${id}/${action}`, body);

  const listPayments = async (who: ClockedSubscriber): Promise<Json[]> =>
    (await api.get(`/v1/payments?subscriber_id=${who.subscriberId}`)).data;

  it('creates nothing when the first charge is declined', async () => {
    const ada = await createClockedSubscriber();
    const declined = await ada.subscribe({ plan: 'pro', payment_method: 'pm_test_hard_decline' });
    expect(declined.refusal.slice(0, 2)).toEqual([402, 'payment_failed']);
    expect(await listPayments(ada)).toEqual([]);
    expect(await ada.listEventTimes()).toEqual(['2026-03-01T00:00 subscriber.created']);
  });

  it('says how to give the payment method that is missing', async () => {
    const ada = await createClockedSubscriber();
    const without = await ada.subscribe({ plan: 'pro' });
    expect(without.refusal).toEqual([402, 'payment_failed', 'payment_method']);
    expect(without.body).toMatchObject({
      error: {
        message:
          'There is no payment method to charge. Give payment_method, or start with a trial.',
        details: { code: 'payment_method_missing' },
      },
    });
    await plan('free', { amount: 0 });
    const { created } = await ada.subscribe({ plan: 'free' });
    const id = String(created['id']);
    const change = await postAction(id, 'plan', { to_plan: 'pro' });
    expect(change.refusal).toEqual([402, 'payment_failed', null]);
    expect(change.body).toMatchObject({
      error: {
        message: `There is no payment method to charge. Set one with PUT /v1/subscriptions/${id}/payment_method.`,
      },
    });
  });

  it('keeps an external_id free for another card when the first charge is declined', async () => {
    const who = await createClockedSubscriber();
    const named = { plan: 'pro', external_id: 'declined-at-first' };
    const declined = { ...named, payment_method: 'pm_test_hard_decline' };
    expect((await who.subscribe(declined)).refusal.slice(0, 2)).toEqual([402, 'payment_failed']);
    const { created } = await who.subscribe({ ...named, payment_method: 'pm_test_ok' });
    expect(created).toMatchObject({ external_id: 'declined-at-first', status: 'active' });
    const again = await who.subscribe({ ...named, payment_method: 'pm_test_ok' });
    expect(again.refusal.slice(0, 2)).toEqual([409, 'external_id_in_use']);
  });

  it('lists a first payment with the subscription that it starts', async () => {
    const ada = await createClockedSubscriber();
    const id = await startSubscription(ada);
    const { data } = await api.get(`/v1/events?subscription_id=${id}&order=asc`);
    expect(data.map(({ type }) => type)).toEqual(['payment.succeeded', 'subscription.activated']);
  });

  it('shows the same numbers in the preview and the execution of a plan change', async () => {
    const ada = await createClockedSubscriber();
    const id = await startSubscription(ada, { plan: 'basic' });
    await ada.advance('2026-03-16T12:00:00Z');
    const preview = (await postAction(id, 'plan/preview', { to_plan: 'pro' })).ok;
    expect(preview).toMatchObject({
      direction: 'upgrade',
      net: 500,
      currency: 'USD',
      applied: 'next_renewal',
      proration_date: '2026-03-16T12:00:00.000Z',
      lines: [
        { kind: 'credit', amount: -500 },
        { kind: 'debit', amount: 1000 },
      ],
    });
    const change = { to_plan: 'pro', proration_date: preview['proration_date'] };
    expect((await postAction(id, 'plan', change)).ok).toMatchObject({
      status: 'active',
      plan: 'pro',
    });
    expect((await postAction(id, 'plan', change)).ok['plan']).toBe('pro');
    expect(await listPayments(ada)).toHaveLength(1);

    await ada.advance('2026-04-02T00:00:00Z');
    const [renewal] = await listPayments(ada);
    expect(renewal).toMatchObject({ amount: 2500, reason: 'renewal', status: 'succeeded' });
    expect((renewal!['lines'] as Json[]).map(({ amount }) => amount)).toEqual([2000, -500, 1000]);
  });

  it('completes a plan change at once, or changes nothing', async () => {
    const ada = await createClockedSubscriber();
    const id = await startSubscription(ada);
    await ada.advance('2026-03-16T12:00:00Z');
    await postAction(id, 'plan', { to_plan: 'basic', proration_behavior: 'always_invoice' });
    const credits = (await api.get(`/v1/subscribers/${ada.subscriberId}/credits`)).data;
    expect(credits).toMatchObject([{ amount: 500, category: 'proration', status: 'active' }]);

    await api.put(`/v1/subscriptions/${id}/payment_method`, {
      payment_method: 'pm_test_hard_decline',
    });
    const declined = await postAction(id, 'plan', { to_plan: 'yearly' });
    expect(declined.refusal.slice(0, 2)).toEqual([402, 'payment_failed']);
    expect((await api.get(`/v1/subscriptions/${id}`)).ok['plan']).toBe('basic');
  });

  it.each([
    ['plan', { to_plan: 'nope' }, [404, 'resource_not_found', 'to_plan']],
    ['plan', { to_plan: 'euro' }, [422, 'currency_mismatch', 'to_plan']],
    ['resume', {}, [409, 'invalid_state_transition', null]],
    ['reactivate', undefined, [409, 'invalid_state_transition', null]],
    ['pause', { resumes_at: '2020-01-01T00:00:00Z' }, [400, 'parameter_invalid', 'resumes_at']],
    ['cancel', { feedback: 'bored' }, [400, 'parameter_invalid', 'feedback']],
  ])('refuses %s with %j of an active subscription', async (action, body, refusal) => {
    const id = await startSubscription(await createClockedSubscriber());
    expect((await postAction(id, action, body)).refusal).toEqual(refusal);
  });

  it('cancels a subscription, and reverts the cancellation', async () => {
    const ada = await createClockedSubscriber();
    const id = await startSubscription(ada);
    const scheduled = await postAction(id, 'cancel', {
      feedback: 'unused',
      comment: 'Too much to read',
    });
    expect(scheduled.ok).toMatchObject({
      status: 'active',
      cancel_at: '2026-04-01T00:00:00.000Z',
      cancel_at_period_end: true,
      cancellation: { feedback: 'unused', comment: 'Too much to read' },
    });
    expect((await postAction(id, 'uncancel', undefined)).ok).toMatchObject({ cancel_at: null });
    await postAction(id, 'cancel', { feedback: 'unused' });
    await ada.advance('2026-04-02T00:00:00Z');
    expect((await api.get(`/v1/subscriptions/${id}`)).ok).toMatchObject({
      status: 'cancelled',
      cancelled_at: '2026-04-01T00:00:00.000Z',
    });
    await ada.advance('2026-04-11T00:00:00Z');
    expect((await postAction(id, 'reactivate', undefined)).ok).toMatchObject({
      status: 'active',
      current_period_start: '2026-04-11T00:00:00.000Z',
      cancellation: null,
    });
    const reactivated = (await ada.listEvents()).at(-1);
    expect(reactivated).toMatchObject({
      type: 'subscription.reactivated',
      data: { previous: { status: 'cancelled' }, days_away: 10, plan: 'pro' },
    });
  });

  it('uses credits before charging, and keeps their ledger', async () => {
    const ada = await createClockedSubscriber();
    await startSubscription(ada);
    const path = `/v1/subscribers/${ada.subscriberId}/credits`;
    const granted = (await api.post(path, { amount: 500, note: 'Sorry' })).created;
    expect(granted).toMatchObject({ remaining: 500, currency: 'USD', category: 'goodwill' });
    await ada.advance('2026-04-02T00:00:00Z');

    const [renewal] = await listPayments(ada);
    expect(renewal).toMatchObject({ amount: 2000, credit_applied: 500, status: 'succeeded' });
    const id = granted['id'] as string;
    expect((await api.get(`/v1/credits/${id}`)).ok).toMatchObject({
      remaining: 0,
      status: 'depleted',
      note: 'Sorry',
    });
    expect((await api.get(`/v1/credits/${id}/transactions`)).data).toMatchObject([
      { type: 'applied', amount: -500, ending_balance: 0, payment_id: renewal!['id'] },
      { type: 'granted', amount: 500, ending_balance: 500 },
    ]);
    expect((await api.get(path)).data).toMatchObject([{ id, note: 'Sorry' }]);
    expect((await api.post(`/v1/credits/${id}/void`)).refusal[0]).toBe(409);
    const course = await ada.listEventTimes();
    expect(course.slice(-3)).toEqual([
      '2026-04-01T00:00 credit.applied',
      '2026-04-01T00:00 payment.succeeded',
      '2026-04-01T00:00 subscription.renewed',
    ]);
  });

  it('keeps the ledger of a credit that expires while an unpaid payment reserves it', async () => {
    const ada = await createClockedSubscriber();
    const subscription = await startSubscription(ada);
    await api.put(`/v1/subscriptions/${subscription}/payment_method`, {
      payment_method: 'pm_test_soft_decline',
    });
    const path = `/v1/subscribers/${ada.subscriberId}/credits`;
    const grant = { amount: 400, expires_at: '2026-04-05T00:00:00Z' };
    const id = (await api.post(path, grant)).created['id'] as string;
    await ada.advance('2026-04-16T00:00:00Z');

    expect((await api.get(`/v1/credits/${id}`)).ok).toMatchObject({
      remaining: 0,
      status: 'expired',
    });
    const [unpaid] = await listPayments(ada);
    expect(unpaid).toMatchObject({ status: 'failed', credit_applied: 0 });
    const payment_id = unpaid!['id'];
    const { data } = await api.get(`/v1/credits/${id}/transactions`);
    expect(data).toMatchObject([
      { type: 'expired', amount: -400, ending_balance: 0, created_at: '2026-04-15T00:00:00.000Z' },
      { type: 'reinstated', amount: 400, ending_balance: 400, payment_id },
      { type: 'applied', amount: -400, ending_balance: 0, payment_id },
      { type: 'granted', amount: 400, ending_balance: 400 },
    ]);
    expect((await ada.listEventTimes()).slice(-3)).toEqual([
      '2026-04-15T00:00 subscription.lapsed',
      '2026-04-15T00:00 credit.expired',
      '2026-04-15T00:00 payment.recovery_lost',
    ]);
    expect((await api.get(`${path}?status=expired`)).data).toMatchObject([{ id }]);
  });

  it('keeps a plan that was changed while an amount was unpaid', async () => {
    const ada = await createClockedSubscriber();
    const id = await startSubscription(ada, { plan: 'basic' });
    const payWith = (payment_method: string) =>
      api.put(`/v1/subscriptions/${id}/payment_method`, { payment_method });
    await payWith('pm_test_soft_decline');
    await ada.advance('2026-04-02T00:00:00Z');
    const change = { to_plan: 'pro', proration_behavior: 'none' };
    expect((await postAction(id, 'plan', change)).ok).toMatchObject({ plan: 'pro' });
    await ada.advance('2026-04-16T00:00:00Z');
    await payWith('pm_test_ok');
    expect((await postAction(id, 'reactivate', undefined)).ok).toMatchObject({
      status: 'active',
      plan: 'pro',
      current_period_end: '2026-05-01T00:00:00.000Z',
    });
    await ada.advance('2026-05-02T00:00:00Z');
    expect((await listPayments(ada)).map(({ amount }) => amount)).toEqual([2000, 1000, 1000]);
  });

  it('refunds no more than was paid', async () => {
    const ada = await createClockedSubscriber();
    await startSubscription(ada);
    const [payment] = await listPayments(ada);
    const path = `/v1/payments/${String(payment!['id'])}`;
    const refund = (await api.post(`${path}/refunds`, { amount: 500, reason: 'duplicate' }))
      .created;
    expect(refund).toMatchObject({ status: 'succeeded', amount: 500, destination: 'original' });
    const tooMuch = { amount: 1501, reason: 'other' };
    expect((await api.post(`${path}/refunds`, tooMuch)).refusal).toEqual([
      422,
      'refund_amount_exceeds_remaining',
      'amount',
    ]);
    const rest = { reason: 'requested_by_customer', destination: 'credit', note: 'For Ada' };
    expect((await api.post(`${path}/refunds`, rest)).created).toMatchObject({ amount: 1500 });
    expect((await api.get(path)).ok).toMatchObject({ amount_refunded: 2000 });
    expect((await api.get(`/v1/refunds/${String(refund['id'])}`)).ok).toEqual(refund);
    const listed = (await api.get(`/v1/refunds?subscriber_id=${ada.subscriberId}`)).data;
    expect(listed.map(({ note }) => note).sort()).toEqual(['For Ada', null].sort());
    const credits = (await api.get(`/v1/subscribers/${ada.subscriberId}/credits`)).data;
    expect(credits).toMatchObject([{ amount: 1500, category: 'refund' }]);
    const record = (await api.get(`/v1/subscribers/${ada.subscriberId}`)).ok;
    expect(record).toMatchObject({ total_paid: 1500, subscription: { status: 'active' } });
  });

  it('reports disputes from the provider, and changes nothing else', async () => {
    const ada = await createClockedSubscriber();
    const id = await startSubscription(ada);
    const [payment] = await listPayments(ada);
    const path = `/v1/payments/${String(payment!['id'])}`;
    for (const dispute_status of ['open', 'open', 'won', 'won']) {
      expect((await api.post(`${path}/disputes`, { dispute_status })).ok).toEqual(payment);
    }
    const late = (await api.post(`${path}/disputes`, { dispute_status: 'lost' })).refusal;
    expect(late.slice(0, 2)).toEqual([409, 'invalid_state_transition']);
    const told = (await ada.listEvents()).filter(({ type }) => type === 'payment.disputed');
    expect(told).toMatchObject(
      ['open', 'won'].map((dispute_status) => ({
        data: { payment_id: payment!['id'], amount: 2000, currency: 'USD', dispute_status },
        subscription: { id, status: 'active' },
      })),
    );
    const wrong = await api.post(`${path}/disputes`, { dispute_status: 'maybe' });
    expect(wrong.refusal).toEqual([400, 'parameter_invalid', 'dispute_status']);
  });

  it('collects an unpaid renewal at once with a new payment method', async () => {
    const ada = await createClockedSubscriber();
    const id = await startSubscription(ada);
    const update = (payment_method: string) =>
      api.put(`/v1/subscriptions/${id}/payment_method`, { payment_method });
    await update('pm_test_hard_decline');
    await ada.advance('2026-04-03T00:00:00Z');
    expect((await api.get(`/v1/subscriptions/${id}`)).ok).toMatchObject({
      status: 'active',
      payment_state: 'past_due',
      next_payment_attempt_at: null,
      grace_ends_at: '2026-04-15T00:00:00.000Z',
    });
    const [open] = await listPayments(ada);
    const path = `/v1/payments/${String(open!['id'])}`;
    expect((await api.post(`${path}/retry`)).expect(202)).toMatchObject({ attempt_count: 2 });
    expect((await update('pm_test_ok')).ok).toMatchObject({ payment_state: 'ok' });
    expect((await api.get(`${path}/attempts`)).data).toMatchObject([
      { attempt: 3, outcome: 'succeeded' },
      { attempt: 2, outcome: 'failed', failure: { decline_type: 'hard' } },
      { attempt: 1, outcome: 'failed' },
    ]);
    const recovered = (await ada.listEvents()).find(({ type }) => type === 'payment.recovered');
    expect(recovered).toMatchObject({ data: { source: 'method_update', attempts: 3 } });
  });

  it('collects through the tenant’s own provider in live', async () => {
    const live = (await service.createKey(tenant.id, 'live')).api;
    await plan('pro', {}, live);
    const { id } = (await live.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const request = { subscriber_id: id, plan: 'pro', payment_method: 'cus_1' };
    const started = (await live.post('/v1/subscriptions', request)).created;
    expect(started).toMatchObject({ status: 'active', payment_state: 'ok' });
    const [due] = (await live.get(`/v1/payments?subscriber_id=${String(id)}`)).data;
    expect(due).toMatchObject({ status: 'pending', provider: 'external', attempt_count: 0 });

    const path = `/v1/payments/${String(due!['id'])}/attempts`;
    const failed = { outcome: 'failed', failure: { code: 'expired_card' }, provider_ref: 'ch_1' };
    expect((await live.post(path, failed)).ok).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      failure: { code: 'expired_card', decline_type: 'soft' },
    });
    expect((await live.post(path, failed)).ok['attempt_count']).toBe(1);
    const readSubscription = () => live.get(`/v1/subscriptions/${String(started['id'])}`);
    expect((await readSubscription()).ok).toMatchObject({
      status: 'active',
      payment_state: 'past_due',
    });
    const paid = { outcome: 'succeeded', provider_ref: 'ch_2' };
    expect((await live.post(path, paid)).ok).toMatchObject({ status: 'succeeded' });
    expect((await readSubscription()).ok).toMatchObject({ payment_state: 'ok' });

    const refunds = `/v1/payments/${String(due!['id'])}/refunds`;
    const refund = (await live.post(refunds, { reason: 'other' })).created;
    expect(refund).toMatchObject({ status: 'pending' });
    const outcome = `/v1/refunds/${String(refund['id'])}/outcome`;
    expect((await live.post(outcome, { outcome: 'succeeded' })).ok).toMatchObject({
      status: 'succeeded',
    });
  });
});
