import type { ConsoleBrowser } from '../support/console-browser';
import { RunningService } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const PASSWORD = 'correct horse battery staple';

let service: RunningService;

beforeAll(async () => {
  service = await RunningService.shared();
}, 60_000);
const signInOwner = (tenantId: string): Promise<ConsoleBrowser> =>
  service.signedIn({ tenant_id: tenantId, role: 'owner' });

/** Accepts an invitation in a new browser. */
const join = async (
  tenantId: string,
  { email, role }: { email: string; role: string },
): Promise<{ id: string; browser: ConsoleBrowser }> => {
  const owner = await signInOwner(tenantId);
  const { link } = (await owner.post('/console/v1/invitations', { email, role })).created;
  const token = new URL(link as string).hash.slice(1);
  const browser = service.browser.openTenant(tenantId);
  const body = { token, name: 'Grace', password: PASSWORD };
  const session = (await browser.post('/console/v1/invitations/accept', body)).ok;
  return { id: (session['person'] as Json)['id'] as string, browser };
};

describe('invitations', () => {
  it('create a member who can then sign in with a password', async () => {
    const { id } = await service.tenant();
    const { browser } = await join(id, { email: 'grace@example.com', role: 'developer' });
    const { person, memberships } = (await browser.get('/console/v1/session')).ok;
    expect(person).toMatchObject({ email: 'grace@example.com', name: 'Grace' });
    expect(memberships).toMatchObject([{ role: 'developer', tenant: { id } }]);
    const other = service.browser;
    const signIn = { email: 'Grace@Example.com', password: PASSWORD };
    expect((await other.post('/console/v1/session', signIn)).status).toBe(200);
  });

  it('cannot be accepted twice', async () => {
    const { id } = await service.tenant();
    const owner = await signInOwner(id);
    const invitation = { email: 'once@example.com', role: 'viewer' };
    const { link } = (await owner.post('/console/v1/invitations', invitation)).created;
    const token = new URL(link as string).hash.slice(1);
    const { browser } = service;
    const found = (await browser.post('/console/v1/invitations/lookup', { token })).ok;
    expect(found).toMatchObject({ email: 'once@example.com', role: 'viewer', has_account: false });
    const accept = { token, password: PASSWORD };
    expect((await browser.post('/console/v1/invitations/accept', accept)).status).toBe(200);
    for (const path of ['accept', 'lookup']) {
      const again = await service.browser.post(
        `/console/v1/invitations/${path}`,
        path === 'lookup' ? { token } : accept,
      );
      expect(again.refusal).toEqual([410, 'invitation_spent', null]);
    }
  });

  it('cannot be used after they are revoked', async () => {
    const { id } = await service.tenant();
    const owner = await signInOwner(id);
    const invitation = { email: 'revoked@example.com', role: 'viewer' };
    const made = (await owner.post('/console/v1/invitations', invitation)).created;
    const path = `/console/v1/invitations/${String(made['id'])}`;
    expect((await owner.delete(path)).status).toBe(204);
    const token = new URL(made['link'] as string).hash.slice(1);
    const found = await service.browser.post('/console/v1/invitations/lookup', { token });
    expect(found.refusal[1]).toBe('invitation_spent');
    expect((await owner.get('/console/v1/invitations')).data).toEqual([]);
  });
});

