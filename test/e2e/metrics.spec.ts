import { databases } from '../support/databases';
import { Receiver } from '../support/receiver';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;
type Point = { timestamp: string; value: number; partial: boolean; sample_size: number };

const NAMES = [
  'recovery?measure=rate',
  'recovery?measure=amount',
  'mrr?',
  'mrr_movements?',
  'active_subscribers?',
  'ticket_volume?',
  'delivery_success?',
  'delivery_latency_p50?',
];

describe.each(databases)('metrics, on $name SQL', (database) => {
  let service: RunningService;
  let tenant: TestTenant;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    receiver = await Receiver.start();
  });

  afterAll(async () => {
    await receiver.close();
  });

  const readSeries = async (path: string): Promise<Json & { points: Point[] }> =>
    (await tenant.api.get(`/v1/metrics/${path}`)).ok as never;

  const readLastValue = async (path: string): Promise<number | undefined> =>
    (await readSeries(path)).points.at(-1)?.value;

  it('return every bucket of the window, including empty ones', async () => {
    const recovery = await readSeries('recovery');
    expect(recovery).toMatchObject({
      metric: 'recovery',
      window: 'last_30d',
      granularity: 'day',
      unit: 'ratio',
      measure: 'rate',
      currency: null,
    });
    expect(recovery.points).toHaveLength(30);
    const today = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
    expect(recovery.points.at(-1)).toEqual({
      timestamp: today,
      value: 0,
      partial: true,
      sample_size: 0,
      maturing: false,
    });
    expect((await readSeries('recovery?window=all_time')).points).toEqual([]);
    expect((await readSeries('recovery?window=last_12mo&granularity=month')).points).toHaveLength(
      12,
    );
  });

  it('count the events of a subscriber, its ticket and its deliveries', async () => {
    const hook = { type: 'https_webhook', url: receiver.url, event_types: ['ticket.*'] };
    const { id: hookId } = (await tenant.api.post('/v1/destinations', hook)).created;
    const { id: secondId } = (await tenant.api.post('/v1/destinations', hook)).created;
    const plan = { name: 'Yearly', amount: 24_000, currency: 'USD', interval: 'year' };
    (await tenant.api.put('/v1/plans/yearly', plan)).expect(200);
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const subscription = { subscriber_id: id, plan: 'yearly', payment_method: 'pm_test_ok' };
    (await tenant.api.post('/v1/subscriptions', subscription)).expect(201);
    (await tenant.api.post('/v1/tickets', { subscriber_id: id, topic: 'cancel' })).expect(201);
    expect(await readLastValue('mrr')).toBe(2000);
    expect(await readLastValue('arpu')).toBe(2000);
    expect(await readLastValue('active_subscribers')).toBe(1);
    expect(await readLastValue('ticket_volume?topic=cancel')).toBe(1);
    expect(await readLastValue('ticket_volume?topic=other')).toBe(0);
    expect((await readSeries('mrr_movements')).points.at(-1)).toMatchObject({
      value: 2000,
      movements: { new: 2000, churn: 0 },
    });
    expect(await readLastValue('mrr?currency=EUR')).toBe(0);
    await receiver.next('ticket.submitted');
    await until('the delivery', async () => (await readLastValue('delivery_success')) === 1);
    const listSamples = async (metric: string): Promise<(number | undefined)[]> => {
      const asked = ['', ...[hookId, secondId].map((id) => `destination_id=${id as string}`)];
      const all = await Promise.all(asked.map((query) => readSeries(`${metric}?${query}`)));
      return all.map(({ points }) => points.at(-1)?.sample_size);
    };
    for (const metric of ['delivery_success', 'delivery_latency_p95'])
      await until(metric, async () => String(await listSamples(metric)) === '2,1,1');
    expect(await readLastValue(`delivery_success?destination_id=${hookId as string}`)).toBe(1);
    const [event] = (await tenant.api.get('/v1/events?event_types=ticket.submitted')).data;
    const delivery = `/v1/destinations/${hookId as string}/deliveries/${event!['id'] as string}`;
    (await tenant.api.post(`${delivery}/retry`)).expect(202);
    await until(
      'the same once more',
      async () => (await tenant.api.get(delivery)).ok['attempt_count'] === 2,
    );
    expect(await listSamples('delivery_latency_p95')).toEqual([2, 1, 1]);
    expect(await readLastValue('delivery_success')).toBe(1);
    const other = await service.createKey(tenant.id, 'live');
    const live = (await other.api.get('/v1/metrics/mrr')).ok['points'] as Point[];
    expect(live.at(-1)?.value).toBe(0);
  });

  it('measure recovery of a renewal that failed and was paid by a retry', async () => {
    const getDay = (n: number): string => new Date(Date.now() - n * 86_400_000).toISOString();
    const helpers = '/v1/test_helpers/clocks';
    const { id: clock } = (await tenant.api.post(helpers, { frozen_time: getDay(50) })).created;
    const person = { email: 'bob@example.com', test_clock: clock };
    const { id } = (await tenant.api.post('/v1/subscribers', person)).created;
    const monthly = {
      name: 'Monthly',
      amount: 1500,
      currency: 'USD',
      interval: 'day',
      interval_count: 30,
    };
    (await tenant.api.put('/v1/plans/monthly', monthly)).expect(200);
    const body = { subscriber_id: id, plan: 'monthly', payment_method: 'pm_test_ok' };
    const { id: sub } = (await tenant.api.post('/v1/subscriptions', body)).created;
    const method = { payment_method: 'pm_test_fail_1_then_ok' };
    (await tenant.api.put(`/v1/subscriptions/${sub as string}/payment_method`, method)).expect(200);
    (
      await tenant.api.post(`${helpers}/${clock as string}/advance`, { frozen_time: getDay(15) })
    ).expect(200);
    await until(
      'the clock',
      async () => (await tenant.api.get(`${helpers}/${clock as string}`)).ok['status'] === 'ready',
    );
    const failedOn = `${getDay(20).slice(0, 10)}T00:00:00.000Z`;
    const recoveredOn = `${getDay(19).slice(0, 10)}T00:00:00.000Z`;
    const findPoint = async (path: string, timestamp: string) =>
      (await readSeries(path)).points.find((point) => point.timestamp === timestamp);
    expect(await findPoint('recovery', failedOn)).toMatchObject({
      value: 1,
      sample_size: 1,
      partial: false,
      maturing: false,
    });
    expect(await findPoint('recovery?measure=amount', recoveredOn)).toMatchObject({ value: 1500 });
    expect(await findPoint('recovery?measure=failed_amount', failedOn)).toMatchObject({
      value: 1500,
    });
    expect(await findPoint('recovery?measure=payments', failedOn)).toMatchObject({ value: 0 });
  });

  it('are available as CSV', async () => {
    const response = await fetch(`${service.url}/v1/metrics/mrr?window=last_7d`, {
      headers: { authorization: `Bearer ${tenant.key}`, accept: 'text/csv' },
    });
    expect(response.headers.get('content-type')).toContain('text/csv');
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines).toHaveLength(8);
    expect(lines[0]).toBe('timestamp,value,partial,sample_size');
    expect(lines[7]).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z,3521,true,2$/);
  });

  it('are available as CSV with all fields, and the retention as well', async () => {
    const readCsv = async (path: string): Promise<string[]> => {
      const response = await fetch(`${service.url}/v1/metrics/${path}`, {
        headers: { authorization: `Bearer ${tenant.key}`, accept: 'text/csv' },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/csv; charset=utf-8',
      ]);
      return (await response.text()).trimEnd().split('\n');
    };
    const movements = await readCsv('mrr_movements?window=last_7d&csv_columns=all');
    expect(movements[0]).toBe(
      'timestamp,value,partial,sample_size,maturing,new,expansion,contraction,churn,reactivation,paused,resumed',
    );
    expect(movements).toHaveLength(8);
    expect((await readCsv('recovery?csv_columns=all'))[0]).toBe(
      'timestamp,value,partial,sample_size,maturing',
    );
    const retention = await readCsv('retention?months=2');
    expect(retention[0]).toBe('month,subscribers,kept_0,kept_1');
    expect(retention).toHaveLength(3);
  });

  it('describe their definition', async () => {
    const { ok } = await tenant.api.get('/v1/metrics/recovery/definition');
    expect(ok).toMatchObject({ metric: 'recovery', version: 2, unit: 'ratio' });
    expect(ok['exclusions']).toContainEqual(expect.any(String));
    expect((ok['measures'] as Json[]).map(({ measure }) => measure)).toEqual([
      'rate',
      'amount',
      'payments',
      'failed_amount',
    ]);
  });

  it('refuse unknown parameters', async () => {
    const readRefusal = async (path: string) =>
      (await tenant.api.get(`/v1/metrics/${path}`)).refusal;
    expect(await readRefusal('recovery?window=last_8d')).toEqual([
      400,
      'parameter_invalid',
      'window',
    ]);
    expect(await readRefusal('recovery?granularity=hour')).toEqual([
      400,
      'parameter_invalid',
      'granularity',
    ]);
    expect(await readRefusal('recovery?measure=x')).toEqual([400, 'parameter_invalid', 'measure']);
    expect(await readRefusal('mrr?topic=cancel')).toEqual([400, 'parameter_unknown', 'topic']);
    const own = 'window, from, to, granularity, currency, plan, cohort_id, timezone, csv_columns';
    for (const [query, message] of [
      ['by=plan', `mrr has no parameter by. Its parameters are ${own}.`],
      ['colour=red', `colour is not a known query parameter. The query parameters are ${own}.`],
      ['curency=EUR', 'curency is not a known query parameter. Did you mean currency?'],
    ]) {
      const { body } = await tenant.api.get(`/v1/metrics/mrr?${query}`);
      expect(body['error']).toMatchObject({ code: 'parameter_unknown', message });
    }
    const unknown = `delivery_success?destination_id=dest_unknown`;
    expect(await readRefusal(unknown)).toEqual([404, 'resource_not_found', 'destination_id']);
    expect(await readRefusal('nope')).toEqual([404, 'resource_not_found', 'metric']);
    expect(await readRefusal('nope/definition')).toEqual([404, 'resource_not_found', 'metric']);
  });

  it('are the same after a rebuild', async () => {
    const readAll = async () =>
      Promise.all(NAMES.map(async (name) => (await readSeries(`${name}&window=all_time`)).points));
    const before = await readAll();
    const body = { projections: ['metrics'] };
    const { id } = (await service.operator.post('/operator/v1/rebuilds', body)).expect(202);
    await until('the rebuild', async () => {
      const { ok } = await service.operator.get(`/operator/v1/rebuilds/${id as string}`);
      return ok['status'] === 'completed';
    });
    expect(await readAll()).toEqual(before);
  });
});
