import { databases } from '../support/databases';
import { Receiver } from '../support/receiver';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

describe.each(databases)('tenants and environments, on $name SQL', (database) => {
  let service: RunningService;
  let test: TestTenant;
  let live: TestTenant;
  let stranger: TestTenant;
  let subscriber: string;
  let ticket: string;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    test = await service.tenant('test');
    live = await service.createKey(test.id, 'live');
    stranger = await service.tenant('test');
    await test.api.put('/v1/plans/pro', {
      name: 'Pro',
      amount: 900,
      currency: 'EUR',
      interval: 'month',
    });
    subscriber = (await test.api.post('/v1/subscribers', { email: 'ada@example.com' })).created[
      'id'
    ] as string;
    const submitted = await test.api.post('/v1/tickets', {
      subscriber_id: subscriber,
      topic: 'other',
    });
    ticket = submitted.created['id'] as string;
  });

  it('never show objects of another environment or tenant', async () => {
    for (const { api } of [live, stranger]) {
      for (const list of ['subscribers', 'tickets', 'events', 'plans', 'subscriptions']) {
        expect((await api.get(`/v1/${list}`)).data).toEqual([]);
      }
      for (const path of [`subscribers/${subscriber}`, `tickets/${ticket}`, 'plans/pro']) {
        expect((await api.get(`/v1/${path}`)).refusal.slice(0, 2)).toEqual([
          404,
          'resource_not_found',
        ]);
      }
    }
  });

  it('never change objects of another environment or tenant', async () => {
    for (const { api } of [live, stranger]) {
      expect(
        (await api.post('/v1/tickets', { subscriber_id: subscriber, topic: 'other' })).refusal,
      ).toEqual([404, 'resource_not_found', 'subscriber_id']);
      const request = { subscriber_id: subscriber, plan: 'pro', payment_method: 'pm_test_ok' };
      expect((await api.post('/v1/subscriptions', request)).refusal[0]).toBe(404);
    }
    expect((await test.api.get('/v1/events')).data).toHaveLength(2);
  });

  it('deliver only within the environment', async () => {
    const receivers = { live: await Receiver.start(), test: await Receiver.start() };
    for (const environment of ['live', 'test'] as const) {
      const { url } = receivers[environment];
      const body = { type: 'https_webhook', url, environment };
      (await service.operator.post(`/operator/v1/tenants/${test.id}/destinations`, body)).expect(
        201,
      );
    }
    for (const { api } of [live, test]) {
      (await api.post('/v1/subscribers', { email: 'ben@example.com' })).expect(201);
    }
    for (const environment of ['live', 'test'] as const) {
      const receiver = receivers[environment];
      await until('the event', () => receiver.received.length > 0);
      expect(receiver.received.map(({ event }) => event['environment'])).toEqual([environment]);
      await receiver.close();
    }
  });

  it('use the tenant’s own payment provider in live', async () => {
    await live.api.put('/v1/plans/pro', {
      name: 'Pro',
      amount: 900,
      currency: 'EUR',
      interval: 'month',
    });
    const { id } = (await live.api.post('/v1/subscribers', { email: 'cyd@example.com' })).created;
    const request = { subscriber_id: id, plan: 'pro' };
    expect((await live.api.post('/v1/subscriptions', request)).created).toMatchObject({
      status: 'active',
    });
    const due = await until('the payment', async () =>
      (await live.api.get('/v1/events?event_types=payment.*')).data.at(0),
    );
    expect(due).toMatchObject({
      type: 'payment.due',
      data: { payment: { status: 'pending', amount: 900, currency: 'EUR', provider: 'external' } },
    });
  });

  it('keep the settings that a change does not contain', async () => {
    const settings = {
      currency: 'USD',
      grace_days: 14,
      trial_end_behavior: 'lapse',
      ticket_auto_close_hours: 96,
      support_refund_limit: 10_000,
      max_destinations: 10,
      max_cohorts: 200,
      max_plans: 1_000,
      max_test_clocks: 1_000,
      max_import_lines_per_day: 5_000_000,
      max_import_errors: 1_000,
      alert_emails: [],
    };
    const made = { name: 'Beta', settings: { grace_days: 3 } };
    const { created } = await service.operator.post('/operator/v1/tenants', made);
    expect(created).toMatchObject({ settings: { ...settings, grace_days: 3 } });
    const path = `/operator/v1/tenants/${created['id'] as string}`;
    const changed = await service.operator.patch(path, { settings: { currency: 'EUR' } });
    expect(changed.body['settings']).toEqual({ ...settings, grace_days: 3, currency: 'EUR' });
    expect((await service.operator.get(path)).body['settings']).toEqual(changed.body['settings']);
  });

  it('refuse a revoked and an expired key at once', async () => {
    const path = `/operator/v1/tenants/${test.id}/api-keys`;
    const issue = { environment: 'test', name: 'short-lived' };
    const { id, key } = (await service.operator.post(path, issue)).created as {
      id: string;
      key: string;
    };
    const { api } = { api: service.createApi(key) };
    (await api.get('/v1/tickets')).expect(200);
    (await service.operator.delete(`${path}/${id}`)).expect(200);
    expect((await api.get('/v1/tickets')).refusal[1]).toBe('api_key_revoked');

    const rotated = (await service.operator.post(path, issue)).created as {
      id: string;
      key: string;
    };
    const successor = await service.operator.post(`${path}/${rotated.id}/rotate`, {
      overlap_hours: 0,
    });
    expect((await service.createApi(rotated.key).get('/v1/tickets')).refusal[1]).toBe(
      'api_key_expired',
    );
    (await service.createApi(successor.created['key'] as string).get('/v1/tickets')).expect(200);
  });

  it('restrict keys to their scopes', async () => {
    const path = `/operator/v1/tenants/${test.id}/api-keys`;
    const issue = { environment: 'test', name: 'reader', scopes: ['tickets:read'] };
    const { key, scopes } = (await service.operator.post(path, issue)).created;
    expect(scopes).toEqual(['tickets:read']);
    const api = service.createApi(key as string);
    const shown = (await api.get(`/v1/tickets/${ticket}`)).ok;
    expect(shown).not.toHaveProperty('subject');
    const refused = await api.post('/v1/tickets', { subscriber_id: subscriber, topic: 'other' });
    expect(refused.refusal.slice(0, 2)).toEqual([403, 'insufficient_scope']);
    expect(refused.body).toMatchObject({ error: { details: { required_scope: 'tickets:write' } } });
  });
});
