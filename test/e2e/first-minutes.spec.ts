import { createHmac } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { runCli } from '../support/cli';
import { Receiver, verify } from '../support/receiver';
import { Service } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const ROOT = join(__dirname, '../..');

/** The service is configured as for a new user: destinations on private addresses are refused. */
describe('the first minutes', () => {
  let service: Service;
  let listening: ChildProcess | undefined;

  beforeAll(async () => {
    service = await Service.start({ env: { ALLOW_INSECURE_DESTINATIONS: 'false' } });
  });

  afterAll(async () => {
    listening?.kill('SIGKILL');
    await service.dispose();
  });

  /** Starts the command with only the data directory set, as pasted from the README. */
  const start = (...args: string[]): ChildProcess => {
    const { PATH = '', HOME = '' } = process.env;
    return spawn(process.execPath, ['dist/cli/main.js', ...args], {
      cwd: ROOT,
      env: { PATH, HOME, DATA_DIR: service.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };

  const listDestinations = async (tenant: string): Promise<Json[]> =>
    (await service.operator.get(`/operator/v1/tenants/${tenant}/destinations`)).ok[
      'data'
    ] as Json[];

  it('quickstart shows three verified webhooks and leaves no destination behind', async () => {
    const { code, stdout, stderr } = await runCli(service, ['quickstart', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const { tenant, webhooks } = JSON.parse(stdout) as { tenant: string; webhooks: Json[] };
    expect(webhooks.map(({ type, problem }) => [type, problem])).toEqual([
      ['subscriber.created', null],
      ['payment.succeeded', null],
      ['subscription.activated', null],
    ]);
    expect(await listDestinations(tenant)).toEqual([]);
    for (const { id } of webhooks) {
      const shown = await runCli(service, ['deliveries', String(id), '--json']);
      expect(JSON.parse(shown.stdout)).toMatchObject([
        { event_id: id, status: 'delivered', destination_status: 'deleted', last_status_code: 204 },
      ]);
    }
  });

  it('quickstart prints each webhook for a person, and uses the same tenant the next time', async () => {
    const { code, stdout } = await runCli(service, ['quickstart']);
    expect(code).toBe(0);
    expect(stdout.match(/✓ verified {2}\w/g)).toHaveLength(3);
    expect(stdout).toMatch(/verified in \d+\.\d s/);
    const tenants = (await service.operator.get('/operator/v1/tenants')).ok['data'] as Json[];
    expect(tenants).toHaveLength(1);
  });

  it('the example in the help of trigger is accepted', async () => {
    const joinLines = (text: string): string => text.replaceAll(/ \\\n */g, ' ');
    const help = await runCli(service, ['trigger', '--help']);
    const [, example = ''] = /Example:\n.* -- (trigger .+)/.exec(joinLines(help.stdout)) ?? [];
    const data = /'(.+)'/.exec(example)?.[1] ?? '';
    const made = await runCli(service, ['trigger', 'ticket.submitted', '--json']);
    const { subscriber } = JSON.parse(made.stdout) as { subscriber: { id: string } };
    const words = example.replace(`'${data}'`, 'DATA').replace('subscriber_…', subscriber.id);
    const { stdout, stderr } = await runCli(service, [
      ...words.split(' ').map((word) => (word === 'DATA' ? data : word)),
      '--json',
    ]);
    expect(stderr).toBe('');
    expect((JSON.parse(stdout) as Json)['data']).toMatchObject(JSON.parse(data) as Json);
  });

  it('trigger names the subscriber and shows the chosen data only', async () => {
    const data = '{"payment":{"amount":900}}';
    const { stdout } = await runCli(service, ['trigger', 'payment.failed', '--data', data]);
    expect(stdout).toMatch(/^subscriber_id {2}subscriber_\w{16}$/m);
    expect(stdout).toMatch(/^environment +test\ndata\n {2}payment\n {4}amount +900\n$/m);
  });

  it('listen forwards the event of trigger unchanged, and its response is the result of the delivery', async () => {
    const mine = await Receiver.start((_, response) => {
      response.statusCode = 503;
      response.end();
    });
    const child = start('listen', '--json', '--forward', mine.url);
    listening = child;
    let printed = '';
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the listener', () => said.includes('Listening') || undefined);
    const made = await runCli(service, ['trigger', 'subscriber.created', '--json']);
    const { id } = JSON.parse(made.stdout) as { id: string };
    const first = await mine.next('subscriber.created');
    expect(first.event.id).toBe(id);
    expect(() => {
      verify(first, 'whsec_b3RoZXIgc2VjcmV0IG9mIG5vYm9keQ==');
    }).toThrow();
    await until('the failed attempt', () => printed.includes('"status":503') || undefined);
    mine.answerStatus(200);
    await until('the retry', () => printed.includes('"attempt":2') || undefined);
    const lines = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(Object.keys(lines[0] ?? {}).join()).not.toMatch(/[A-Z]/);
    expect(lines[0]).toMatchObject({
      subscriber_id: expect.any(String) as string,
      replay_id: null,
    });
    expect(lines.every(({ problem }) => problem === null)).toBe(true);
    child.kill('SIGINT');
    await until('the end', () => (child.exitCode === null ? undefined : true));
    const tenants = (await service.operator.get('/operator/v1/tenants')).ok['data'] as Json[];
    expect(await listDestinations(String(tenants[0]?.['id']))).toEqual([]);
    await mine.close();
  });

  it('listen says that a 410 of the own server has disabled its destination, and how to go on', async () => {
    const mine = await Receiver.start((_, response) => {
      response.statusCode = 410;
      response.end();
    });
    const child = start('listen', '--forward', mine.url);
    listening = child;
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the listener', () => said.includes('signing secret') || undefined);
    const made = await runCli(service, ['trigger', 'ticket.submitted', '--json']);
    const { id, tenant } = JSON.parse(made.stdout) as { id: string; tenant: { id: string } };
    const command = await until(
      'the reason',
      () =>
        /answered 410 \(Gone\).*\n {2}.*npm run cli -- (destination enable .+)\n/.exec(said)?.[1],
    );
    const [, destination = ''] = / {2}destination +(dest_\w+)/.exec(said) ?? [];
    expect(command).toBe(`destination enable ${tenant.id} ${destination}`);
    const retry = await runCli(service, ['deliveries', 'retry', destination, id]);
    expect([retry.code, retry.stderr]).toEqual([
      6,
      expect.stringMatching(
        new RegExp(`^The destination is disabled\\. Enable it first: .*${command}\n$`),
      ),
    ]);
    mine.answerStatus(200);
    const refused = mine.received.length;
    expect((await runCli(service, command.split(' '))).code).toBe(0);
    await until('the news', () => said.includes(`${destination} is enabled again.`) || undefined);
    await until('the event', () => mine.received.length > refused);
    expect((await runCli(service, ['destination', 'delete', tenant.id, destination])).code).toBe(0);
    await until('the end', () => said.includes(`${destination} was deleted, so no`) || undefined);
    child.kill('SIGINT');
    await until('the end', () => (child.exitCode === null ? undefined : true));
    await mine.close();
  });

  it('listen and tail tell that the service is gone, and go on when it is back', async () => {
    const child = start('listen', '--json');
    listening = child;
    const tail = start('events', 'tail');
    let tailed = '';
    for (const stream of [tail.stdout, tail.stderr]) {
      stream?.on('data', (chunk: Buffer) => (tailed += chunk.toString()));
    }
    await until('the tail', () => tailed.includes('Waiting for events') || undefined);
    let printed = '';
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the listener', () => said.includes('Listening') || undefined);
    await service.stop();
    await until('the news', () => said.includes('cannot deliver here for now') || undefined);
    await until('its news', () => tailed.includes('Waiting for the service.') || undefined);
    await service.run();
    await until('the return', () => said.includes('can deliver here again') || undefined);
    expect(tailed.match(/Nothing answers at .*\n(?:.+\n)+Waiting for the service\./g)).toHaveLength(
      1,
    );
    const { stdout } = await runCli(service, ['trigger', 'ticket.submitted', '--json']);
    const { id } = JSON.parse(stdout) as { id: string };
    await until('the webhook', () => printed.includes(id) || undefined);
    await until('its line', () => tailed.includes(id) || undefined);
    tail.kill('SIGINT');
    child.kill('SIGINT');
    await until('the end', () => (child.exitCode === null ? undefined : true));
  });

  it('names "listen" when a server on this machine is to be a destination', async () => {
    const { id } = await service.tenant();
    const url = 'http://localhost:4000/hooks';
    const args = ['destination', 'create', id, '--environment', 'test', '--url', url];
    const { code, stderr } = await runCli(service, args);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: --url must start with https:.*npm run cli -- listen --forward /,
    );
  });

  it('refuses a local address that does not prove itself, and every one in live environments', async () => {
    const receiver = await Receiver.start();
    const url = `${new URL(receiver.url).origin}/${'ab'.repeat(32)}`;
    const admitting = { url, proof_key: 'k'.repeat(32) };
    const refused = await service.operator.post('/operator/v1/local_listeners', admitting);
    expect(refused.status).toBe(400);
    const { id } = await service.tenant();
    for (const environment of ['live', 'test']) {
      const destination = { type: 'https_webhook', environment, url };
      const path = `/operator/v1/tenants/${id}/destinations`;
      expect((await service.operator.post(path, destination)).status).toBe(400);
    }
    await receiver.close();
  });

  it('has one item in the audit log for a listener, however often its lease is renewed', async () => {
    const key = 'k'.repeat(32);
    const listener = await Receiver.start(({ headers }, response) => {
      const challenge = String(headers['x-service-listener-challenge']);
      response.end(createHmac('sha256', key).update(challenge).digest('hex'));
    });
    const url = `${new URL(listener.url).origin}/${'cd'.repeat(32)}`;
    const countItems = async (): Promise<number> => {
      const { data } = await service.operator.get('/operator/v1/audit_log?limit=100');
      return data.filter(({ action }) => action === 'local_listener.admitted').length;
    };
    const before = await countItems();
    for (let renewals = 0; renewals < 3; renewals += 1) {
      const admitting = { url, proof_key: key };
      (await service.operator.post('/operator/v1/local_listeners', admitting)).expect(200);
    }
    await until('the item', async () => (await countItems()) > before);
    expect(await countItems()).toBe(before + 1);
    await listener.close();
  });
});
