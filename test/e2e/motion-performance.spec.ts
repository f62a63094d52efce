import { ClockedSubscriber } from '../support/billing';
import { databases } from '../support/databases';
import { RunningService } from '../support/service';

describe.each(databases)('the performance of a motion, on $name SQL', (database) => {
  it('is refused if its days are more than one response may hold', async () => {
    const { api } = await (await RunningService.shared(database)).tenant();
    const plan = { name: 'Pro', amount: 2_000, currency: 'USD', interval: 'month' };
    (await api.put('/v1/plans/pro', plan)).expect(200);
    const offer = { type: 'redirect', url: 'https://example.com/stay', label: 'Stay' };
    const terms = { name: 'Save', kind: 'cancel_save', offer };
    const path = `/v1/motions/${String((await api.post('/v1/motions', terms)).created['id'])}`;
    (await api.post(`${path}/activate`)).expect(200);
    const person = await ClockedSubscriber.create(api, '2400-02-03T00:00:00Z');
    const subscription = { plan: 'pro', payment_method: 'pm_test_ok' };
    (await person.subscribe(subscription)).expect(201);
    const run = { subscriber_id: person.subscriberId };
    (await api.post(`${path}/trigger`, run)).expect(202);

    const days = await api.get(`${path}/performance?window=all_time&granularity=day`);
    expect(days.refusal).toEqual([422, 'metric_too_large', 'granularity']);
    const { ok } = await api.get(`${path}/performance?window=all_time&granularity=month`);
    expect(ok['counts']).toMatchObject({ triggered: 1 });
    expect((ok['points'] as object[]).at(-1)).toMatchObject({
      timestamp: '2400-02-01T00:00:00.000Z',
      counts: { triggered: 1 },
    });
  });
});
