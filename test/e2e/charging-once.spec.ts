import type { Api } from '../support/api';
import { RunningService } from '../support/service';

/** The promises of the text of `POST /v1/subscriptions`. */
describe('starting a subscription once, in a live environment', () => {
  let live: Api;
  let subscriberId: string;

  beforeAll(async () => {
    const service = await RunningService.shared();
    live = (await service.tenant('live')).api;
    const plan = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' };
    (await live.put('/v1/plans/pro', plan)).expect(200);
    const { created } = await live.post('/v1/subscribers', { email: 'ada@example.com' });
    subscriberId = String(created['id']);
  });

  const subscribe = (key: string | null, externalId?: string) =>
    live.post(
      '/v1/subscriptions',
      {
        subscriber_id: subscriberId,
        plan: 'pro',
        payment_method: 'cus_1',
        ...(externalId === undefined ? {} : { external_id: externalId }),
      },
      key === null ? {} : { 'idempotency-key': key },
    );

  const countPayments = async (): Promise<number> =>
    (await live.get(`/v1/payments?subscriber_id=${subscriberId}`)).data.length;

  it('a repeat with the same Idempotency-Key asks for one payment only', async () => {
    const first = (await subscribe('order-1')).created;
    expect((await subscribe('order-1')).created['id']).toBe(first['id']);
    expect(await countPayments()).toBe(1);
    const { data } = await live.get(`/v1/events?event_types=payment.due`);
    expect(data).toMatchObject([{ data: { payment: { status: 'pending', attempt_count: 0 } } }]);
  });

  it('a repeat without it asks for a second payment, unless the external_id is the same', async () => {
    const before = await countPayments();
    const first = (await subscribe(null)).created;
    expect((await subscribe(null)).created['id']).not.toBe(first['id']);
    expect(await countPayments()).toBe(before + 2);
    (await subscribe(null, 'order-2')).expect(201);
    expect((await subscribe(null, 'order-2')).refusal).toEqual([
      409,
      'external_id_in_use',
      'external_id',
    ]);
    expect(await countPayments()).toBe(before + 3);
  });

  it('the subscription that was started is found by its external_id', async () => {
    const { created } = await subscribe(null, 'order-3');
    const find = async (query: string): Promise<unknown[]> =>
      (await live.get(`/v1/subscriptions?${query}`)).data.map(({ id }) => id);
    expect(await find('external_id=order-3')).toEqual([created['id']]);
    expect(await find('external_id=order-3&status=cancelled')).toEqual([]);
    expect(await find('external_id=order-9')).toEqual([]);
  });

  it('the reference says so', async () => {
    const { paths } = (await live.get('/openapi.json')).ok as {
      paths: Record<string, Record<string, { description: string }>>;
    };
    const text = paths['/v1/subscriptions']?.['post']?.description;
    for (const fact of [
      'this service charges nobody',
      'the event `payment.due` asks you to collect',
      'A second report of the same outcome with the same `provider_ref` changes nothing',
      'A repeat with the same key within 24 hours gets the first response, also a 402',
      '409 `external_id_in_use`',
    ])
      expect(text).toContain(fact);
  });
});
