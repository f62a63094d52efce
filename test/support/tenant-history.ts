import { ClockedSubscriber } from './billing';
import type { RunningService, TestTenant } from './service';
import { until } from './until';

type Json = Record<string, unknown>;

/**
 * Creates two months of a small tenant: a trial that converts and renews, a payment that fails, an
 * erased subscriber, tickets, a credit, a cohort and deliveries. Billing is simulated on test
 * clocks. Resolves when every event is delivered.
 */
export const makeHistory = async (
  { api, id }: TestTenant,
  service: RunningService,
  receiverUrl: string,
): Promise<void> => {
  const destination = { type: 'https_webhook', environment: 'test', url: receiverUrl };
  (await service.operator.post(`/operator/v1/tenants/${id}/destinations`, destination)).expect(201);
  const plan = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' };
  await api.put('/v1/plans/pro', plan);
  const everyone = { name: 'Everyone', definition: {} };
  (await api.post('/v1/cohorts', everyone)).expect(201);
  const ada = await ClockedSubscriber.create(api, '2026-01-01T12:00:00Z');
  const trial = { plan: 'pro', trial_days: 14, payment_method: 'pm_test_ok' };
  (await ada.subscribe(trial)).expect(201);
  const bob = await ClockedSubscriber.create(api, '2026-01-01T12:00:00Z');
  const declined = { plan: 'pro', trial_days: 7, payment_method: 'pm_test_soft_decline' };
  (await bob.subscribe(declined)).expect(201);
  await ada.advance('2026-02-20T00:00:00Z');
  await bob.advance('2026-01-20T00:00:00Z');
  for (const topic of ['billing_question', 'other']) {
    const ticket = { subscriber_id: ada.subscriberId, topic, subject: 'Is this month paid?' };
    (await api.post('/v1/tickets', ticket)).expect(201);
  }
  const credit = { amount: 500, currency: 'USD' };
  (await api.post(`/v1/subscribers/${ada.subscriberId}/credits`, credit)).expect(201);
  const gone = await api.post('/v1/subscribers', { email: 'gone@example.com' });
  (await api.delete(`/v1/subscribers/${String(gone.created['id'])}`)).expect(200);
  await waitUntilDelivered(api);
};

const DAY_MS = 86_400_000;

/** Replays the history to its destination. Resolves when the replay has ended. */
export const replayHistory = async ({ api }: TestTenant): Promise<void> => {
  const [destination] = (await api.get('/v1/destinations')).data as [Json];
  const window = {
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date(Date.now() + DAY_MS).toISOString(),
  };
  const job = { destination_id: destination['id'], ...window, dedupe_strategy: 'force_redeliver' };
  const { replay_id: id } = (await api.post('/v1/replay', job)).expect(202);
  await until('the end of the replay', async () => {
    return (await api.get(`/v1/replay/${String(id)}`)).ok['status'] === 'completed';
  });
};

const waitUntilDelivered = async (api: TestTenant['api']): Promise<void> => {
  const [destination] = (await api.get('/v1/destinations')).data as [Json];
  const path = `/v1/destinations/${String(destination['id'])}/deliveries?limit=100`;
  const events = (await api.get('/v1/events?limit=100')).data;
  await until('every event delivered', async () => {
    const deliveries = (await api.get(path)).data;
    const waiting = deliveries.filter(({ status }) => status !== 'delivered');
    return deliveries.length >= events.length && waiting.length === 0;
  });
};
