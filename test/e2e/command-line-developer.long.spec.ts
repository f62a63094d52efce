import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCli } from '../support/cli';
import { Receiver } from '../support/receiver';
import { RunningService } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const ROOT = join(__dirname, '../..');
const execute = promisify(execFile);
const ESCAPE = String.fromCharCode(27);

describe('commands for the developer of a tenant', () => {
  let service: RunningService;
  let receiver: Receiver;
  let next: string[];
  let tenant: string;
  let destination: string;
  const { PATH = '', HOME = '' } = process.env;

  beforeAll(async () => {
    service = await RunningService.shared();
    receiver = await Receiver.start();
    const { stdout } = await runCli(service, ['quickstart']);
    next = stdout.split('\n').filter((line) => line.includes('npm run cli --'));
    tenant = /Tenant (tnt_\w+)/.exec(stdout)?.[1] ?? '';
    const where = ['--environment', 'test', '--url', receiver.url];
    const made = await runCli(service, ['destination', 'create', tenant, ...where, '--json']);
    destination = (JSON.parse(made.stdout) as { id: string }).id;
  });

  afterAll(async () => {
    await receiver.close();
  });

  const runJson = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await runCli(service, [...args, '--json'])).stdout);

  it('quickstart prints next commands that work as pasted, on its own data directory', async () => {
    expect(next.map((line) => line.replace(/.*npm run cli -- /, ''))).toEqual([
      'listen',
      'trigger payment.failed',
      'listen --forward http://localhost:4000/webhooks',
      `console link --tenant ${tenant} --role owner`,
    ]);
    const pasted = next[1]!.replace('npm run cli --', 'node dist/cli/main.js');
    expect(pasted).not.toBe(next[1]);
    const { stdout } = await execute('sh', ['-c', pasted], { cwd: ROOT, env: { PATH, HOME } });
    expect(stdout).toMatch(/type +payment\.failed/);
  });

  it('events tail shows the latest events, then each new one once', async () => {
    const args = ['dist/cli/main.js', 'events', 'tail', '--json', '--lines', '2'];
    const env = { PATH, HOME, DATA_DIR: service.dataDir };
    const child = spawn(process.execPath, args, { cwd: ROOT, env });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const parseLines = (): Json[] =>
      printed
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Json);
    await until('earlier events', () => parseLines().length === 2);
    const made = (await runJson('trigger', 'ticket.submitted')) as Json;
    await until('the new event', () => parseLines().some(({ id }) => id === made['id']));
    const second = (await runJson('trigger', 'payment.failed')) as Json;
    await until('the second event', () => parseLines().some(({ id }) => id === second['id']));
    const ids = parseLines().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    child.kill('SIGINT');
    await until('the end', () => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
  });

  it('shows events, subscribers and deliveries, and retries a delivery', async () => {
    const event = (await runJson('trigger', 'payment.failed')) as Json;
    const id = String(event['id']);
    const listed = (await runJson('events', 'list', '--events', 'payment.failed')) as Json[];
    expect(listed[0]).toMatchObject({ id, subscriber: event['subscriber'] });
    const table = await runCli(service, ['events', 'list', '--events', 'payment.failed']);
    expect(table.stdout).toMatch(/^created_at +type +id +subscriber_id +sequence$/m);
    expect(table.stdout).toContain((event['subscriber'] as { id: string }).id);
    expect(await runJson('events', 'show', id)).toMatchObject({ id, type: 'payment.failed' });

    const [latest] = (await runJson('subscribers', 'list', '--limit', '1')) as Json[];
    const subscriber = String(latest?.['id']);
    expect(await runJson('subscribers', 'show', subscriber)).toEqual(latest);
    const timeline = (await runJson('subscribers', 'timeline', subscriber)) as Json[];
    expect(timeline.map((each) => each['type'])).toContain('payment.failed');

    await until('the delivery', () => receiver.received.find((each) => each.event.id === id));
    await until('its record', async () => {
      const deliveries = (await runJson('deliveries', id)) as Json[];
      return deliveries.some(
        (each) => each['destination_id'] === destination && each['status'] === 'delivered',
      );
    });
    const ofDestination = (await runJson('deliveries', 'list', destination)) as Json[];
    expect(ofDestination.map((each) => each['event_id'])).toContain(id);
    const failed = ['--events', 'payment.failed'];
    expect(await runJson('deliveries', 'list', ...failed)).toContainEqual(
      expect.objectContaining({ event_id: id, destination_id: destination }),
    );
    const attempts = await runCli(service, ['deliveries', 'attempts', destination, id]);
    expect(attempts.stdout).toMatch(/attempt +at +status_code/);
    const countAttempts = (): number =>
      receiver.received.filter((each) => each.event.id === id).length;
    await runJson('deliveries', 'retry', destination, id);
    await until('the second attempt', () => countAttempts() === 2);
    const retry = await runCli(service, ['deliveries', 'retry', destination, id]);
    expect(retry.stdout.split('\n')).toEqual([
      `The event is being sent to ${destination}. To see the result:`,
      expect.stringMatching(
        new RegExp(`^ {2}DATA_DIR=.* npm run cli -- deliveries attempts ${destination} ${id}$`),
      ),
      '',
    ]);
    await until('the third attempt', () => countAttempts() === 3);
  });

  it('export writes the rows of the environment of quickstart, if it names no tenant', async () => {
    const { code, stdout, stderr } = await runCli(service, ['export', 'subscribers']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('"subscriber_')]);
    expect(stderr).toMatch(new RegExp(`from the test environment of ${tenant}\\.\n$`));
    const live = await runCli(service, ['export', 'subscribers', '--tenant', tenant]);
    expect(live.stderr).toContain('0 rows of subscribers from the live environment');
  });

  it('import uses the key of quickstart', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'ses-cli-import-'));
    const file = join(directory, 'subscribers.ndjson');
    const line = { kind: 'subscriber', external_id: 'old-1', email: 'grace@example.com' };
    writeFileSync(file, `${JSON.stringify(line)}\n`);
    const { code, stdout } = await runCli(service, ['import', file]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/lines_ok +1/)]);
    expect((await runCli(service, ['import', join(directory, 'nothing')])).code).toBe(2);
    rmSync(directory, { recursive: true });
  });

  it('uses colours only for people, and never prints "null"', async () => {
    const list = ['destination', 'list', tenant];
    const plain = await runCli(service, list);
    expect(plain.stdout).not.toContain(ESCAPE);
    expect(plain.stdout).not.toContain('null');
    const coloured = await runCli(service, list, { FORCE_COLOR: '1' });
    expect(coloured.stdout).toContain(`${ESCAPE}[32mactive`);
    expect(await runJson(...list)).toMatchObject([{ id: destination }]);
  });

  it('exits silently when its output is closed early', async () => {
    const command = 'node dist/cli/main.js events list --json | head -c 10; exit ${PIPESTATUS[0]}';
    const env = { PATH, HOME, DATA_DIR: service.dataDir };
    const { stderr } = await execute('bash', ['-c', command], { cwd: ROOT, env });
    expect(stderr).toBe('');
  });

  it('events tail ends when nobody reads its output, though no event comes', async () => {
    await runJson('trigger', 'ticket.submitted');
    const command = 'node dist/cli/main.js events tail --lines 1 | head -1; exit ${PIPESTATUS[0]}';
    const env = { PATH, HOME, DATA_DIR: service.dataDir };
    const options = { cwd: ROOT, env, timeout: 20_000 };
    const { stdout, stderr } = await execute('bash', ['-c', command], options);
    expect([stdout.split('\n').length, stderr]).toEqual([2, 'Waiting for events. Ctrl-C ends.\n']);
  });

  it('keeps its exit code when nobody reads its messages', async () => {
    const command = 'node dist/cli/main.js nonsense 2>&1 | true; echo ${PIPESTATUS[0]}';
    const env = { PATH, HOME, DATA_DIR: service.dataDir };
    const { stdout } = await execute('bash', ['-c', command], { cwd: ROOT, env });
    expect(stdout).toBe('2\n');
  });

  it('listen removes its destination when nobody reads its output', async () => {
    const command = 'node dist/cli/main.js listen | true; exit ${PIPESTATUS[0]}';
    const env = { PATH, HOME, DATA_DIR: service.dataDir };
    const options = { cwd: ROOT, env, timeout: 20_000 };
    const { stderr } = await execute('bash', ['-c', command], options);
    const [, id = ''] = /^ {2}destination +(dest_\w+) .*removes it/m.exec(stderr) ?? [];
    expect(stderr).toMatch(/^ {2}signing secret +whsec_\S+$/m);
    expect(stderr).toContain(`The destination ${id} was removed.\n`);
    const listed = (await runJson('destination', 'list', tenant)) as Json[];
    expect(listed.map((each) => each['id'])).not.toContain(id);
  });

  const printCompletion = async (shell: string): Promise<string> =>
    (await runCli(service, ['completion', shell])).stdout;

  it('listen and trigger use the tenant of API_KEY', async () => {
    const other = await service.tenant();
    const env = { PATH, HOME, DATA_DIR: service.dataDir, API_KEY: other.key };
    const child = spawn(process.execPath, ['dist/cli/main.js', 'listen'], { cwd: ROOT, env });
    let [printed, noted] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (noted += chunk.toString()));
    await until('the listener', () => noted.includes('signing secret'));
    expect(noted).toContain(`Listening to the test environment of ${other.id} (API_KEY).`);
    const { stdout } = await runCli(service, ['trigger', 'payment.failed'], env);
    expect(stdout).toMatch(new RegExp(`^tenant_id +${other.id}$`, 'm'));
    expect(stdout).toMatch(/^environment +test$/m);
    await until('the webhook', () => printed.includes('payment.failed'));
    child.kill('SIGINT');
    await until('the end', () => child.exitCode !== null);
  });

  it('completes commands and options in bash', async () => {
    const script = await printCompletion('bash');
    const complete = async (...words: string[]): Promise<string[]> => {
      const typed = ['subscription-events', ...words].map((word) => `'${word}'`).join(' ');
      const ask = `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _subscription_events; echo "\${COMPREPLY[@]}"`;
      const { stdout } = await execute('bash', ['-c', ask]);
      return stdout.trim().split(' ');
    };
    expect(await complete('tri')).toEqual(['trigger']);
    expect(await complete('tenant', '')).toEqual(expect.arrayContaining(['create', 'list', 'set']));
    expect(await complete('--json', 'events', 'ta')).toEqual(['tail']);
    expect(await complete('replay', 'create', '--fo')).toEqual(['--force']);
    expect(await complete('trigger', 'payment.fai')).toEqual(['payment.failed']);
    expect(await complete('events', 'tail', '--events', 'ticket.sub')).toEqual([
      'ticket.submitted',
    ]);
    expect(await complete('metrics', 'get', 'mrr_m')).toEqual(['mrr_movements']);
    const create = ['destination', 'create', 'tnt_x'];
    expect(await complete(...create, '--pii', '')).toEqual(['full', 'hashed_only', 'minimal']);
    expect(await complete(...create, '--environment', 't')).toEqual(['test']);
    expect(await complete(...create, '--url', '')).toEqual(['']);
    expect(await complete('events', 'tail', '--token', '')).toEqual(['']);
    expect(await complete('deliveries', 'list', '--status', 'f')).toEqual(['failed']);
    expect(await complete('export', 'subscri')).toEqual(['subscribers', 'subscriptions']);
    expect(await complete('export', 'events', '--format', '')).toEqual(['csv', 'ndjson']);
    expect(await complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh']));
    expect(await complete('events', 'tail', '--json', 'ti')).toEqual(['']);
    expect((await runCli(service, ['completion', 'fish'])).code).toBe(2);
  });

  it('prints a completion script that zsh can read', async () => {
    const script = await printCompletion('zsh');
    expect(script).toMatch(/^#compdef subscription-events$/m);
    const { error, status, stderr } = spawnSync('zsh', ['-n'], { input: script });
    // If zsh is not installed, only the text of the script is checked.
    if (error === undefined) expect([status, stderr.toString()]).toEqual([0, '']);
  });
});
