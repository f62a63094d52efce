import type { TestTenant } from '../../support/service';
import { until } from '../../support/until';

/** Two plans by the month. */
export const makePlans = async ({ api }: TestTenant): Promise<void> => {
  for (const [id, name, amount] of [
    ['basic', 'Basic', 900],
    ['pro', 'Pro', 2_000],
  ] as const) {
    await api.put(`/v1/plans/${id}`, { name, amount, currency: 'USD', interval: 'month' });
  }
};

interface Paying {
  readonly subscriberId: string;
  readonly paymentId: string;
}

/** A subscriber with an active subscription of the plan `basic`, whose payment can be read. */
export const makePaying = async ({ api }: TestTenant, email: string): Promise<Paying> => {
  const subscriberId = String((await api.post('/v1/subscribers', { email })).created['id']);
  const body = { subscriber_id: subscriberId, plan: 'basic', payment_method: 'pm_test_ok' };
  (await api.post('/v1/subscriptions', body)).expect(201);
  const payment = await until(`the payment of ${email}`, async () => {
    const { data } = await api.get(`/v1/payments?subscriber_id=${subscriberId}`);
    return data.find(({ status }) => status === 'succeeded');
  });
  return { subscriberId, paymentId: String(payment['id']) };
};

/** Plays a scenario of the test helpers; returns its subscriber, whose past it made. */
export const storyOf = async ({ api }: TestTenant, name: string): Promise<string> => {
  const played = (await api.post(`/v1/test_helpers/scenarios/${name}`)).expect(202);
  return String(played['subscriber_id']);
};
