import { ClockedSubscriber } from './billing';
import { createActiveMotion, reportOutcome, triggerMotion } from './motion-calls';
import type { Receiver } from './receiver';
import type { RunningService, TestTenant } from './service';
import { until } from './until';

type Json = Record<string, unknown>;

/**
 * Creates two months of a small tenant, so that none of its lists is empty: a trial that converts
 * and renews, a payment that fails and one that is refunded, an erased subscriber, tickets, a
 * credit, a cohort, a motion, an import, deliveries and a replay. Billing is simulated on test
 * clocks. Resolves when every event is delivered.
 */
export const makeHistory = async (
  tenant: TestTenant,
  service: RunningService,
  receiver: Receiver,
): Promise<void> => {
  const { api, id } = tenant;
  const destination = { type: 'https_webhook', environment: 'test', url: receiver.url };
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
  await refundPart(tenant, ada.subscriberId);
  await redeemOffer(tenant, ada.subscriberId);
  await importWithMistake(tenant);
  const gone = await api.post('/v1/subscribers', { email: 'gone@example.com' });
  (await api.delete(`/v1/subscribers/${String(gone.created['id'])}`)).expect(200);
  await waitUntilDelivered(api);
  await replay(tenant, receiver);
};

const refundPart = async ({ api }: TestTenant, subscriberId: string): Promise<void> => {
  const query = `subscriber_id=${subscriberId}&status=succeeded`;
  const [payment] = (await api.get(`/v1/payments?${query}`)).data;
  const refund = { amount: 700, reason: 'requested_by_customer' };
  (await api.post(`/v1/payments/${String(payment?.['id'])}/refunds`, refund)).expect(201);
};

const redeemOffer = async (tenant: TestTenant, subscriberId: string): Promise<void> => {
  const offer = { type: 'credit', amount: 300, currency: 'USD' };
  const motionId = await createActiveMotion(tenant, { offer });
  const run = (await triggerMotion(tenant, motionId, subscriberId)).expect(202);
  (await reportOutcome(tenant, run, 'accepted')).expect(200);
};

const importWithMistake = async ({ api }: TestTenant): Promise<void> => {
  const reader = { kind: 'subscriber', external_id: 'reader-1', email: 'imported@example.com' };
  const lines = [reader, { ...reader, kind: 'nobody' }].map((line) => JSON.stringify(line));
  const headers = { 'content-type': 'application/x-ndjson' };
  const { id } = (await api.post('/v1/imports?deliver=true', lines.join('\n'), headers)).expect(
    202,
  );
  await until('the end of the import', async () => {
    const { lines_ok, lines_failed } = (await api.get(`/v1/imports/${String(id)}`)).ok;
    return lines_ok === 1 && lines_failed === 1;
  });
};

const DAY_MS = 86_400_000;

/** Replays the latest events to their destination, which refuses some. Resolves at the end. */
const replay = async ({ api }: TestTenant, receiver: Receiver): Promise<void> => {
  const [destination] = (await api.get('/v1/destinations')).data as [Json];
  const window = {
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date(Date.now() + DAY_MS).toISOString(),
  };
  receiver.answer(({ event }, response) => {
    response.statusCode = event.type === 'subscriber.created' ? 503 : 200;
    response.end();
  });
  const job = { destination_id: destination['id'], ...window, dedupe_strategy: 'force_redeliver' };
  const { replay_id: id } = (await api.post('/v1/replay', job)).expect(202);
  await until('the end of the replay', async () => {
    return (await api.get(`/v1/replay/${String(id)}`)).ok['status'] === 'completed_with_errors';
  });
  receiver.answerStatus(200);
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
