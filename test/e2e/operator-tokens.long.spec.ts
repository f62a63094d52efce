import type { Api } from '../support/api';
import { runCli } from '../support/cli';
import type { ConsoleBrowser } from '../support/console-browser';
import { Service } from '../support/service';
import { until } from '../support/until';

const PATH = '/operator/v1/operator_tokens';

describe('named operator tokens', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start({ env: { RATE_LIMIT_FAILED_CREDENTIALS: '40' } });
  });

  afterAll(() => service.dispose());

  const create = async (name: string, more: object = {}): Promise<Record<string, unknown>> =>
    (await service.operator.post(PATH, { name, ...more })).created;

  const readCode = async (token: unknown): Promise<unknown> => {
    const answer = await service.createApi(String(token)).get('/operator/v1/tenants');
    return answer.status === 200 ? 200 : answer.refusal[1];
  };

  it('open the operator API, and the audit log names their user', async () => {
    const { id, token } = await create('ada');
    const made = await service
      .createApi(String(token))
      .post('/operator/v1/tenants', { name: 'Acme' });
    const object = String(made.created['id']);
    const items = await until('the audit item', async () => {
      const { data } = await service.operator.get(`/operator/v1/audit_log?object=${object}`);
      return data.length > 0 ? data : null;
    });
    expect(items[0]).toMatchObject({ actor: { type: 'operator', id, name: 'ada' } });
    const { data } = await service.operator.get(`/operator/v1/audit_log?object=${String(id)}`);
    expect(data).toMatchObject([
      { action: 'operator_token.created', object: { type: 'operator_token', id } },
    ]);
  });

  it('are shown once and listed without their secret', async () => {
    const { id, token } = await create('shown once');
    expect(token).toMatch(/^opt_[0-9a-z]{16}_[0-9A-Za-z]{43}$/);
    const list = await service.operator.get(PATH);
    const listed = list.data.find((each) => each['id'] === id);
    expect(listed).toEqual({
      id,
      name: 'shown once',
      last4: String(token).slice(-4),
      created_at: expect.any(String) as string,
      expires_at: null,
      revoked_at: null,
    });
    expect(JSON.stringify(list.ok)).not.toContain(String(token).slice(-43));
  });

  it('expire at their time and become invalid when they are revoked', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    const short = await create('short', { expires_at: soon });
    expect(await readCode(short['token'])).toBe(200);
    await until('the expiry', async () => (await readCode(short['token'])) === 'api_key_expired');
    const long = await create('long');
    (await service.operator.delete(`${PATH}/${String(long['id'])}`)).expect(200);
    expect(await readCode(long['token'])).toBe('api_key_revoked');
    const past = await service.operator.post(PATH, { name: 'past', expires_at: '2020-01-01' });
    expect(past.refusal).toEqual([400, 'parameter_invalid', 'expires_at']);
  });

  it('work beside their successor until the overlap ends', async () => {
    const first = await create('rotated');
    const path = `${PATH}/${String(first['id'])}/rotate`;
    const second = (await service.operator.post(path, { overlap_hours: 1 })).created;
    expect(second['name']).toBe('rotated');
    expect([await readCode(first['token']), await readCode(second['token'])]).toEqual([200, 200]);
    const next = `${PATH}/${String(second['id'])}/rotate`;
    const third = (await service.operator.post(next, { overlap_hours: 0 })).created;
    expect([await readCode(second['token']), await readCode(third['token'])]).toEqual([
      'api_key_expired',
      200,
    ]);
    const again = await service.operator.post(next, {});
    expect(again.refusal.slice(0, 2)).toEqual([409, 'invalid_state_transition']);
  });

  it('are managed by the root token only, so that a token cannot extend its own life', async () => {
    const { id, token } = await create('narrow');
    const api = service.createApi(String(token));
    const answers = [
      await api.post(PATH, { name: 'another' }),
      await api.post(`${PATH}/${String(id)}/rotate`, {}),
      await api.delete(`${PATH}/${String(id)}`),
    ];
    const refused = [403, 'insufficient_scope'];
    expect(answers.map(({ refusal }) => refusal.slice(0, 2))).toEqual([refused, refused, refused]);
    (await api.get(PATH)).expect(200);
  });

  describe('in the console', () => {
    const LINKS = '/operator/v1/console_links';
    const readStatus = async (browser: ConsoleBrowser): Promise<number> =>
      (await browser.get('/console/v1/session')).status;

    /** Opens a session with a link that the token made, and a second one with a link of the first. */
    const openSessions = async (api: Api) => {
      const makeLink = async (from: Pick<Api, 'post'> | ConsoleBrowser) =>
        String((await from.post(LINKS, {})).created['url']);
      const [first, second] = [service.browser, service.browser];
      await first.openLink(await makeLink(api));
      await second.openLink(await makeLink(first));
      const unspent = await makeLink(first);
      const readStatuses = async () => [await readStatus(first), await readStatus(second)];
      expect(await readStatuses()).toEqual([200, 200]);
      return { readStatuses, openUnspent: () => service.browser.openLink(unspent) };
    };

    it('leave no way in once they are revoked, also by a link that a session made', async () => {
      const { id, token } = await create('lost');
      const { id: tenant_id } = await service.tenant();
      const api = service.createApi(String(token));
      const { readStatuses, openUnspent } = await openSessions(api);
      const dashboard = service.browser;
      const grant = { tenant_id, role: 'owner' };
      await dashboard.openLink(String((await api.post(LINKS, grant)).created['url']));
      expect(await readStatus(dashboard)).toBe(200);
      (await service.operator.delete(`${PATH}/${String(id)}`)).expect(200);
      expect(await readStatuses()).toEqual([401, 401]);
      expect((await openUnspent()).refusal.slice(0, 2)).toEqual([410, 'link_spent']);
      expect(await readStatus(dashboard)).toBe(401);
    });

    it('end the sessions of operators when they expire, but not the dashboard of a tenant', async () => {
      const expires_at = new Date(Date.now() + 4_000).toISOString();
      const { token } = await create('short', { expires_at });
      const { id: tenant_id } = await service.tenant();
      const api = service.createApi(String(token));
      const { readStatuses } = await openSessions(api);
      const dashboard = service.browser;
      const grant = { tenant_id, role: 'owner' };
      await dashboard.openLink(String((await api.post(LINKS, grant)).created['url']));
      await until('the token has expired', async () => (await readCode(token)) !== 200);
      expect(await readStatuses()).toEqual([401, 401]);
      expect(await readStatus(dashboard)).toBe(200);
    });
  });

  it('do not open the API of tenants, and keys do not open the operator API', async () => {
    const { token } = await create('other kind');
    const answer = await service.createApi(String(token)).get('/v1/events');
    expect(answer.refusal.slice(0, 2)).toEqual([401, 'api_key_invalid']);
    const tenant = await service.tenant();
    expect((await tenant.api.get(PATH)).refusal.slice(0, 2)).toEqual([401, 'api_key_invalid']);
  });

  it('show their secret again only to the actor that made the request', async () => {
    const root = { 'idempotency-key': 'one token' };
    const first = await service.operator.post(PATH, { name: 'repeated' }, root);
    const repeated = await service.operator.post(PATH, { name: 'repeated' }, root);
    expect(repeated.created['token']).toBe(first.created['token']);
    const { data } = await service.operator.get(PATH);
    expect(data.filter(({ name }) => name === 'repeated')).toHaveLength(1);
  });

  it('can be created, listed, rotated and revoked by commands', async () => {
    const made = await runCli(service, ['operator-token', 'create', '--name', 'cli', '--json']);
    const { id, token } = JSON.parse(made.stdout) as { id: string; token: string };
    expect(await readCode(token)).toBe(200);
    expect((await runCli(service, ['operator-token', 'list'])).stdout).toContain(id);
    const rotated = await runCli(service, ['operator-token', 'rotate', id, '--json']);
    expect(JSON.parse(rotated.stdout)).toMatchObject({ name: 'cli' });
    expect((await runCli(service, ['operator-token', 'revoke', id])).code).toBe(0);
    expect(await readCode(token)).toBe('api_key_revoked');
  });

  it('are kept over a restart, as hashes', async () => {
    const { token } = await create('kept');
    await service.stop();
    await service.run();
    expect(await readCode(token)).toBe(200);
  });

  it('are rate-limited per token id if the secret is wrong', async () => {
    const { token } = await create('guessed at');
    const wrong = `${String(token).slice(0, -4)}0000`;
    const codes = [];
    for (let at = 0; at < 12; at += 1) codes.push(await readCode(wrong));
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('api_key_invalid'));
    expect(codes.at(-1)).toBe('rate_limited');
    expect(await readCode(token)).toBe(200);
  });
});
