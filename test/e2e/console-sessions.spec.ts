import type { ConsoleBrowser } from '../support/console-browser';
import { RunningService } from '../support/service';

type Json = Record<string, unknown>;

let service: RunningService;

beforeAll(async () => {
  service = await RunningService.shared();
}, 60_000);

const linkOf = async (body: Json): Promise<string> =>
  (await service.operator.post('/operator/v1/console_links', body)).created['url'] as string;

describe('one-time links', () => {
  it('sign in once, and are refused the second time', async () => {
    const url = await linkOf({});
    const { browser } = service;
    const session = (await browser.openLink(url)).ok;
    expect(session).toMatchObject({
      person: { id: null, email: null },
      operator: { role: 'operator' },
      memberships: [],
    });
    expect((await browser.get('/console/v1/session')).ok['operator']).toEqual({ role: 'operator' });
    expect((await service.browser.openLink(url)).refusal).toEqual([410, 'link_spent', null]);
  });

  it('are not used up when their page is only read', async () => {
    const url = await linkOf({});
    for (const method of ['GET', 'HEAD']) {
      const page = await fetch(url, { method });
      expect(page.status).toBe(200);
      const spend = await fetch(`${service.url}/console/v1/session/link`, { method });
      expect(spend.status).toBe(405);
    }
    expect((await service.browser.openLink(url)).status).toBe(200);
  });

  it('open the dashboard of one tenant with one role', async () => {
    const { id } = await service.tenant();
    const viewer = await service.signedIn({ tenant_id: id, role: 'viewer' });
    const [membership] = (await viewer.get('/console/v1/session')).ok['memberships'] as Json[];
    expect(membership).toMatchObject({ role: 'viewer', tenant: { id, name: 'Acme Magazine' } });
    expect((await viewer.get('/v1/subscribers')).status).toBe(200);
    expect((await viewer.post('/v1/subscribers', { email: 'a@example.com' })).refusal).toEqual([
      403,
      'insufficient_scope',
      null,
    ]);
    expect((await viewer.get('/operator/v1/tenants')).refusal[1]).toBe('role_not_allowed');
  });

  it('never reach another tenant', async () => {
    const [mine, other] = [await service.tenant(), await service.tenant()];
    const owner = await service.signedIn({ tenant_id: mine.id, role: 'owner' });
    const elsewhere = owner.openTenant(other.id);
    expect((await elsewhere.get('/v1/subscribers')).refusal[1]).toBe('role_not_allowed');
  });

  it('of operators are listed for operators, and ended by them', async () => {
    const { id } = await service.tenant();
    const own = await service.signedIn({ role: 'operator_viewer' });
    const lost = await service.signedIn({ role: 'operator' });
    const owner = await service.signedIn({ tenant_id: id, role: 'owner' });
    const readSessionId = async (browser: ConsoleBrowser): Promise<unknown> =>
      (await browser.get('/console/v1/session')).ok['session_id'];
    const [ownId, lostId, ownerId] = [
      await readSessionId(own),
      await readSessionId(lost),
      await readSessionId(owner),
    ];
    const listed = (await own.get('/operator/v1/sessions')).data;
    expect(listed).toContainEqual(
      expect.objectContaining({ id: ownId, operator: 'operator_viewer', current: true }),
    );
    expect(listed).toContainEqual(
      expect.objectContaining({ id: lostId, operator: 'operator', current: false }),
    );
    expect(listed.map((session) => session['id'])).not.toContain(ownerId);
    const first = (await service.operator.get('/operator/v1/sessions?limit=1')).ok;
    expect([(first['data'] as unknown[]).length, first['has_more']]).toEqual([1, true]);

    const path = `/operator/v1/sessions/${String(lostId)}`;
    expect((await own.delete(path)).refusal[1]).toBe('role_not_allowed');
    expect((await owner.delete(path)).status).toBe(403);
    (await service.operator.delete(path)).expect(204);
    expect((await lost.get('/operator/v1/tenants')).refusal[1]).toBe('session_invalid');
    for (const unknown of [lostId, ownerId, 'ses_0']) {
      const answer = await service.operator.delete(`/operator/v1/sessions/${String(unknown)}`);
      expect(answer.refusal.slice(0, 2)).toEqual([404, 'resource_not_found']);
    }
  });

  it('open a dashboard beside the session of the operator who made the link', async () => {
    const { id } = await service.tenant();
    const operator = await service.signedIn({ role: 'operator' });
    const before = (await operator.get('/console/v1/session')).ok;
    const opened = (await operator.openLink(await linkOf({ tenant_id: id, role: 'viewer' }))).ok;
    expect(opened).toMatchObject({
      session_id: before['session_id'],
      operator: { role: 'operator' },
      memberships: [{ tenant: { id }, role: 'viewer' }],
    });
    expect((await operator.get('/console/v1/session')).ok).toMatchObject(opened);
    expect((await operator.get('/operator/v1/tenants')).status).toBe(200);
    const dashboard = operator.openTenant(id);
    expect((await dashboard.get('/v1/events')).status).toBe(200);
    expect((await dashboard.post('/v1/subscribers', { email: 'a@example.com' })).status).toBe(403);
    const cookie = operator.cookies;
    expect((await operator.delete('/console/v1/session')).status).toBe(204);
    for (const path of ['/console/v1/session', '/operator/v1/tenants']) {
      expect((await service.browser.get(path, { cookie })).refusal[1]).toBe('session_invalid');
    }
  });

  it('give a platform a dashboard with its own expiry', async () => {
    const { id } = await service.tenant();
    const path = `/operator/v1/tenants/${id}/dashboard_links`;
    const made = await service.operator.post(path, {
      role: 'developer',
      environments: ['test'],
      expires_in: 120,
    });
    const browser = service.browser.openTenant(id);
    const session = (await browser.openLink(made.created['url'] as string)).ok;
    expect(Date.parse(session['expires_at'] as string) - Date.now()).toBeLessThan(121_000);
    expect((await browser.get('/v1/events')).status).toBe(200);
    const live = browser.openTenant(id, 'live');
    expect((await live.get('/v1/events')).refusal[1]).toBe('role_not_allowed');
  });

  it('have the address to which the dashboard links back, over HTTPS only', async () => {
    const { id } = await service.tenant();
    const make = (more: object): ReturnType<typeof service.operator.post> =>
      service.operator.post(`/operator/v1/tenants/${id}/dashboard_links`, {
        role: 'developer',
        expires_in: 120,
        ...more,
      });
    const readReturnUrl = async (more: object): Promise<unknown> => {
      const link = (await make(more)).created['url'] as string;
      const session = (await service.browser.openLink(link)).ok;
      const [membership] = session['memberships'] as Record<string, unknown>[];
      return membership?.['return_url'];
    };
    const page = 'https://app.example.com/settings?tab=webhooks';
    expect(await readReturnUrl({ return_url: page })).toBe(page);
    expect(await readReturnUrl({})).toBeNull();
    for (const other of ['javascript:alert(1)', 'http://app.example.com', '/settings']) {
      expect((await make({ return_url: other })).status).toBe(400);
    }
  });
});

