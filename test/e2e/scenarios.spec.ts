import type { Api } from '../support/api';
import { RunningService } from '../support/service';

type Json = Record<string, unknown>;

interface TimelineEvent extends Json {
  readonly type: string;
  readonly created_at: string;
  readonly data: Json;
  readonly subscription?: Json;
}

/** Plays a scenario. Returns its events, oldest first, and the objects after it. */
const play = async (api: Api, name: string) => {
  const played = (await api.post(`/v1/test_helpers/scenarios/${name}`)).expect(202);
  const subscriber = `/v1/subscribers/${String(played['subscriber_id'])}`;
  const all = (await api.get(`${subscriber}/events?limit=100`)).data as TimelineEvent[];
  const types = played['event_types'] as string[];
  const events = all.slice(-types.length);
  expect(events.map(({ type }) => type)).toEqual(types);
  const [paymentList, subscriptions] = await Promise.all([
    api.get(`/v1/payments?subscriber_id=${String(played['subscriber_id'])}`),
    api.get(`/v1/subscriptions?subscriber_id=${String(played['subscriber_id'])}`),
  ]);
  const subscription = subscriptions.data[0]!;
  return {
    types,
    events,
    all,
    last: (type: string) => events.findLast((event) => event.type === type)!,
    payments: paymentList.data,
    subscription,
    subscriber: (await api.get(subscriber)).ok,
    sub: `/v1/subscriptions/${String(subscription['id'])}`,
  };
};

const DAY_MS = 86_400_000;
const countDaysBetween = (from: unknown, to: unknown): number =>
  (Date.parse(String(to)) - Date.parse(String(from))) / DAY_MS;

