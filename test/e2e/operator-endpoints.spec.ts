import { RunningService } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

let service: RunningService;

beforeAll(async () => {
  service = await RunningService.shared();
}, 60_000);

describe('the overview of the installation', () => {
  it('shows stores, processes, jobs and tenants', async () => {
    await service.tenant();
    const overview = (await service.operator.get('/operator/v1/overview')).ok;
    expect(overview).toMatchObject({
      checks: { event_store: 'ok', database: 'ok', read_models: 'ok' },
      unprojected_events: 0,
      problem_tenants: expect.any(Array) as unknown,
    });
    expect(overview['tenants']).toBeGreaterThan(0);
    const [process] = overview['processes'] as { id: string; runs: string[] }[];
    expect(process?.runs).toEqual(
      expect.arrayContaining(['api', 'dispatcher', 'projector', 'replayer', 'timers']),
    );
  });
});

describe('a suspended tenant', () => {
  it('is refused for its keys and its members, and continues after the suspension', async () => {
    const { id, api } = await service.tenant();
    const owner = await service.signedIn({ tenant_id: id, role: 'owner' });
    const path = `/operator/v1/tenants/${id}`;
    const suspended = (await service.operator.post(`${path}/suspend`, { reason: 'unpaid' })).ok;
    expect(suspended).toMatchObject({ id, status: 'suspended' });
    for (const caller of [api, owner]) {
      expect((await caller.get('/v1/events')).refusal).toEqual([403, 'tenant_suspended', null]);
    }
    expect((await owner.get('/console/v1/members')).refusal[1]).toBe('tenant_suspended');
    const session = (await owner.get('/console/v1/session')).ok;
    expect(session['memberships']).toMatchObject([{ suspended_at: suspended['suspended_at'] }]);
    const again = (await service.operator.post(`${path}/suspend`, { reason: 'unpaid' })).ok;
    expect(again['suspended_at']).toBe(suspended['suspended_at']);
    const listed = (await service.operator.get('/operator/v1/tenants?status=suspended')).data;
    expect(listed.map((tenant) => tenant['id'])).toContain(id);
    (await service.operator.post(`${path}/resume`)).expect(200);
    expect((await api.get('/v1/events')).status).toBe(200);
    expect((await owner.get('/v1/events')).status).toBe(200);
  });
});

describe('a deleted tenant', () => {
  it('is refused at once and keeps no key, invitation or subscriber', async () => {
    const { id, api } = await service.tenant();
    const owner = await service.signedIn({ tenant_id: id, role: 'owner' });
    const hook = { type: 'https_webhook', url: 'http://127.0.0.1:9/hook' };
    await api.post('/v1/destinations', hook);
    const invitation = { email: 'later@example.com', role: 'viewer' };
    const invited = (await owner.post('/console/v1/invitations', invitation)).created;
    for (const email of ['ada@example.com', 'ben@example.com']) {
      await api.post('/v1/subscribers', { email });
    }
    expect((await api.get('/v1/subscribers')).data).toHaveLength(2);

    const path = `/operator/v1/tenants/${id}`;
    const deleted = (await service.operator.delete(path)).ok;
    expect(deleted).toMatchObject({ id, status: 'deleted' });
    expect([401, 403]).toContain((await api.get('/v1/events')).status);
    expect([401, 403]).toContain((await owner.get('/console/v1/members')).status);
    expect((await service.operator.delete(path)).ok).toEqual(deleted);
    for (const change of ['suspend', 'resume']) {
      expect((await service.operator.post(`${path}/${change}`, {})).status).toBe(404);
    }
    const listIds = async (query: string): Promise<unknown[]> =>
      (await service.operator.get(`/operator/v1/tenants?limit=100${query}`)).data.map(
        (tenant) => tenant['id'],
      );
    expect(await listIds('')).not.toContain(id);
    expect(await listIds('&status=deleted')).toContain(id);

    const view = `view=subscribers&tenant_id=${id}&environment=test`;
    await until('the removal', async () => {
      const [, code] = (await api.get('/v1/events')).refusal;
      const left = (await service.operator.get(`/operator/v1/exports?${view}`)).data;
      return code === 'api_key_revoked' && left.length === 0;
    });
    const spent = { token: new URL(invited['link'] as string).hash.slice(1) };
    const lookup = await service.browser.post('/console/v1/invitations/lookup', spent);
    expect(lookup.refusal[1]).toBe('invitation_spent');
    const { data } = await service.operator.get(`/operator/v1/audit_log?tenant_id=${id}`);
    expect(data.map((item) => item['action'])).toContain('tenant.deleted');
  });
});