describe('sessions', () => {
  it('end for everybody with the cookie when the person signs out', async () => {
    const operator = await service.signedIn({ role: 'operator' });
    const cookie = operator.cookies;
    expect((await operator.delete('/console/v1/session')).status).toBe(204);
    const stolen = await service.browser.get('/console/v1/session', { cookie });
    expect(stolen.refusal).toEqual([401, 'session_invalid', null]);
  });

  it('cannot be taken over by guessing', async () => {
    const cookie = `session=${'A'.repeat(43)}`;
    const guess = await service.browser.get('/console/v1/session', { cookie });
    expect(guess.refusal[1]).toBe('session_invalid');
  });

  it('let a read-only operator read and change nothing', async () => {
    const viewer = await service.signedIn({ role: 'operator_viewer' });
    expect((await viewer.get('/operator/v1/tenants')).status).toBe(200);
    const change = await viewer.post('/operator/v1/tenants', { name: 'Other' });
    expect(change.refusal).toEqual([403, 'role_not_allowed', null]);
  });

  it('make changes as the dashboard, which the audit log shows', async () => {
    const { id, api } = await service.tenant();
    const owner = await service.signedIn({ tenant_id: id, role: 'owner' });
    const made = await owner.post('/v1/subscribers', { email: 'ada@example.com' });
    const [event] = (await api.get(`/v1/events?subscriber_id=${String(made.created['id'])}`)).data;
    expect(event).toMatchObject({ data: { actor: 'dashboard' } });
    const entries = (await api.get('/v1/audit_log')).data;
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'subscriber.created',
        actor: expect.objectContaining({ type: 'member', name: 'owner' }) as unknown,
      }),
    );
  });
});

