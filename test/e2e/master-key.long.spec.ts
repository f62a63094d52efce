import { EventStoreDBClient } from '@eventstore/db-client';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Service } from '../support/service';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';

const createKey = (): string => randomBytes(32).toString('base64');

it('the master key is checked against the first secret of a log that has no key check value', async () => {
  const store = await StoreServer.start();
  const env = { EVENTSTORE_URL: store.connectionString, MASTER_KEY: createKey() };
  const service = await Service.start({ env });
  const { api } = await service.tenant();
  await api.post('/v1/subscribers', { email: 'ada@example.com' });
  await service.stop();
  const client = EventStoreDBClient.connectionString(store.connectionString);
  await client.deleteStream('master_key-mark');
  await expect(service.run({ MASTER_KEY: createKey() })).rejects.toThrow(/code 78[^]*MASTER_KEY/);
  await service.run();
  await client.dispose();
  await service.dispose();
  await store.dispose();
});

describe('the master key', () => {
  let service: Service;
  let file: string;

  beforeAll(async () => {
    service = await Service.start();
    file = join(service.dataDir, 'master-key');
    const { api } = await service.tenant();
    await api.post('/v1/subscribers', { email: 'ada@example.com' });
    await service.stop();
  });

  afterEach(() => service.stop());
  afterAll(() => service.dispose());

  it('must be the key with which the data was written', async () => {
    await expect(service.run({ MASTER_KEY: createKey() })).rejects.toThrow(/code 78[^]*MASTER_KEY/);
  });

  it('is not created again if there is data', async () => {
    renameSync(file, `${file}.away`);
    await expect(service.run()).rejects.toThrow(/code 78[^]*MASTER_KEY[^]*bring the file back/);
    expect(existsSync(file)).toBe(false);
    renameSync(`${file}.away`, file);
  });

  it('causes an error if its file cannot be read, and the service starts when it can', async () => {
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    await expect(service.run()).rejects.toThrow(/code 78[^]*MASTER_KEY[^]*cannot be read/);
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    await service.run();
  });

  it('is created again if there is no data any more', async () => {
    rmSync(file);
    rmSync(join(service.dataDir, 'eventstore'), { recursive: true });
    rmSync(join(service.dataDir, 'sql'), { recursive: true });
    await service.run();
    expect(existsSync(file)).toBe(true);
  });
});
