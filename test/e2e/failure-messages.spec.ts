import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../support/api';
import { RunningService } from '../support/service';

const WORDS = "Ada Lovelace's card was reported stolen";

describe('a payment provider’s message about a failure', () => {
  let service: RunningService;
  let full: Api;
  let blind: Api;
  let paymentId: string;
  let subscriberId: string;

  beforeAll(async () => {
    service = await RunningService.shared();
    const tenant = await service.tenant('live');
    full = tenant.api;
    const keys = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const scopes = ['payments:read', 'events:read'];
    const issued = await service.operator.post(keys, { environment: 'live', name: 'x', scopes });
    blind = service.createApi(issued.created['key'] as string);
    await full.put('/v1/plans/pro', {
      name: 'Pro',
      amount: 900,
      currency: 'USD',
      interval: 'month',
    });
    const subscriber = await full.post('/v1/subscribers', { email: 'ada@example.com' });
    subscriberId = subscriber.created['id'] as string;
    await full.post('/v1/subscriptions', {
      subscriber_id: subscriberId,
      plan: 'pro',
      payment_method: 'cus_1',
    });
    const [due] = (await full.get(`/v1/payments?subscriber_id=${subscriberId}`)).data;
    paymentId = due?.['id'] as string;
    const failed = { outcome: 'failed', failure: { code: 'stolen_card', message: WORDS } };
    expect((await full.post(`/v1/payments/${paymentId}/attempts`, failed)).ok).toMatchObject({
      failure: { message: WORDS },
    });
  });

  const readShownTexts = async (api: Api): Promise<string[]> => {
    const answers = await Promise.all(
      [
        `/v1/payments/${paymentId}`,
        '/v1/payments',
        `/v1/payments/${paymentId}/attempts`,
        '/v1/events?event_types=payment.failed',
      ].map((path) => api.get(path)),
    );
    return answers.map(({ ok }) => JSON.stringify(ok));
  };

  it('is shown everywhere to a key that may read personal data', async () => {
    for (const text of await readShownTexts(full)) expect(text).toContain(WORDS);
  });

  it('is never shown to a key that may not read personal data', async () => {
    for (const text of await readShownTexts(blind)) expect(text).not.toContain(WORDS);
  });

  it('is not in any file of the log', () => {
    const dir = join(service.dataDir, 'eventstore');
    const files = readdirSync(dir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      expect(readFileSync(join(file.parentPath, file.name)).includes(WORDS)).toBe(false);
    }
  });

  it('is deleted with the subscriber, in lists and events', async () => {
    (await full.delete(`/v1/subscribers/${subscriberId}`)).expect(200);
    for (const text of await readShownTexts(full)) expect(text).not.toContain(WORDS);
  });
});
