import { RunningService } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

let service: RunningService;

beforeAll(async () => {
  service = await RunningService.shared();
}, 60_000);

describe('subscribers by payment state', () => {
  it('are those whom the metric past_due counts, and each says its state', async () => {
    const { api } = await service.tenant();
    const makeSubscriber = async (type: string): Promise<unknown> =>
      ((await api.post('/v1/test_helpers/events', { type })).created['subscriber'] as Json)['id'];
    const late = await makeSubscriber('subscription.past_due');
    const paid = await makeSubscriber('subscription.renewed');
    await api.post('/v1/subscribers', { email: 'without@example.com' });
    const list = async (state: string): Promise<unknown[]> =>
      (await api.get(`/v1/subscribers?payment_state=${state}`)).data.map(({ id, subscription }) => [
        id,
        (subscription as Json)['payment_state'],
      ]);
    expect(await list('past_due')).toEqual([[late, 'past_due']]);
    expect(await list('ok')).toEqual([[paid, 'ok']]);
    const before = `/v1/subscribers/${String(late)}?at=${new Date().toISOString()}`;
    expect((await api.get(before)).ok).toMatchObject({
      subscription: { payment_state: 'past_due' },
    });
    await until('the metric', async () => {
      const { points } = (await api.get('/v1/metrics/past_due')).ok as { points: Json[] };
      return points.at(-1)?.['value'] === 1;
    });
    const wrong = await api.get('/v1/subscribers?payment_state=late');
    expect(wrong.refusal).toEqual([400, 'parameter_invalid', 'payment_state']);
  });
});

describe('the plans of metrics', () => {
  it('are shown to an analyst, who may not read subscriptions', async () => {
    const { id, api } = await service.tenant();
    const price = { amount: 900, currency: 'USD', interval: 'month' };
    await api.put('/v1/plans/basic', { name: 'Basic', ...price });
    await api.put('/v1/plans/pro', { name: 'Pro', ...price });
    const analyst = await service.signedIn({ tenant_id: id, role: 'analyst' });
    const plans = await until('two plans', async () => {
      const { data } = await analyst.get('/v1/metrics/plans');
      return data.length === 2 ? data : undefined;
    });
    expect(plans).toEqual((await api.get('/v1/plans')).data);
    expect((await analyst.get('/v1/plans')).refusal).toEqual([403, 'insufficient_scope', null]);
    const support = await service.signedIn({ tenant_id: id, role: 'support' });
    expect((await support.get('/v1/metrics/plans')).refusal[0]).toBe(403);
    const other = await service.tenant();
    expect((await other.api.get('/v1/metrics/plans')).data).toEqual([]);
  });
});
