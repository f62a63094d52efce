import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCli } from '../support/cli';
import { Receiver } from '../support/receiver';
import { RunningService } from '../support/service';

type Json = Record<string, unknown>;

describe('the command line', () => {
  let service: RunningService;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await RunningService.shared();
    receiver = await Receiver.start();
  });

  afterAll(async () => {
    await receiver.close();
  });

  const runJsonCli = async (...args: string[]): Promise<Json> => {
    const { stdout } = await runCli(service, [...args, '--json']);
    return JSON.parse(stdout) as Json;
  };

  it('sets up a tenant as the README describes', async () => {
    const { id } = await runJsonCli('tenant', 'create', 'Acme Magazine');
    const tenant = id as string;
    const test = ['--environment', 'test'];
    const key = await runJsonCli('key', 'create', tenant, ...test, '--name', 'backend');
    const made = await runJsonCli('destination', 'create', tenant, ...test, '--url', receiver.url);
    expect(made).toMatchObject({ url: receiver.url, type: 'https_webhook', environment: 'test' });
    const shown = await service
      .createApi(key['key'] as string)
      .get(`/v1/destinations/${String(made['id'])}`);
    expect(shown.ok).toMatchObject({ id: made['id'], url: receiver.url, status: 'active' });
  });

  it('calls operations that take no body', async () => {
    const { id } = await runJsonCli('tenant', 'create', 'Beta Magazine');
    const where = ['--environment', 'test', '--url', receiver.url];
    const made = await runJsonCli('destination', 'create', id as string, ...where);
    const names = [id as string, made['id'] as string];
    const rotated = await runJsonCli('destination', 'rotate-secret', ...names);
    expect(rotated['signing_secret']).not.toBe(made['signing_secret']);
    expect(await runJsonCli('destination', 'test', ...names)).toMatchObject({ status_code: 200 });
    expect(await runJsonCli('destination', 'delete', ...names)).toMatchObject({
      status: 'deleted',
    });
    expect(await runJsonCli('destination', 'restore', ...names)).toMatchObject({
      status: 'active',
    });
    expect(await runJsonCli('destination', 'delete', ...names, '--force')).toEqual({});
  });

  it('shows all of a destination, and ends with code 1 if the receiver refuses a test', async () => {
    const { id } = await runJsonCli('tenant', 'create', 'Epsilon Magazine');
    const tenant = id as string;
    const refusing = await Receiver.start();
    refusing.answerStatus(500);
    const where = ['--environment', 'test', '--url', refusing.url];
    const made = await runJsonCli('destination', 'create', tenant, ...where);
    const names = [tenant, made['id'] as string];
    const tested = await runCli(service, ['destination', 'test', ...names]);
    await refusing.close();
    expect([tested.code, tested.stdout]).toEqual([1, expect.stringMatching(/status_code +500/)]);
    const rotated = await runCli(service, ['destination', 'rotate-secret', ...names]);
    expect(rotated.stdout).toContain('Keep the signing secret: it is not shown again.');
    const shown = await runCli(service, ['destination', 'show', ...names]);
    for (const line of [/^environment +test$/m, /^event_types +all$/m, /^ordering +relaxed$/m])
      expect(shown.stdout).toMatch(line);
    expect(shown.stdout).toMatch(/^previous_secret_expires_at +2/m);
    const change = JSON.stringify({ rate_limit_per_second: null });
    const changed = await runCli(service, ['destination', 'set', ...names, change]);
    expect(changed.stdout).toMatch(/^rate_limit_per_second +none$/m);
  });

  it('says which environment was exported, and how many rows', async () => {
    const { id } = await runJsonCli('tenant', 'create', 'Zeta Magazine');
    const { stdout, stderr } = await runCli(service, ['export', 'events', '--tenant', String(id)]);
    const note = `0 rows of events from the live environment of ${String(id)}.\n`;
    expect([stdout, stderr]).toEqual(['', note]);
  });

  it('suspends, resumes and deletes a tenant, which must be confirmed', async () => {
    const { id } = (await runJsonCli('tenant', 'create', 'Delta Magazine')) as { id: string };
    const suspended = await runJsonCli('tenant', 'suspend', id, '--reason', 'unpaid');
    expect(suspended).toMatchObject({ id, status: 'suspended' });
    expect(await runJsonCli('tenant', 'resume', id)).toMatchObject({ status: 'active' });
    const wrong = await runCli(service, ['tenant', 'delete', id, '--confirm', 'tnt_other']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Nothing was deleted')]);
    expect(await runJsonCli('tenant', 'show', id)).toMatchObject({ status: 'active' });
    expect(await runJsonCli('tenant', 'delete', id, '--confirm', id)).toMatchObject({
      status: 'deleted',
    });
  });

  it('neither registers nor sets a URL with white space', async () => {
    const { id } = await runJsonCli('tenant', 'create', 'Gamma Magazine');
    const where = ['destination', 'create', id as string, '--environment', 'test', '--url'];
    const made = await runJsonCli(...where, receiver.url);
    const change = JSON.stringify({ url: `${receiver.url}\n` });
    for (const args of [
      [...where, `${receiver.url}/a b`],
      ['destination', 'set', id as string, made['id'] as string, change],
    ]) {
      const { code, stderr } = await runCli(service, args);
      expect(code).not.toBe(0);
      expect(stderr).toContain('white space');
    }
  });

  it('shows the settings of a destination that it has set', async () => {
    const { id } = await runJsonCli('tenant', 'create', 'Delta Magazine');
    const options = ['--environment', 'test', '--url', receiver.url, '--ordering', 'strict'];
    const made = await runCli(service, ['destination', 'create', id as string, ...options]);
    expect(made.stdout).toMatch(/^ordering +strict$/m);
    const [, destination = ''] = /(dest_\w+)/.exec(made.stdout) ?? [];
    const change = '{"rate_limit_per_second":50,"max_in_flight":3}';
    const set = await runCli(service, ['destination', 'set', id as string, destination, change]);
    expect(set.stdout).toMatch(/^rate_limit_per_second +50$/m);
    expect(set.stdout).toMatch(/^max_in_flight +3$/m);
  });

  it('lists the metrics and shows the values of one', async () => {
    const { key } = await service.tenant();
    const runWithKey = (...args: string[]) => runCli(service, ['metrics', ...args, '--key', key]);
    expect((await runWithKey('list')).stdout).toMatch(/^active_subscribers +count/m);
    const shown = await runWithKey('get', 'mrr', '--window', 'last_7d');
    expect(shown.stdout).toMatch(/^metric +mrr$/m);
    expect(shown.stdout.match(/^\d{4}-\d\d-\d\dT.+ 0 /gm)?.length).toBeGreaterThan(6);
    const weeks = await runWithKey('get', 'mrr', '--granularity', 'week', '--json');
    expect(JSON.parse(weeks.stdout)).toMatchObject({ metric: 'mrr', granularity: 'week' });
    const unknown = await runWithKey('get', 'mrrr');
    expect([unknown.code, unknown.stderr]).toEqual([
      5,
      expect.stringContaining('No such metric. Did you mean mrr?'),
    ]);
  });

  it('names an argument that it cannot read, and what it should be', async () => {
    const refused: [string[], string, string][] = [
      [['tenant', 'set', 'tnt_x', '{bad'], "'settings'", 'JSON object'],
      [['tenant', 'set', 'tnt_x', '[1]'], "'settings'", 'JSON object'],
      [['tenant', 'create', 'Acme', '--settings', 'null'], '--settings', 'JSON object'],
      [['destination', 'set', 'tnt_x', 'dest_x', '{bad'], "'changes'", 'JSON object'],
      [['key', 'rotate', 'tnt_x', 'key_x', '--overlap-hours', 'ten'], '--overlap-hours', 'number'],
      [['replay', '--rate', 'fast'], '--rate', 'number'],
      [['projections', 'verify', '--sample', ''], '--sample', 'number'],
    ];
    const usage = await runCli(service, ['tenant', 'set']);
    for (const [args, name, expected] of refused) {
      const { code, stderr } = await runCli(service, args);
      expect([args, code, stderr]).toEqual([
        args,
        usage.code,
        expect.stringMatching(new RegExp(`^error: .*${name}.* A ${expected} is expected`)),
      ]);
    }
  });

  it('prints its version, and exits with 2 after a usage error', async () => {
    expect(await runCli(service, ['--version'])).toEqual({
      code: 0,
      stdout: '1.0.0\n',
      stderr: '',
    });
    expect((await runCli(service, ['nonsense'])).code).toBe(2);
    const wrongDay = await runCli(service, ['replay', '--from', 'yesterday']);
    expect([wrongDay.code, wrongDay.stderr]).toEqual([
      2,
      expect.stringContaining('for example 2026-10-01'),
    ]);
  });

  it('prints only JSON with --json, without the lines of npm', async () => {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, DATA_DIR: service.dataDir, SERVICE_URL: service.url };
    const program = join(__dirname, '../../bin/subscription-events');
    const { stdout, stderr } = await promisify(execFile)(program, ['tenant', 'list', '--json'], {
      env,
    });
    expect([Array.isArray(JSON.parse(stdout)), stderr]).toEqual([true, '']);
  });

  it('has one exit code for each kind of error', async () => {
    expect((await runCli(service, ['tenant', 'list', '--token', 'wrong'])).code).toBe(4);
    expect((await runCli(service, ['tenant', 'show', 'tnt_nothere'])).code).toBe(5);
    expect((await runCli(service, ['tenant', 'create', ' '])).code).toBe(2);
    const { id } = await runJsonCli('tenant', 'create', 'Eta Magazine');
    const issue = ['key', 'create', String(id), '--environment', 'test', '--name', 'backend'];
    const revoked = [String(id), String((await runJsonCli(...issue))['id'])];
    await runJsonCli('key', 'revoke', ...revoked);
    expect((await runCli(service, ['key', 'rotate', ...revoked])).code).toBe(6);
  });

  it('prints empty cells instead of "null", and the result of a comparison', async () => {
    const shown = await runCli(service, ['tenant', 'list']);
    expect(shown.stdout).not.toContain('null');
    const compared = await runCli(service, ['projections', 'verify']);
    expect([compared.code, compared.stdout]).toEqual([
      0,
      expect.stringContaining('The read models agree with the log.'),
    ]);
  });

  it('uses the service that --service names', async () => {
    const list = ['tenant', 'list', '--token', 'none'];
    expect(await runCli(service, [...list, '--service', 'http://127.0.0.1:1'])).toMatchObject({
      code: 3,
      stderr: `Nothing answers at http://127.0.0.1:1. The address comes from --service.\nStart the service in another terminal, or name another one with --service:  DATA_DIR=${service.dataDir} PORT=1 npm start\nIf it is being started there, wait until npm start prints its address: the first start builds it.\n`,
    });
    expect(await runCli(service, [...list, '--service', 'nonsense'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"nonsense" is not the address of a service') as string,
    });
  });
});
