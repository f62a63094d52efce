import type { Answer } from '../support/api';
import { ClockedSubscriber } from '../support/billing';
import { databases } from '../support/databases';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

describe.each(databases)('the audit log, on $name SQL', (database) => {
  let service: RunningService;
  let tenant: TestTenant;
  let live: TestTenant;
  let subscriberId: string;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    live = await service.createKey(tenant.id, 'live');
    const headers = { 'x-request-id': 'req_of_ada' };
    const body = { email: 'ada.audited@example.com', metadata: { note: 'likes tea' } };
    const made = await tenant.api.post('/v1/subscribers', body, headers);
    subscriberId = made.created['id'] as string;
  });

  const listOperatorActions = (filters: string): Promise<Json[]> =>
    until(`audit items with ${filters}`, async () => {
      const { data } = await service.operator.get(`/operator/v1/audit_log?${filters}`);
      return data.length > 0 ? data : null;
    });

  it('shows the actor, the action, the address and the request', async () => {
    const [item] = (await tenant.api.get(`/v1/audit_log?object=${subscriberId}`)).data;
    expect(item).toEqual({
      id: expect.stringMatching(/^aud_/) as string,
      at: expect.stringMatching(/Z$/) as string,
      actor: { type: 'api_key', id: `key_${tenant.key.split('_')[2]}`, name: 'tests' },
      action: 'subscriber.created',
      object: { type: 'subscriber', id: subscriberId, name: null },
      request_id: 'req_of_ada',
      address: expect.stringMatching(/127\.0\.0\.1$/) as string,
    });
  });

  it('shows the real time of a call on a subscriber with a test clock', async () => {
    const { api } = await service.tenant();
    const began = new Date(Date.now() - 60_000).toISOString();
    const ada = await ClockedSubscriber.create(api, '2031-01-01T00:00:00Z');
    (await api.post('/v1/subscribers', { email: 'later.audited@example.com' })).expect(201);
    const recent = `created_after=${began}&created_before=${new Date(Date.now() + 60_000).toISOString()}`;
    const created = `/v1/audit_log?action=subscriber.created&${recent}`;
    const items = (await api.get(created)).data;
    expect(items).toHaveLength(2);
    expect(items[1]).toMatchObject({ object: { id: ada.subscriberId } });
  });

  it('has one item per request, whatever the number of appends, also if the request is repeated', async () => {
    const key = { 'idempotency-key': 'one item' };
    const url = 'https://example.com/hook';
    for (let i = 0; i < 2; i += 1) {
      await tenant.api.post('/v1/destinations', { type: 'https_webhook', url }, key);
    }
    const actions = (await tenant.api.get('/v1/audit_log?action=destination.registered')).data;
    expect(actions).toHaveLength(1);
    const all = (await tenant.api.get('/v1/audit_log')).data;
    expect(all.map(({ action }) => action)).toEqual([
      'destination.registered',
      'subscriber.created',
      'api_key.created',
      'api_key.created',
      'tenant.created',
    ]);
  });

  describe('shows one item, about the main object, of a request with several commands or objects:', () => {
    let own: TestTenant;

    beforeAll(async () => {
      own = await service.tenant();
      const plan = { name: 'Pro', amount: 900, currency: 'USD', interval: 'month' };
      (await own.api.put('/v1/plans/pro', plan)).expect(200);
    });

    /** Makes a call and returns its items, as action and type of the object. */
    const listItems = async (call: (headers: Record<string, string>) => Promise<Answer>) => {
      const id = `req_${Math.random().toString(36).slice(2)}`;
      expect([200, 201, 202, 402]).toContain((await call({ 'x-request-id': id })).status);
      const { data } = await own.api.get('/v1/audit_log?limit=100');
      return data
        .filter(({ request_id }) => request_id === id)
        .map(({ action, object }) => [action, (object as Json)['type']]);
    };

    const createSubscriber = async (more: Json = {}): Promise<string> => {
      const person = { email: 'several@example.com', ...more };
      return String((await own.api.post('/v1/subscribers', person)).created['id']);
    };

    const subscribe = (subscriber_id: string, headers: Record<string, string> = {}) => {
      const body = { subscriber_id, plan: 'pro', payment_method: 'pm_test_ok' };
      return own.api.post('/v1/subscriptions', body, headers);
    };

    it('an import and a seed', async () => {
      const line = { kind: 'subscriber', external_id: 'crm-1', email: 'line@example.com' };
      const made = await listItems((headers) =>
        own.api.post('/v1/imports', { lines: [line] }, headers),
      );
      const seeded = await listItems((headers) =>
        own.api.post('/v1/test_helpers/seed', { subscribers: 1 }, headers),
      );
      expect([made, seeded]).toEqual([
        [['import.accepted', 'import']],
        [['import.accepted', 'import']],
      ]);
    });

    it('a scenario', async () => {
      const played = await listItems((headers) =>
        own.api.post('/v1/test_helpers/scenarios/trial_convert', {}, headers),
      );
      expect(played).toEqual([['subscriber.created', 'subscriber']]);
    });

    it('the deletion of a test clock', async () => {
      const frozen = { frozen_time: '2026-03-01T00:00:00Z' };
      const test_clock = String(
        (await own.api.post('/v1/test_helpers/clocks', frozen)).created['id'],
      );
      (await subscribe(await createSubscriber({ test_clock }))).expect(201);
      const deleted = await listItems((headers) =>
        own.api.send('DELETE', `/v1/test_helpers/clocks/${test_clock}`, { headers }),
      );
      expect(deleted).toEqual([['clock.deleted', 'clock']]);
    });

    it('a subscription that begins with a payment, and a dispute of the payment', async () => {
      const subscriber = await createSubscriber();
      const started = await listItems((headers) => subscribe(subscriber, headers));
      expect(started).toEqual([['subscription.activated', 'subscription']]);
      const [payment] = (await own.api.get(`/v1/payments?subscriber_id=${subscriber}`)).data;
      const disputed = await listItems((headers) =>
        own.api.post(
          `/v1/payments/${String(payment!['id'])}/disputes`,
          { dispute_status: 'open' },
          headers,
        ),
      );
      expect(disputed).toEqual([['payment.disputed', 'payment']]);
    });

    it('a reactivation, also one whose payment is declined', async () => {
      const started = (await subscribe(await createSubscriber())).created;
      const path = `/v1/subscriptions/${String(started['id'])}`;
      const pay = (payment_method: string) =>
        own.api.put(`${path}/payment_method`, { payment_method });
      (await own.api.post(`${path}/cancel`, { effective: 'immediately' })).expect(200);
      (await pay('pm_test_hard_decline')).expect(200);
      const reactivate = (headers: Record<string, string>) =>
        own.api.post(`${path}/reactivate`, {}, headers);
      const declined = await listItems(reactivate);
      (await pay('pm_test_ok')).expect(200);
      expect([declined, await listItems(reactivate)]).toEqual([
        [['payment.failed', 'payment']],
        [['subscription.reactivated', 'subscription']],
      ]);
    });
  });

  it('shows an action on the tenant itself to the keys of both environments, and to the operator once', async () => {
    const path = `/operator/v1/tenants/${tenant.id}`;
    (await service.operator.patch(path, { settings: { grace_days: 9 } })).expect(200);
    const issue = { environment: 'live', name: 'short-lived' };
    const { created } = await service.operator.post(`${path}/api-keys`, issue);
    const keyId = String(created['id']);
    (await service.operator.delete(`${path}/api-keys/${keyId}`)).expect(200);
    for (const [action, object] of [
      ['tenant.updated', tenant.id],
      ['api_key.created', keyId],
      ['api_key.revoked', keyId],
    ] as const) {
      const filters = `action=${action}&object=${object}`;
      for (const { api } of [tenant, live]) {
        const seen = await until(`${action} in an environment`, async () => {
          const { data } = await api.get(`/v1/audit_log?${filters}`);
          return data.length > 0 ? data : null;
        });
        expect(seen).toMatchObject([{ actor: { type: 'operator' }, object: { id: object } }]);
      }
      expect(await listOperatorActions(filters)).toHaveLength(1);
    }
  });

  it('shows what an operator did to a destination in its environment only', async () => {
    const test = await service.tenant();
    const live = await service.createKey(test.id, 'live');
    const path = `/operator/v1/tenants/${test.id}/destinations`;
    const hook = { type: 'https_webhook', url: 'https://example.com/of-one-environment' };
    const listActions = async (of: TestTenant, object: string): Promise<unknown[]> => {
      const { data } = await of.api.get(`/v1/audit_log?object=${object}&limit=100`);
      return data.map(({ action }) => action).sort();
    };
    const done = [
      'destination.deleted',
      'destination.registered',
      'destination.secret_rotated',
      'destination.tested',
      'destination.updated',
    ];
    for (const environment of ['test', 'live']) {
      const made = await service.operator.post(path, { ...hook, environment });
      const id = String(made.created['id']);
      const one = `${path}/${id}`;
      (await service.operator.patch(one, { description: 'of one' })).expect(200);
      (await service.operator.post(`${one}/rotate-secret`)).expect(200);
      (await service.operator.post(`${one}/test`)).expect(200);
      (await service.operator.delete(`${one}?force=true`)).expect(204);
      const [its, other] = environment === 'test' ? [test, live] : [live, test];
      await until('every action', async () => (await listActions(its, id)).join() === done.join());
      // The key of the other environment reads the same rows, which are all projected now.
      expect(await listActions(other, id)).toEqual([]);
      const all = (await service.operator.get(`/operator/v1/audit_log?object=${id}`)).data;
      expect(all.map(({ action }) => action).sort()).toEqual(done);
    }
  });

  it('returns the next page although a destination was created in the meantime', async () => {
    const { api } = await service.tenant();
    (await api.post('/v1/subscribers', { email: 'ada@example.com' })).expect(201);
    const first = (await api.get('/v1/audit_log?limit=1')).ok;
    const hook = { type: 'https_webhook', url: 'https://example.com/in-the-meantime' };
    (await api.post('/v1/destinations', hook)).expect(201);
    const cursor = String(first['next_cursor']);
    const next = (await api.get(`/v1/audit_log?limit=1&starting_after=${cursor}`)).ok;
    expect(next).toMatchObject({ data: [{ action: expect.any(String) as string }] });
  });

  it('is paged and filtered like every list', async () => {
    const first = (await tenant.api.get('/v1/audit_log?limit=1')).ok;
    expect(first).toMatchObject({ has_more: true });
    const rest = await tenant.api.get(
      `/v1/audit_log?limit=1&starting_after=${String(first['next_cursor'])}`,
    );
    expect(rest.data).toHaveLength(1);
    expect(rest.data[0]?.['id']).not.toBe((first['data'] as Json[])[0]?.['id']);
    const actor = `key_${tenant.key.split('_')[2]}`;
    expect((await tenant.api.get(`/v1/audit_log?actor=${actor}`)).data).toHaveLength(2);
    expect((await tenant.api.get('/v1/audit_log?actor=nobody')).data).toEqual([]);
    const before = '/v1/audit_log?created_before=2020-01-01T00:00:00Z';
    expect((await tenant.api.get(before)).data).toEqual([]);
  });

  it('shows a key its own environment and its own tenant only', async () => {
    const other = await service.tenant();
    // The operator created the key, and a tenant's read does not wait for the operator's writes.
    await until('the creation of its key', async () => {
      const theirs = (await other.api.get('/v1/audit_log')).data.map(({ action }) => action);
      return theirs.join() === 'api_key.created,tenant.created';
    });
    expect((await other.api.get(`/v1/audit_log?object=${subscriberId}`)).data).toEqual([]);
    expect((await live.api.get(`/v1/audit_log?object=${subscriberId}`)).data).toEqual([]);
    const ofTest = (await tenant.api.get('/v1/audit_log?action=subscriber.created')).data;
    expect(ofTest).toMatchObject([{ object: { id: subscriberId } }]);
  });

  it('needs the scope audit_log:read', async () => {
    const issue = { environment: 'test', name: 'narrow', scopes: ['subscribers:read'] };
    const made = await service.operator.post(`/operator/v1/tenants/${tenant.id}/api-keys`, issue);
    const narrow = service.createApi(made.created['key'] as string);
    expect((await narrow.get('/v1/audit_log')).refusal.slice(0, 2)).toEqual([
      403,
      'insufficient_scope',
    ]);
  });

  it('shows the operator exports and other views, which append nothing else', async () => {
    const query = `view=subscribers&tenant_id=${tenant.id}&environment=test`;
    const exported = await service.operator.get(`/operator/v1/exports?${query}`);
    expect(exported.status).toBe(200);
    const [item] = await listOperatorActions(`tenant_id=${tenant.id}&action=analytics.exported`);
    expect(item).toMatchObject({
      actor: { type: 'operator' },
      object: { type: 'view', id: 'subscribers' },
      request_id: exported.headers.get('x-request-id'),
    });
    const ofKeys = '/v1/audit_log?action=analytics.exported';
    expect((await tenant.api.get(ofKeys)).data).toHaveLength(1);
    expect((await live.api.get(ofKeys)).data).toEqual([]);
    const [mine] = await listOperatorActions(`tenant_id=${tenant.id}&action=subscriber.created`);
    expect(mine).toMatchObject({ object: { id: subscriberId } });
  });

  it('contains trials and links, which are in no stream', async () => {
    const hook = { type: 'https_webhook', url: 'http://127.0.0.1:9/never' };
    const { id } = (await tenant.api.post('/v1/destinations', hook)).created;
    (await tenant.api.post(`/v1/destinations/${String(id)}/test`)).expect(200);
    const own = await until('the trial', async () => {
      const { data } = await tenant.api.get('/v1/audit_log?action=destination.tested');
      return data[0];
    });
    expect(own).toMatchObject({ actor: { type: 'api_key' }, object: { id } });
    const link = { tenant_id: tenant.id, role: 'viewer' };
    (await service.operator.post('/operator/v1/console_links', link)).expect(201);
    const [made] = await listOperatorActions(`tenant_id=${tenant.id}&action=console_link.created`);
    expect(made).toMatchObject({ object: { type: 'tenant', id: tenant.id } });
    const viewer = { role: 'operator_viewer' };
    (await service.operator.post('/operator/v1/console_links', viewer)).expect(201);
    const links = await listOperatorActions('action=console_link.created&object=operator_viewer');
    expect(links[0]).toMatchObject({ object: { type: 'operator_console' } });
    const browser = await service.signedIn(link);
    (await browser.delete('/console/v1/session')).expect(204);
    const [left] = await listOperatorActions(`tenant_id=${tenant.id}&action=member.signed_out`);
    expect(left).toMatchObject({ actor: { type: 'member' }, object: { type: 'session' } });
  });

  it('contains a view that is repeated under an Idempotency-Key', async () => {
    const { data } = await tenant.api.get('/v1/destinations');
    const [event] = (await tenant.api.get('/v1/events')).data;
    const path = `/operator/v1/tenants/${tenant.id}/destinations/${String(data[0]?.['id'])}/preview`;
    const key = { 'idempotency-key': 'one view' };
    const seen = [
      await service.operator.post(path, { event_id: event?.['id'] }, key),
      await service.operator.post(path, { event_id: event?.['id'] }, key),
    ];
    expect(seen.map(({ status }) => status)).toEqual([200, 200]);
    await until('both views', async () => {
      return (
        (await listOperatorActions(`tenant_id=${tenant.id}&action=destination.previewed`))
          .length === 2
      );
    });
  });

  it('has no item for a tenant id that is too long to exist: the response is 404', async () => {
    const path = `/operator/v1/tenants/${'x'.repeat(3_000)}`;
    for (const answer of [
      await service.operator.patch(path, {}),
      await service.operator.post(`${path}/suspend`, {}),
      await service.operator.post(`${path}/resume`),
    ]) {
      expect(answer.refusal.slice(0, 2)).toEqual([404, 'resource_not_found']);
    }
  });

  it('has no item for a call that was refused, because it did nothing', async () => {
    const refused = [
      await service.operator.post('/operator/v1/console_links', { role: 'king' }),
      await service.operator.post('/operator/v1/rebuilds', { projections: ['nope'] }),
      await service.operator.post('/operator/v1/store/backup', {}),
      await service.operator.get('/operator/v1/exports?view=nope'),
      await service.operator.get('/operator/v1/erasures/ada@example.com'),
    ];
    for (const { status } of refused) expect([400, 404, 422]).toContain(status);
    const ids = refused.map(({ headers }) => headers.get('x-request-id'));
    // Items are written in the order of the calls. Once a later call has its item, the earlier
    // calls would have theirs too.
    const later = { tenant_id: tenant.id, role: 'viewer' };
    const made = await service.operator.post('/operator/v1/console_links', later);
    await until('the item of the later call', async () => {
      const { data } = await service.operator.get('/operator/v1/audit_log?limit=100');
      const seen = data.map(({ request_id }) => request_id as string);
      expect(seen.filter((id) => ids.includes(id))).toEqual([]);
      return seen.includes(made.headers.get('x-request-id') ?? '');
    });
  });

  it('contains the suspension of a tenant and its end', async () => {
    const { id } = await service.tenant('live');
    const path = `/operator/v1/tenants/${id}`;
    const asked = [
      await service.operator.post(`${path}/suspend`, {}),
      await service.operator.post(`${path}/resume`),
    ];
    for (const [at, action] of ['tenant.suspended', 'tenant.resumed'].entries()) {
      const items = await listOperatorActions(`tenant_id=${id}&action=${action}`);
      expect(items).toMatchObject([
        {
          actor: { type: 'operator', id: 'root' },
          object: { type: 'tenant', id },
          request_id: asked[at]?.headers.get('x-request-id'),
        },
      ]);
    }
  });

  it('contains nothing personal, and is kept after an erasure', async () => {
    (await tenant.api.delete(`/v1/subscribers/${subscriberId}`)).expect(200);
    const items = (await tenant.api.get('/v1/audit_log')).data;
    expect(items.map(({ action }) => action)).toContain('subscriber.erased');
    expect(JSON.stringify(items)).not.toMatch(/ada\.audited|likes tea/);
  });

  it('has an item for an erasure that also cancels a subscription', async () => {
    const plan = { name: 'Pro', amount: 2_000, currency: 'USD', interval: 'month' };
    (await tenant.api.put('/v1/plans/pro', plan)).expect(200);
    const person = { email: 'grace.audited@example.com' };
    const id = (await tenant.api.post('/v1/subscribers', person)).created['id'] as string;
    const subscription = { subscriber_id: id, plan: 'pro', payment_method: 'pm_test_ok' };
    (await tenant.api.post('/v1/subscriptions', subscription)).expect(201);
    (await tenant.api.delete(`/v1/subscribers/${id}`)).expect(200);
    const items = (await tenant.api.get('/v1/audit_log?limit=2')).data;
    expect(items.map(({ action }) => action).sort()).toEqual([
      'subscriber.erased',
      'subscription.cancelled',
    ]);
  });
});