describe('members', () => {
  it('are named in the audit log of their tenant, whose events hold only their ids', async () => {
    const { id: tenantId } = await service.tenant();
    const { id, browser } = await join(tenantId, { email: 'named@example.com', role: 'developer' });
    const hook = { type: 'https_webhook', url: 'https://example.com/hook' };
    (await browser.post('/v1/destinations', hook)).expect(201);
    const { data } = await browser.get('/v1/audit_log?action=destination.registered');
    expect(data).toMatchObject([{ actor: { type: 'member', id, name: 'Grace' } }]);
    const owner = await signInOwner(tenantId);
    (await owner.post('/v1/destinations', hook)).expect(201);
    const actors = (await owner.get('/v1/audit_log?action=destination.registered')).data.map(
      ({ actor }) => (actor as Json)['name'],
    );
    // A person who signed in by a one-time link has no account and so no name.
    expect(actors).toEqual(['owner', 'Grace']);
  });

  it('can give and take no rights in an environment in which they have none', async () => {
    const { id: tenantId } = await service.tenant();
    const other = await join(tenantId, { email: 'both@example.com', role: 'viewer' });
    const links = `/operator/v1/tenants/${tenantId}/dashboard_links`;
    const link = { role: 'owner', expires_in: 600, environments: ['test'] };
    const { url } = (await service.operator.post(links, link)).created;
    const guest = service.browser;
    await guest.openLink(url as string);
    const portal = guest.openTenant(tenantId);

    const invite = (environments?: string[]) =>
      portal.post('/console/v1/invitations', {
        email: 'mallory@example.com',
        role: 'admin',
        ...(environments === undefined ? {} : { environments }),
      });
    const refused = [403, 'role_not_allowed'];
    for (const environments of [['live', 'test'], ['live']])
      expect((await invite(environments)).refusal.slice(0, 2)).toEqual(refused);
    expect((await invite()).created).toMatchObject({ environments: ['test'] });
    const member = `/console/v1/members/${other.id}`;
    for (const answer of [
      await portal.patch(member, { role: 'admin' }),
      await portal.patch(member, { environments: ['test'] }),
      await portal.delete(member),
    ])
      expect(answer.refusal.slice(0, 2)).toEqual(refused);
  });

  it('are named in the audit log as objects too, also after they were removed', async () => {
    const { id: tenantId } = await service.tenant();
    const { id } = await join(tenantId, { email: 'gone@example.com', role: 'viewer' });
    const owner = await signInOwner(tenantId);
    expect((await owner.delete(`/console/v1/members/${id}`)).status).toBe(204);
    const removals = await until('the removal', async () => {
      const { data } = await owner.get('/v1/audit_log?action=member.removed');
      return data.length > 0 ? data : null;
    });
    expect(removals).toMatchObject([{ object: { type: 'member', id, name: 'Grace' } }]);
  });

  it('are listed with the role of each session in the tenant', async () => {
    const { id: tenantId } = await service.tenant();
    await join(tenantId, { email: 'listed@example.com', role: 'viewer' });
    const owner = await signInOwner(tenantId);
    const { data } = await owner.get('/console/v1/sessions');
    const roles = data.map(({ role, person }) => [role, (person as Json)['name']]);
    expect(roles).toEqual(
      expect.arrayContaining([
        ['owner', null],
        ['viewer', 'Grace'],
      ]),
    );
  });

  it('lose their sessions when their role changes, and when they are removed', async () => {
    const { id } = await service.tenant();
    const owner = await signInOwner(id);
    const member = await join(id, { email: 'ends@example.com', role: 'developer' });
    const path = `/console/v1/members/${member.id}`;
    expect((await owner.patch(path, { role: 'viewer' })).ok['role']).toBe('viewer');
    expect((await member.browser.get('/v1/events')).refusal[1]).toBe('session_invalid');
    const signIn = { email: 'ends@example.com', password: PASSWORD };
    expect((await member.browser.post('/console/v1/session', signIn)).status).toBe(200);
    expect((await owner.delete(path)).status).toBe(204);
    expect((await member.browser.get('/v1/events')).refusal[1]).toBe('session_invalid');
  });

  it('keep at least one owner', async () => {
    const { id } = await service.tenant();
    const only = await join(id, { email: 'only@example.com', role: 'owner' });
    const path = `/console/v1/members/${only.id}`;
    expect((await only.browser.delete(path)).refusal[1]).toBe('last_owner');
    expect((await only.browser.patch(path, { role: 'viewer' })).refusal[1]).toBe('last_owner');
    const oneOnly = await only.browser.patch(path, { environments: ['test'] });
    expect(oneOnly.refusal[1]).toBe('last_owner');
    const none = await only.browser.patch(path, { environments: [] });
    expect(none.refusal.slice(0, 2)).toEqual([400, 'parameter_invalid']);
    await join(id, { email: 'second@example.com', role: 'owner' });
    expect((await only.browser.delete(path)).status).toBe(204);
  });

  it('cannot raise their own role', async () => {
    const { id } = await service.tenant();
    const admin = await join(id, { email: 'admin@example.com', role: 'admin' });
    const owner = { email: 'x@example.com', role: 'owner' };
    const made = await admin.browser.post('/console/v1/invitations', owner);
    expect(made.refusal[1]).toBe('role_not_allowed');
    const path = `/console/v1/members/${admin.id}`;
    const raised = await admin.browser.patch(path, { role: 'owner' });
    expect(raised.refusal[1]).toBe('role_not_allowed');
  });

  it('of another tenant cannot be changed', async () => {
    const [mine, other] = [await service.tenant(), await service.tenant()];
    const stranger = await join(other.id, { email: 'stranger@example.com', role: 'viewer' });
    const owner = await signInOwner(mine.id);
    const path = `/console/v1/members/${stranger.id}`;
    expect((await owner.delete(path)).status).toBe(404);
  });
});