describe('scenarios', () => {
  let service: RunningService;

  beforeAll(async () => {
    service = await RunningService.shared();
  });

  it('convert a trial that began two weeks ago', async () => {
    const { api } = await service.tenant();
    const { types, events, payments, subscription, subscriber, sub } = await play(
      api,
      'trial_convert',
    );
    expect(types).toEqual([
      'subscription.trial_started',
      'subscription.trial_will_end',
      'payment.succeeded',
      'subscription.activated',
    ]);
    const [started, notice, paid, activated] = events as [
      TimelineEvent,
      TimelineEvent,
      TimelineEvent,
      TimelineEvent,
    ];
    expect(countDaysBetween(started.created_at, activated.created_at)).toBe(14);
    expect(countDaysBetween(notice.created_at, started.data['trial_end'])).toBe(3);
    expect(started.subscription).toMatchObject({ status: 'trialing' });
    expect(paid.data).toMatchObject({
      payment: { reason: 'trial_conversion', amount: 2000, amount_refunded: 0, credit_applied: 0 },
      first_payment: true,
    });
    expect(activated.data).toMatchObject({
      reason: 'trial_converted',
      previous: { status: 'trialing' },
      payment_id: (paid.data['payment'] as Json)['id'],
    });
    expect(payments.map(({ id }) => id)).toEqual([activated.data['payment_id']]);
    expect(subscription).toMatchObject({ status: 'active', plan: 'fixture' });
    expect(subscriber).toMatchObject({ total_paid: 2000 });
    expect(Date.now() - Date.parse(activated.created_at)).toBeLessThan(60_000);
    // Later calls continue from here: the plan exists and can be changed.
    const changed = await api.post(`${sub}/plan/preview`, { to_plan: 'fixture_plus' });
    expect(changed.ok).toMatchObject({ from_plan: 'fixture' });
    expect((await api.post(`${sub}/cancel`)).ok).toMatchObject({ cancel_at_period_end: true });
  });

  it('recover a failed renewal, which the metric counts once', async () => {
    const { api } = await service.tenant();
    const { types, events, last, subscription, subscriber } = await play(api, 'dunning_recovered');
    expect(types).toEqual([
      'payment.failed',
      'subscription.past_due',
      'payment.failed',
      'payment.succeeded',
      'payment.recovered',
      'subscription.renewed',
    ]);
    const ids = events.map(
      ({ data }) => (data['payment'] as Json | undefined)?.['id'] ?? data['payment_id'],
    );
    expect(new Set(ids).size).toBe(1);
    expect(last('payment.recovered').data).toMatchObject({
      amount: 2000,
      attempts: 3,
      source: 'retry',
      first_failed_at: events[0]!.created_at,
    });
    expect(countDaysBetween(events[0]!.created_at, last('payment.recovered').created_at)).toBe(3);
    expect(events[1]!.subscription).toMatchObject({ payment_state: 'past_due' });
    expect(subscription).toMatchObject({ status: 'active', payment_state: 'ok' });
    expect(subscriber).toMatchObject({ total_paid: 4000 });
    expect(await readRecovery(api)).toEqual({ rate: 1, cases: 1, recovered: 1 });
  });

  it('end a subscription after a failed renewal at the end of its grace period', async () => {
    const { api } = await service.tenant();
    const { types, events, last, payments, subscription, subscriber, sub } = await play(
      api,
      'dunning_lost',
    );
    const retries = Array.from({ length: 6 }, () => 'payment.failed');
    expect(types).toEqual([
      'payment.failed',
      'subscription.past_due',
      ...retries,
      'subscription.lapsed',
      'payment.recovery_lost',
    ]);
    const [failed] = events as [TimelineEvent];
    const paymentId = (failed.data['payment'] as Json)['id'];
    expect(last('subscription.lapsed').data).toMatchObject({
      reason: 'payment_failed',
      voluntary: false,
      payment_id: paymentId,
      attempts: 7,
      previous: { status: 'active' },
    });
    expect(last('payment.recovery_lost').data).toMatchObject({
      payment_id: paymentId,
      outcome: 'lost_passive',
    });
    expect(countDaysBetween(failed.created_at, last('subscription.lapsed').created_at)).toBe(14);
    expect(payments.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(subscription).toMatchObject({ status: 'lapsed' });
    expect(subscriber).toMatchObject({ total_paid: 2000 });
    expect(await readRecovery(api)).toEqual({ rate: 0, cases: 1, recovered: 0 });
    const method = { payment_method: 'pm_test_ok' };
    (await api.put(`${sub}/payment_method`, method)).expect(200);
    expect((await api.post(`${sub}/reactivate`)).ok).toMatchObject({ status: 'active' });
  });

  it('keep a subscriber who wanted to cancel by the offer of a motion, which can be read with its run', async () => {
    const { api } = await service.tenant();
    const { types, events, last, subscription } = await play(api, 'cancel_save');
    expect(types).toEqual([
      'subscription.cancellation_scheduled',
      'motion.triggered',
      'motion.presented',
      'motion.accepted',
      'subscription.cancellation_unscheduled',
      'subscription.discount_applied',
      'motion.applied',
    ]);
    for (const type of ['presented', 'accepted', 'applied']) {
      expect(last(`motion.${type}`).data).toMatchObject({ outcome: type });
    }
    expect(new Set(events.slice(0, 4).map(({ created_at }) => created_at)).size).toBe(4);
    expect(events[0]!.subscription).toMatchObject({ cancel_at_period_end: true });
    expect(subscription).toMatchObject({ status: 'active', cancel_at: null });
    const { run_id: runId, motion_id: motionId, applied } = last('motion.applied').data;
    expect(applied).toEqual({ type: 'discount_percent', ref: subscription['id'] });
    expect((await api.get(`/v1/motion_runs/${String(runId)}`)).ok).toMatchObject({
      status: 'applied',
      motion_id: motionId,
    });
    const performance = `/v1/motions/${String(motionId)}/performance?window=last_7d`;
    expect((await api.get(performance)).ok).toMatchObject({ acceptance_rate: 1 });
    // One motion serves every scenario of the environment.
    const again = await play(api, 'cancel_save');
    expect(again.last('motion.applied').data['motion_id']).toBe(motionId);
    expect((await api.get('/v1/motions')).data).toHaveLength(1);
  });

  it('answer 404 for an unknown name', async () => {
    const { api } = await service.tenant();
    const unknown = await api.post('/v1/test_helpers/scenarios/heist');
    expect(unknown.refusal).toEqual([404, 'resource_not_found', 'name']);
  });
});

const readRecovery = async (api: Api) => {
  const readTotal = async (measure: string, of: 'value' | 'sample_size') => {
    const { points } = (await api.get(`/v1/metrics/recovery?window=last_30d&measure=${measure}`))
      .ok as unknown as { points: { value: number; sample_size: number }[] };
    return points.reduce((sum, point) => sum + point[of], 0);
  };
  return {
    rate: await readTotal('rate', 'value'),
    cases: await readTotal('rate', 'sample_size'),
    recovered: await readTotal('payments', 'value'),
  };
};
