import { EventStoreDBClient } from '@eventstore/db-client';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/cli';
import { Service, type TestTenant } from '../support/service';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { until } from '../support/until';

const EMAIL = 'ada@example.com';
const SUBSCRIBERS = 40;
const createKey = (): string => randomBytes(32).toString('base64');

const readKeyId = async (service: Service): Promise<unknown> =>
  (await service.operator.get('/operator/v1/master_key')).ok['key_id'];

const waitUntilRotated = (service: Service): Promise<unknown> =>
  until('the end of the rotation', async () => {
    const { status } = (await service.operator.get('/operator/v1/master_key')).ok;
    return status === 'current';
  });

describe('the master key that the service keeps', () => {
  let service: Service;
  let tenant: TestTenant;
  let subscriberId: string;
  let destinationId: unknown;
  let secret: unknown;
  let file: string;
  let before: string;

  const registration = { email: EMAIL, external_id: 'user 1' };
  const repeated = { 'idempotency-key': 'register ada' };

  const expectEverythingReadable = async (): Promise<void> => {
    const { api } = tenant;
    expect((await api.get(`/v1/subscribers/${subscriberId}`)).ok['email']).toBe(EMAIL);
    const again = await api.post('/v1/subscribers', registration, repeated);
    expect(again.created).toMatchObject({ id: subscriberId, email: EMAIL });
    // The digest that finds an external id is the same under every key.
    const twice = await api.post('/v1/subscribers', {
      email: 'b@example.com',
      external_id: 'user 1',
    });
    expect(twice.refusal.slice(0, 2)).toEqual([409, 'external_id_in_use']);
    const replaced = await api.post(`/v1/destinations/${String(destinationId)}/rotate-secret`, {});
    expect(replaced.status).toBeLessThan(300);
  };

  beforeAll(async () => {
    service = await Service.start();
    tenant = await service.tenant();
    const { api } = tenant;
    subscriberId = (await api.post('/v1/subscribers', registration, repeated)).created[
      'id'
    ] as string;
    for (let i = 1; i < SUBSCRIBERS; i += 1) {
      (await api.post('/v1/subscribers', { email: `b${i}@example.com` })).expect(201);
    }
    const url = 'http://127.0.0.1:9/hook';
    const made = await api.post('/v1/destinations', { type: 'https_webhook', url });
    ({ id: destinationId, signing_secret: secret } = made.created);
    expect(secret).toEqual(expect.stringMatching(/^whsec_/));
    file = join(service.dataDir, 'master-key');
    before = readFileSync(file, 'utf8').trim();
  });

  afterAll(() => service.dispose());

  it('is replaced by a command, which says which backups need the old one', async () => {
    const old = await readKeyId(service);
    const { code, stdout, stderr } = await runCli(service, ['master-key', 'rotate']);
    expect([code, stderr.includes('rewrapped')]).toEqual([0, true]);
    expect(stdout).toMatch(
      /current[^]*no longer needs the old key[^]*Backups from before this moment/,
    );
    expect(stdout).toContain(String(old));
    expect(await readKeyId(service)).not.toBe(old);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).not.toContain(before);
    await expectEverythingReadable();
  });

  it('leaves an index of e-mail addresses that a rebuild before the scavenge does not change', async () => {
    const verified = await runCli(service, ['projections', 'verify', '--whole']);
    expect(verified.stdout).toContain('The read models agree with the log.');
    expect((await runCli(service, ['rebuild', 'subscriber_emails'])).code).toBe(0);
    const found = await tenant.api.get(`/v1/subscribers?email=${encodeURIComponent(EMAIL)}`);
    expect(found.data).toMatchObject([{ id: subscriberId }]);
  });

  it('has its rotation in the audit log, also after a scavenge and a rebuild', async () => {
    const listRotations = async (): Promise<unknown[]> =>
      (await service.operator.get('/operator/v1/audit_log?action=master_key.rotation_started'))
        .data;
    expect(await listRotations()).toMatchObject([{ object: { type: 'master_key' } }]);
    expect((await runCli(service, ['store', 'scavenge'])).code).toBe(0);
    const verified = await runCli(service, ['projections', 'verify', '--whole']);
    expect(verified.stdout).toContain('The read models agree with the log.');
    expect((await runCli(service, ['rebuild', 'audit_log'])).code).toBe(0);
    expect(await listRotations()).toHaveLength(1);
  });

  it('decrypts everything after a restart, and the key before it decrypts nothing', async () => {
    await service.stop();
    await expect(service.run({ MASTER_KEY: before })).rejects.toThrow(/code 78[^]*MASTER_KEY/);
    await service.run();
    await expectEverythingReadable();
  });

  it('is replaced completely although the process dies during the rotation', async () => {
    const old = await readKeyId(service);
    (await service.operator.post('/operator/v1/master_key/rotate', {})).expect(202);
    await service.kill();
    await service.run();
    await waitUntilRotated(service);
    expect(await readKeyId(service)).not.toBe(old);
    await expectEverythingReadable();
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it('is not read from a file', async () => {
    const body = { new_key_file: '/etc/hostname' };
    const answer = await service.operator.post('/operator/v1/master_key/rotate', body);
    expect(answer.refusal).toEqual([400, 'parameter_invalid', 'new_key_file']);
  });
});

describe('the master key in a file that the service is given', () => {
  let store: StoreServer;
  let service: Service;
  let tenant: TestTenant;
  let subscriberId: unknown;
  let dir: string;
  let keyFile: string;
  let newKeyFile: string;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'keys-'));
    keyFile = join(dir, 'master-key');
    newKeyFile = join(dir, 'new-key');
    writeFileSync(keyFile, `${createKey()}\n`);
    writeFileSync(newKeyFile, `${createKey()}\n`);
    store = await StoreServer.start();
    service = await Service.start({
      env: { EVENTSTORE_URL: store.connectionString, MASTER_KEY_FILE: keyFile },
    });
    tenant = await service.tenant();
    subscriberId = (await tenant.api.post('/v1/subscribers', { email: EMAIL })).created['id'];
  });

  afterAll(async () => {
    await service.dispose();
    await store.dispose();
    rmSync(dir, { recursive: true, force: true });
  });

  const expectReadable = async (): Promise<void> => {
    const { ok } = await tenant.api.get(`/v1/subscribers/${String(subscriberId)}`);
    expect(ok['email']).toBe(EMAIL);
  };

  it('cannot be rotated without a new key', async () => {
    const { code, stderr } = await runCli(service, ['master-key', 'rotate']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Send new_key_file')]);
    const body = { new_key_file: join(dir, 'nothing') };
    const answer = await service.operator.post('/operator/v1/master_key/rotate', body);
    expect(answer.refusal).toEqual([400, 'parameter_invalid', 'new_key_file']);
  });

  it('is valid beside the new one until everything is re-encrypted', async () => {
    const body = { new_key_file: newKeyFile };
    (await service.operator.post('/operator/v1/master_key/rotate', body)).expect(202);
    for (const MASTER_KEY_FILE of [newKeyFile, keyFile]) {
      await service.kill();
      await service.run({ MASTER_KEY_FILE });
      await expectReadable();
    }
    await waitUntilRotated(service);
    await service.stop();
    await expect(service.run()).rejects.toThrow(/code 78[^]*MASTER_KEY/);
    await service.run({ MASTER_KEY_FILE: newKeyFile });
    await expectReadable();
  });

  it('leaves no data key under the old master key in the log', async () => {
    const current = await readKeyId(service);
    const client = EventStoreDBClient.connectionString(store.connectionString);
    const kept: unknown[] = [];
    const links = client.readStream('$ce-vault', { resolveLinkTos: true });
    for await (const { event } of links) {
      if (event?.isJson) kept.push((event.data as { wrapped: string }).wrapped.split('.')[0]);
    }
    await client.dispose();
    expect(kept).toEqual([current]);
  });
});
