import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readHeader, Mailbox } from '../support/mailbox';
import { Receiver } from '../support/receiver';
import { RunningService, Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const run = promisify(execFile);
const ADDRESSES = ['ada@example.com', 'ben@example.com'];

describe('operational events by e-mail', () => {
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let destination: string;
  const mailbox = new Mailbox();

  beforeAll(async () => {
    const env = { SMTP_URL: await mailbox.open(), MAIL_FROM: 'Events <events@service.example>' };
    service = await Service.start({ env });
    receiver = await Receiver.start();
    tenant = await service.tenant('live');
    const body = { type: 'https_webhook', url: receiver.url };
    destination = (await tenant.api.post('/v1/destinations', body)).created['id'] as string;
    // Without an address, no message is sent.
    await turn('disabled');
    await configure(ADDRESSES);
  });

  afterAll(async () => {
    await service.dispose();
    await receiver.close();
    await mailbox.close();
  });

  const turn = async (status: 'active' | 'disabled'): Promise<void> => {
    (await tenant.api.patch(`/v1/destinations/${destination}`, { status })).expect(200);
  };

  const configure = async (alert_emails: unknown): Promise<void> => {
    const path = `/operator/v1/tenants/${tenant.id}`;
    const { ok } = await service.operator.patch(path, { settings: { alert_emails } });
    expect(ok['settings']).toMatchObject({ alert_emails, currency: 'USD' });
  };

  const listMailedEvents = (type: string): string[] =>
    mailbox.messages.filter((message) => readHeader(message, 'X-Service-Event-Type') === type);

  const listOperationalEvents = async (): Promise<Json[]> =>
    (await tenant.api.get('/v1/operational_events?limit=100')).data;

  const findNewest = async (type: string): Promise<Json> =>
    until(type, async () => (await listOperationalEvents()).find((each) => each['type'] === type));

  it('go to every address, and nowhere before an address is configured', async () => {
    await turn('active');
    await until('both messages', () => listMailedEvents('destination.enabled').length === 2);
    const event = await findNewest('destination.enabled');
    const messages = listMailedEvents('destination.enabled');
    expect(messages.map((message) => readHeader(message, 'To')).sort()).toEqual(ADDRESSES);
    expect(new Set(messages.map((message) => readHeader(message, 'Message-ID'))).size).toBe(2);
    for (const message of messages) {
      expect(readHeader(message, 'From')).toBe('Events <events@service.example>');
      expect(readHeader(message, 'Subject')).toBe(
        `[Acme Magazine, live] Destination ${destination} was enabled`,
      );
      expect(readHeader(message, 'X-Service-Event-Id')).toBe(event['id']);
      expect(readHeader(message, 'Message-ID')).toMatch(
        /^<evt_\w+\.[0-9a-f]{16}@service\.example>$/,
      );
      expect(message).toContain(`destination_id: ${destination}`);
    }
    expect(listMailedEvents('destination.disabled')).toEqual([]);
  });

  it('report a finished replay and a destination that is gone, and are repeated after a 4xx', async () => {
    await configure(ADDRESSES.slice(0, 1));
    const email = 'reader@example.com';
    const { id } = (await tenant.api.post('/v1/subscribers', { email })).created;
    mailbox.refusals = [451];
    const now = Date.now();
    const window = {
      destination_id: destination,
      from: new Date(now - 60_000).toISOString(),
      to: new Date(now).toISOString(),
    };
    expect((await tenant.api.post('/v1/replay', window)).status).toBe(202);
    await until('the message', () => listMailedEvents('replay.completed')[0]);
    expect(mailbox.refusals).toEqual([]);
    expect(readHeader(listMailedEvents('replay.completed')[0]!, 'Subject')).toMatch(/: completed$/);

    receiver.answerStatus(410);
    await tenant.api.post('/v1/tickets', { subscriber_id: id, topic: 'other' });
    const message = await until('the message', () => listMailedEvents('destination.disabled')[0]);
    expect(readHeader(message, 'Subject')).toContain(`${destination} was disabled (gone)`);
    receiver.answerStatus(200);
  });

  it('are repeated after a crash only if they may not have arrived, with the same Message-ID', async () => {
    mailbox.messages.length = 0;
    mailbox.beforeReply = () => service.kill();
    await turn('active').catch(() => undefined);
    await until('the crash', () => !service.running);
    mailbox.beforeReply = () => Promise.resolve();
    expect(listMailedEvents('destination.enabled')).toHaveLength(1);
    await service.run();
    const [first, second] = await until('the repetition', () => {
      const messages = listMailedEvents('destination.enabled');
      return messages.length === 2 ? messages : null;
    });
    expect(readHeader(second!, 'Message-ID')).toBe(readHeader(first!, 'Message-ID'));
    // A journalled message is not sent again, even if the store delivers its event once more.
    await turn('disabled');
    await until('the next message', () => listMailedEvents('destination.disabled').length === 1);
    await service.stop();
    await service.run();
    await turn('active');
    await until('the last message', () => listMailedEvents('destination.enabled').length === 3);
    expect(mailbox.messages).toHaveLength(4);
  });

  it('refuse anything but a list of at most ten different addresses', async () => {
    const many = Array.from({ length: 11 }, (_, i) => `a${i}@example.com`);
    for (const alert_emails of [['nobody'], 'a@example.com', many, [ADDRESSES[0], ADDRESSES[0]]]) {
      const body = { name: 'Beta', settings: { alert_emails } };
      for (const answer of [
        await service.operator.post('/operator/v1/tenants', body),
        await service.operator.patch(`/operator/v1/tenants/${tenant.id}`, body),
      ]) {
        expect(answer.refusal).toEqual([400, 'parameter_invalid', 'settings.alert_emails']);
      }
    }
    const body = { name: 'Beta', settings: { alert_emails: [' ada@example.com '] } };
    const { id } = (await service.operator.post('/operator/v1/tenants', body)).created;
    const path = `/operator/v1/tenants/${String(id)}`;
    const shown = (await service.operator.get(path)).ok;
    expect(shown['settings']).toMatchObject({ alert_emails: ['ada@example.com'] });
  });

  it('can be configured on the command line', async () => {
    const runJsonCli = async (...args: string[]): Promise<Json> => {
      const options = ['--service', service.url, '--token', service.operatorToken, '--json'];
      const { stdout } = await run(process.execPath, ['dist/cli/main.js', ...options, ...args]);
      return JSON.parse(stdout) as Json;
    };
    const createSettings = (alert_emails: string[]): string => JSON.stringify({ alert_emails });
    const made = await runJsonCli(
      'tenant',
      'create',
      'Gamma',
      '--settings',
      createSettings(ADDRESSES),
    );
    expect(made['settings']).toMatchObject({ alert_emails: ADDRESSES, grace_days: 14 });
    const changed = await runJsonCli('tenant', 'set', made['id'] as string, createSettings([]));
    expect(changed['settings']).toMatchObject({ alert_emails: [], grace_days: 14 });
  });

  it('are written as .eml files if no server is configured', async () => {
    const shared = await RunningService.shared();
    const body = { name: 'Acme', settings: { alert_emails: ADDRESSES } };
    const { id } = (await shared.operator.post('/operator/v1/tenants', body)).created;
    const { api } = await shared.createKey(id as string, 'test');
    const hook = { type: 'https_webhook', url: receiver.url };
    const made = (await api.post('/v1/destinations', hook)).created;
    await api.patch(`/v1/destinations/${String(made['id'])}`, { status: 'disabled' });
    const subject = `[Acme, test] Destination ${String(made['id'])} was disabled (manual)`;
    const directory = join(shared.dataDir, 'mail');
    await until('a file for each address', () => {
      const names = shared.exists('mail') ? readdirSync(directory) : [];
      const files = names.filter((name) => /^evt_\w+\.[0-9a-f]{16}\.eml$/.test(name));
      const messages = files.map((name) => readFileSync(join(directory, name), 'utf8'));
      return messages.filter((each) => readHeader(each, 'Subject') === subject).length === 2;
    });
  });
});

describe('alerts for a mailbox that defers', () => {
  const mailbox = new Mailbox();
  let service: Service;

  beforeAll(async () => {
    const RETRY_SCHEDULE = ['0', ...Array<string>(25).fill('2')].join(',');
    const env = { SMTP_URL: await mailbox.open(), RETRY_SCHEDULE };
    service = await Service.start({ env });
  });

  afterAll(async () => {
    await service.dispose();
    await mailbox.close();
  });

  /** Creates a tenant that gets this many alerts of its destination being disabled and enabled. */
  const disableAndEnableRepeatedly = async (address: string, times: number): Promise<void> => {
    const settings = { alert_emails: [address] };
    const body = { name: address, settings };
    const { id } = (await service.operator.post('/operator/v1/tenants', body)).created;
    const { api } = await service.createKey(id as string, 'live');
    const hook = { type: 'https_webhook', url: 'http://127.0.0.1:9/hook' };
    const { id: destination } = (await api.post('/v1/destinations', hook)).created;
    for (let i = 0; i < times; i += 1) {
      for (const status of ['disabled', 'active']) {
        (await api.patch(`/v1/destinations/${String(destination)}`, { status })).expect(200);
      }
    }
  };

  const listMessagesTo = (address: string): string[] =>
    mailbox.messages.filter((message) => readHeader(message, 'To') === address);

  // The number exceeds the number of messages in flight at once.
  const TIMES = 60;

  it('do not delay alerts of other tenants', async () => {
    mailbox.refusalOf = (message) =>
      readHeader(message, 'To') === 'busy@example.com' ? 451 : undefined;
    await disableAndEnableRepeatedly('busy@example.com', TIMES);
    await until('the attempts', () => mailbox.attempts >= 2 * TIMES);
    await disableAndEnableRepeatedly('ready@example.com', 1);
    await until('both', () => listMessagesTo('ready@example.com').length === 2, 10_000);
    expect(listMessagesTo('busy@example.com')).toEqual([]);
  });

  it('arrive after a crash, each exactly once', async () => {
    await service.kill();
    await service.run();
    mailbox.refusalOf = () => undefined;
    await until('all of them', () => listMessagesTo('busy@example.com').length >= 2 * TIMES);
    await disableAndEnableRepeatedly('last@example.com', 1);
    await until('the last ones', () => listMessagesTo('last@example.com').length === 2);
    expect(new Set(listMessagesTo('busy@example.com')).size).toBe(2 * TIMES);
    expect(listMessagesTo('busy@example.com')).toHaveLength(2 * TIMES);
  });
});