describe('requests of another site', () => {
  it.each([
    ['a form', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a neighbouring host', { 'sec-fetch-site': 'same-site' }],
    ['an empty header', { 'sec-fetch-site': '' }],
  ])('change nothing: %s', async (_title, headers) => {
    const { id } = await service.tenant();
    const owner = await service.signedIn({ tenant_id: id, role: 'owner' });
    const body = { email: 'ada@example.com' };
    const made = await owner.post('/v1/subscribers', body, headers);
    expect(made.refusal).toEqual([403, 'cross_site_request', null]);
    const signIn = { email: 'ada@example.com', password: 'whatever it is' };
    const given = await service.browser.post('/console/v1/session', signIn, headers);
    expect(given.refusal[1]).toBe('cross_site_request');
  });

  it('are recognised by the origin in browsers that do not send Sec-Fetch-Site', async () => {
    const url = `${service.url}/console/v1/session/link`;
    const { origin } = new URL(url);
    const send = async (headers: Record<string, string>): Promise<number> => {
      const body = JSON.stringify({ token: 'x'.repeat(43) });
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
      return (await fetch(url, { ...init, body })).status;
    };
    const spent = 410;
    expect(await send({ origin })).toBe(spent);
    expect(await send({ origin: 'https://evil.example' })).toBe(403);
    expect(await send({ origin: origin.replace('http:', 'https:') })).toBe(403);
    expect(await send({})).toBe(403);
  });
});

describe('files of the console', () => {
  it('serve one page for every path, with a policy that allows no other origin', async () => {
    for (const path of ['/console/', '/console/t/tnt_x/live/destinations']) {
      const page = await fetch(`${service.url}${path}`);
      expect(page.status).toBe(200);
      expect(page.headers.get('cache-control')).toBe('no-cache');
      expect(page.headers.get('content-security-policy')).toContain(
        "require-trusted-types-for 'script'",
      );
      expect(await page.text()).toContain('/console/assets/');
    }
  });

  it('leave the paths of the API alone: 405 for another method, 404 for an unknown path', async () => {
    const read = (path: string) => fetch(`${service.url}/console/v1/${path}`);
    const { status, headers } = await read('password');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect((await read('nothing')).status).toBe(404);
  });

  it('are compressed in advance and cached by browsers', async () => {
    const page = await (await fetch(`${service.url}/console/`)).text();
    const [script = ''] = /\/console\/assets\/[\w-]+\.js/.exec(page) ?? [];
    for (const encoding of ['br', 'gzip']) {
      const asset = await fetch(`${service.url}${script}`, {
        headers: { 'accept-encoding': encoding },
      });
      expect(asset.headers.get('content-encoding')).toBe(encoding);
      expect(asset.headers.get('cache-control')).toContain('immutable');
      expect(asset.headers.get('content-type')).toContain('javascript');
    }
  });

  it('include no file outside the console', async () => {
    const readStatus = async (path: string): Promise<number> =>
      (await fetch(`${service.url}${path}`)).status;
    expect(await readStatus('/console/assets/..%2f..%2fpackage.json')).toBe(400);
    expect(await readStatus('/console/assets/none.js')).toBe(404);
    expect(await readStatus('/console/v1/none')).toBe(404);
  });
});