describe('the lists of operators', () => {
  it('show usage, replays, analysts and skipped events over all tenants', async () => {
    const { id, api } = await service.tenant();
    await api.post('/v1/subscribers', { email: 'ada@example.com' });
    const usage = await until('the projection', async () => {
      const [found] = (await service.operator.get(`/operator/v1/usage?tenant_id=${id}`)).data;
      return (found?.['test'] as Json)['events'] === 1 ? found : undefined;
    });
    expect(usage).toMatchObject({
      tenant_id: id,
      test: { subscribers: 1, events: 1, deliveries: 0, destinations: 0 },
      live: { subscribers: 0 },
    });
    expect(
      (await service.operator.get('/operator/v1/usage?to=2000-01-01T00:00:00Z')).refusal,
    ).toEqual([400, 'parameter_invalid', 'to']);
    for (const list of [
      `replays?tenant_id=${id}`,
      `imports?tenant_id=${id}`,
      `failing_destinations?tenant_id=${id}`,
      'unprojected_events',
    ]) {
      expect((await service.operator.get(`/operator/v1/${list}`)).data).toEqual([]);
    }
    const forged = await service.operator.get('/operator/v1/unprojected_events?starting_after=x');
    expect(forged.refusal).toEqual([400, 'invalid_cursor', 'starting_after']);
    expect((await service.operator.get('/operator/v1/analysts')).status).toBe(200);
  });

  it('show the imports of each tenant', async () => {
    const { id, api } = await service.tenant();
    const send = async (externalId: string): Promise<unknown> => {
      const lines = [{ kind: 'subscriber', external_id: externalId, email: 'ada@example.com' }];
      return (await api.post('/v1/imports', { lines })).expect(202)['id'];
    };
    const [first, second] = [await send('a'), await send('b')];
    const list = `/operator/v1/imports?tenant_id=${id}`;
    expect((await service.operator.get(list)).data).toMatchObject([
      { tenant_id: id, environment: 'test', import: { id: second, lines_total: 1 } },
      { tenant_id: id, environment: 'test', import: { id: first, lines_total: 1 } },
    ]);
    expect((await service.operator.get(`${list}&limit=1`)).ok).toMatchObject({ has_more: true });
    const other = await service.tenant();
    expect((await other.api.get('/v1/imports')).data).toEqual([]);
    expect((await api.get('/v1/imports')).data).toMatchObject([{ id: second }, { id: first }]);
    const below = await api.get(`/v1/imports?starting_after=${String(second)}`);
    expect(below.data).toMatchObject([{ id: first }]);
  });

  it('show the replays of each tenant', async () => {
    const { id, api } = await service.tenant();
    const destination = { type: 'https_webhook', url: 'http://127.0.0.1:9/hook' };
    const { id: target } = (await api.post('/v1/destinations', destination)).created;
    const at = Date.now();
    const replay = (
      await api.post('/v1/replay', {
        destination_id: target,
        from: new Date(at - 60_000).toISOString(),
        to: new Date(at).toISOString(),
      })
    ).expect(202);
    const path = `/operator/v1/replays?tenant_id=${id}`;
    await until('the projection', async () => (await service.operator.get(path)).data.length > 0);
    expect((await service.operator.get(path)).data).toMatchObject([
      { tenant_id: id, environment: 'test', replay: { replay_id: replay['replay_id'] } },
    ]);
  });
});

describe('the search of operators', () => {
  it('finds tenants by name and objects of every tenant by id and address', async () => {
    const name = 'Quarterly Review of Ferns';
    const { id } = (await service.operator.post('/operator/v1/tenants', { name })).created;
    const { api } = await service.createKey(id as string, 'live');
    const made = (await api.post('/v1/subscribers', { email: 'fern@example.com' })).created;
    const find = async (q: string): Promise<Json[]> =>
      (await service.operator.get(`/operator/v1/search?q=${encodeURIComponent(q)}`)).ok[
        'data'
      ] as Json[];
    const found = { tenant_id: id, environment: 'live', type: 'subscriber', id: made['id'] };
    await until('the projection', async () => (await find('FERN@example.com')).length > 0);
    expect(await find('review of f')).toMatchObject([{ type: 'tenant', id, environment: null }]);
    expect(await find(made['id'] as string)).toMatchObject([found]);
    expect(await find('FERN@example.com')).toMatchObject([found]);
    expect(await find('nothing-of-this-name')).toEqual([]);
    // A read by the operator does not wait for earlier requests.
    const audit = await until('the search in the audit log', async () => {
      const { data } = await service.operator.get('/operator/v1/audit_log?action=search.made');
      return data.length > 0 ? data : null;
    });
    expect(JSON.stringify(audit)).not.toContain('fern@');
  });
});