/** Returns how many sign-ins with a password the service has refused, by its own metrics. */
const countRefusedPasswords = async (): Promise<number> => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const line = /^subscription_service_sign_ins_total\{way="password",outcome="refused"\} (\d+)$/m;
  return Number(line.exec(metrics)?.[1] ?? 0);
};

describe('passwords', () => {
  it('are refused after five wrong attempts, even if correct, and every refusal is counted', async () => {
    const refusedBefore = await countRefusedPasswords();
    const { id } = await service.tenant();
    await join(id, { email: 'guessed@example.com', role: 'viewer' });
    const { browser } = service;
    const wrong = { email: 'guessed@example.com', password: 'wrong' };
    for (let i = 0; i < 5; i += 1) {
      expect((await browser.post('/console/v1/session', wrong)).refusal[1]).toBe('sign_in_failed');
    }
    const right = { ...wrong, password: PASSWORD };
    expect((await browser.post('/console/v1/session', right)).refusal[1]).toBe('rate_limited');
    expect((await countRefusedPasswords()) - refusedBefore).toBe(6);
  });
});

describe('API keys of a tenant', () => {
  it('are created, rotated and revoked by a developer, within the scopes of the role', async () => {
    const { id } = await service.tenant();
    const developer = await service.signedIn({ tenant_id: id, role: 'developer' });
    const made = await developer.post('/console/v1/api_keys', { environment: 'test', name: 'ci' });
    const { key, id: keyId } = made.created;
    expect((await service.createApi(key as string).get('/v1/subscribers')).status).toBe(200);
    const path = `/console/v1/api_keys/${String(keyId)}`;
    expect((await developer.post(`${path}/rotate`, { overlap_hours: 1 })).status).toBe(201);
    expect((await developer.delete(path)).ok['revoked_at']).not.toBeNull();
    const full = { environment: 'live', name: 'all', scopes: ['subscribers:write'] };
    expect((await developer.post('/console/v1/api_keys', full)).refusal).toEqual([
      403,
      'insufficient_scope',
      'scopes',
    ]);
    const support = await service.signedIn({ tenant_id: id, role: 'support' });
    expect((await support.get('/console/v1/api_keys')).refusal[1]).toBe('role_not_allowed');
  });
});

describe('refunds by the role support', () => {
  it('are made up to the limit of the tenant, and by an owner beyond it', async () => {
    const { id, api } = await service.tenant();
    const path = `/operator/v1/tenants/${id}`;
    (await service.operator.patch(path, { settings: { support_refund_limit: 500 } })).expect(200);
    const plan = { name: 'Basic', amount: 2_000, currency: 'USD', interval: 'month' };
    (await api.put('/v1/plans/basic', plan)).expect(200);
    const subscriber = (await api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const start = {
      subscriber_id: subscriber['id'],
      plan: 'basic',
      payment_method: 'pm_test_ok',
    };
    (await api.post('/v1/subscriptions', start)).expect(201);
    const list = `/v1/payments?subscriber_id=${String(subscriber['id'])}`;
    const [payment] = (await api.get(list)).data;
    const refunds = `/v1/payments/${String(payment?.['id'])}/refunds`;
    const support = await service.signedIn({ tenant_id: id, role: 'support' });
    const refund = (amount?: number) => ({
      reason: 'other',
      ...(amount === undefined ? {} : { amount }),
    });
    const postForRefusal = async (body: Json): Promise<unknown[]> =>
      (await support.post(refunds, body)).refusal;
    expect((await postForRefusal(refund(501))).slice(0, 2)).toEqual([403, 'refund_limit_exceeded']);
    expect((await postForRefusal(refund()))[1]).toBe('refund_limit_exceeded');
    expect((await support.post(refunds, refund(500))).status).toBe(201);
    const owner = await signInOwner(id);
    expect((await owner.post(refunds, refund(501))).status).toBe(201);
  });
});

describe('settings of a tenant', () => {
  it('can be changed by admins, except quotas', async () => {
    const { id } = await service.tenant();
    const admin = await service.signedIn({ tenant_id: id, role: 'admin' });
    const changed = await admin.patch('/console/v1/settings', {
      settings: { support_refund_limit: 500 },
    });
    expect(changed.ok['settings']).toMatchObject({ support_refund_limit: 500 });
    const quota = await admin.patch('/console/v1/settings', { settings: { max_plans: 1 } });
    expect(quota.refusal[1]).toBe('parameter_unknown');
    const viewer = await service.signedIn({ tenant_id: id, role: 'viewer' });
    const refused = await viewer.patch('/console/v1/settings', { name: 'Mine' });
    expect(refused.refusal[1]).toBe('role_not_allowed');
  });
});
