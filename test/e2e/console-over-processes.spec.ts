import { Api } from '../support/api';
import { Cluster, describeWithPostgres } from '../support/cluster';
import { ConsoleBrowser } from '../support/console-browser';
import type { Service } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const PASSWORD = 'correct horse battery staple';
/** Directories follow the log, so the other process knows a change within this time. */
const KNOWN_WITHIN_MS = 1_000;

describeWithPostgres('the console over two processes', () => {
  let cluster: Cluster;
  let first: Service;
  let second: Service;
  let tenantId: string;
  let owner: ConsoleBrowser;

  beforeAll(async () => {
    cluster = await Cluster.start();
    first = await cluster.join();
    second = await cluster.join();
    const operator = first.createOperatorApi(cluster.operatorToken);
    tenantId = String(
      (await operator.post('/operator/v1/tenants', { name: 'Acme' })).created['id'],
    );
    owner = (await signInAs('owner')).openTenant(tenantId);
  });

  afterAll(() => cluster.dispose());

  const linkOf = async (role: string): Promise<string> => {
    const operator = first.createOperatorApi(cluster.operatorToken);
    const body = { tenant_id: tenantId, role };
    return String((await operator.post('/operator/v1/console_links', body)).created['url']);
  };

  const signInAs = async (role: string): Promise<ConsoleBrowser> => {
    const { browser } = first;
    await browser.openLink(await linkOf(role));
    return browser;
  };

  /** Invites somebody, who joins in a browser that asks the second process. */
  const join = async (email: string, role: string): Promise<{ id: string; at: ConsoleBrowser }> => {
    const { link } = (await owner.post('/console/v1/invitations', { email, role })).created;
    const body = { token: new URL(String(link)).hash.slice(1), name: 'Grace', password: PASSWORD };
    const at = new ConsoleBrowser(new Api(() => second.url, null)).openTenant(tenantId);
    const session = await until('the invitation in the other process', async () => {
      const answer = await at.post('/console/v1/invitations/accept', body);
      return answer.status === 200 ? answer.ok : undefined;
    });
    return { id: String((session['person'] as Json)['id']), at };
  };

  /** Milliseconds until a member's requests to the other process are refused. */
  const measureMsUntilRefused = async (at: ConsoleBrowser): Promise<number> => {
    const startedAt = performance.now();
    await until('the end of the session', async () => {
      const { status, refusal } = await at.get('/console/v1/session');
      return status === 401 ? refusal : undefined;
    });
    return performance.now() - startedAt;
  };

  it('ends the sessions of a member in both within a second of a change or a removal', async () => {
    const changed = await join('changed@example.com', 'developer');
    await until('the member in the first process', async () => {
      const { data } = await owner.get('/console/v1/members');
      return data.find(({ id }) => id === changed.id);
    });
    const path = `/console/v1/members/${changed.id}`;
    (await owner.patch(path, { role: 'viewer' })).expect(200);
    expect(await measureMsUntilRefused(changed.at)).toBeLessThan(KNOWN_WITHIN_MS);

    const signIn = { email: 'changed@example.com', password: PASSWORD };
    (await changed.at.post('/console/v1/session', signIn)).expect(200);
    (await owner.delete(path)).expect(204);
    expect(await measureMsUntilRefused(changed.at)).toBeLessThan(KNOWN_WITHIN_MS);
  });

  it('counts the attempts of a password over both', async () => {
    const { at } = await join('guessed@example.com', 'viewer');
    const wrong = { email: 'guessed@example.com', password: 'wrong' };
    await until('the account in the first process', async () => {
      const members = (await owner.get('/console/v1/members')).data;
      return JSON.stringify(members).includes(wrong.email);
    });
    const browsers = [first.browser, at];
    const codes: unknown[] = [];
    for (let i = 0; i < 6; i += 1) {
      codes.push((await browsers[i % 2]!.post('/console/v1/session', wrong)).refusal[1]);
    }
    expect(codes).toEqual([...Array<string>(5).fill('sign_in_failed'), 'rate_limited']);
  });

  it('spends a one-time link once', async () => {
    const link = await linkOf('viewer');
    const spend = (service: Service) =>
      new ConsoleBrowser(new Api(() => service.url, null)).openLink(link);
    const answers = await Promise.all([first, second, first, second].map(spend));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
  });

  it('keeps the last owner when two owners leave at the same time', async () => {
    const [one, other] = [
      await join('one@example.com', 'owner'),
      await join('other@example.com', 'owner'),
    ];
    await until('both in the first process', async () => {
      const ids = (await owner.get('/console/v1/members')).data.map(({ id }) => id);
      return ids.includes(one.id) && ids.includes(other.id);
    });
    const answers = await Promise.all([
      one.at.delete(`/console/v1/members/${one.id}`),
      owner.delete(`/console/v1/members/${other.id}`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const roles = (await owner.get('/console/v1/members')).data.map(({ role }) => role);
    expect(roles).toContain('owner');
  });
});
