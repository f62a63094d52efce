import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Service } from '../support/service';

type Json = Record<string, unknown>;

let service: Service;
let provider: ChildProcess;
let issuer: string;

/** Sends the provider the addresses that are known only after the service has started. */
const configureProvider = async (what: 'client' | 'person', body: Json): Promise<void> => {
  const answer = await fetch(`${issuer}/${what}`, { method: 'PUT', body: JSON.stringify(body) });
  await answer.arrayBuffer();
};

beforeAll(async () => {
  provider = spawn(process.execPath, [join(__dirname, '../support/oidc-provider.mjs')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(provider.stdout!, 'data')) as [Buffer];
  issuer = line.toString().trim();
  service = await Service.start({
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'console',
      OIDC_CLIENT_SECRET: 'a secret of the console',
      OIDC_ALLOWED_DOMAINS: 'example.com, example.org',
      OIDC_ROLE_CLAIM: 'roles',
    },
  });
  await configureProvider('client', { redirect_uri: `${service.url}/console/v1/oidc/callback` });
}, 120_000);

afterAll(async () => {
  provider.kill();
  await service.dispose();
});

/** A browser that keeps the cookies of each address and follows redirects. */
class Browser {
  private readonly jar = new Map<string, Map<string, string>>();

  async get(url: string): Promise<Response> {
    const { host } = new URL(url);
    const cookies = this.jar.get(host) ?? new Map<string, string>();
    this.jar.set(host, cookies);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s);
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  /** Follows redirects until a page of the console. Returns its path and query. */
  async follow(start: string): Promise<string> {
    let url = start;
    for (let hops = 0; hops < 15; hops += 1) {
      const response = await this.get(url);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${url} answered ${response.status}`);
      url = new URL(location, url).href;
      const { origin, pathname, search } = new URL(url);
      if (origin === service.url && !pathname.startsWith('/console/v1/')) return pathname + search;
    }
    throw new Error('led in circles');
  }

  async readSession(): Promise<Json> {
    const response = await this.get(`${service.url}/console/v1/session`);
    return (await response.json()) as Json;
  }
}

const start = (returnTo = '/console/'): string =>
  `${service.url}/console/v1/oidc/start?return_to=${encodeURIComponent(returnTo)}`;

const signIn = async (
  person: Json,
  returnTo?: string,
): Promise<{ browser: Browser; page: string }> => {
  await configureProvider('person', person);
  const browser = new Browser();
  return { browser, page: await browser.follow(start(returnTo)) };
};

const buildAda = (roles: readonly string[]): Json => ({
  sub: 'ada',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada Lovelace',
  roles,
});

describe('sign-in with an identity provider', () => {
  it('is offered under the name of the provider', async () => {
    const options = (await service.browser.get('/console/v1/sign_in_options')).ok;
    expect(options['oidc']).toEqual({ name: new URL(issuer).host });
  });

  it('gives the roles of the claim, and revokes them with their sessions', async () => {
    const { id } = await service.tenant();
    const { browser, page } = await signIn(
      buildAda([`${id}:developer`, 'staff']),
      '/console/events',
    );
    expect(page).toBe('/console/events');
    const session = await browser.readSession();
    expect(session).toMatchObject({
      person: { email: 'ada@example.com', name: 'Ada Lovelace' },
      operator: null,
      memberships: [{ tenant: { id }, role: 'developer' }],
    });
    const next = await signIn(buildAda(['operator_viewer']));
    expect(await next.browser.readSession()).toMatchObject({
      memberships: [],
      operator: { role: 'operator_viewer' },
    });
    expect(await browser.readSession()).toMatchObject({ error: { code: 'session_invalid' } });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/sign_ins_total\{way="oidc",outcome="ok"\} [1-9]/);
  });

  it('accepts an invitation to the verified address, and keeps its role at the next sign-in', async () => {
    const { id } = await service.tenant();
    const owner = await service.signedIn({ tenant_id: id, role: 'owner' });
    const invitation = { email: 'grace@example.org', role: 'support' };
    (await owner.post('/console/v1/invitations', invitation)).expect(201);
    const grace = { sub: 'grace', email: 'Grace@example.org', email_verified: true };
    for (let times = 0; times < 2; times += 1) {
      const { browser } = await signIn(grace);
      expect(await browser.readSession()).toMatchObject({
        memberships: [{ tenant: { id }, role: 'support' }],
      });
    }
  });

  it.each([
    [
      'of an unknown domain',
      { email: 'eve@evil.example', email_verified: true },
      'domain_not_allowed',
    ],
    [
      'of a domain that only ends alike',
      { email: 'eve@notexample.com', email_verified: true },
      'domain_not_allowed',
    ],
    [
      'that is not verified',
      { email: 'eve@example.com', email_verified: false },
      'email_not_verified',
    ],
    ['that is missing', {}, 'email_not_verified'],
  ])('refuses an address %s', async (_, claims, reason) => {
    const { browser, page } = await signIn({
      sub: `eve ${reason}`,
      ...claims,
      roles: ['operator'],
    });
    expect(page).toBe(`/console/sign-in?error=${reason}`);
    expect(await browser.readSession()).toMatchObject({ error: { code: 'session_invalid' } });
  });

  it('can be completed only once, in the browser that started it', async () => {
    await configureProvider('person', buildAda([]));
    const browser = new Browser();
    const callback = `${service.url}/console/v1/oidc/callback`;
    const victim = new Browser();
    expect(await victim.follow(`${callback}?code=stolen&state=stolen`)).toBe(
      '/console/sign-in?error=expired',
    );
    const begun = await browser.get(start());
    expect(begun.status).toBe(302);
    const asked = new URL(begun.headers.get('location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('nonce')).not.toBeNull();
    expect(await browser.follow(`${callback}?code=stolen&state=other`)).toBe(
      '/console/sign-in?error=failed',
    );
    expect(
      await browser.follow(`${callback}?code=stolen&state=${String(asked.get('state'))}`),
    ).toBe('/console/sign-in?error=expired');
  });

  it.each(['//evil.example/', 'https://evil.example/', '/console/../..//evil.example'])(
    'redirects only into the console, never to %s',
    async (returnTo) => {
      const { page } = await signIn(buildAda([]), returnTo);
      expect(page).toBe('/console/');
    },
  );
});
