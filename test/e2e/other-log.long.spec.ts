import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { databases } from '../support/databases';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const listEmails = async ({ api }: TestTenant): Promise<unknown[]> =>
  (await api.get('/v1/subscribers')).data.map(({ email }) => email);

describe.each(databases)('a log from a backup, on $name SQL', (database) => {
  it('is not served with newer read models', async () => {
    const service = await Service.start({ database });
    const log = join(service.dataDir, 'eventstore');
    const backup = join(service.dataDir, 'backup');
    try {
      const tenant = await service.tenant();
      await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
      await service.stop();
      cpSync(log, backup, { recursive: true });
      await service.run();
      for (const name of ['bob', 'cy', 'dee']) {
        (await tenant.api.post('/v1/subscribers', { email: `${name}@example.com` })).expect(201);
      }
      expect(await listEmails(tenant)).toHaveLength(4);
      await service.stop();

      rmSync(log, { recursive: true });
      cpSync(backup, log, { recursive: true });
      await expect(service.run()).rejects.toThrow(
        /code 78[^]*SQL database[^]*rebuilt from the log/,
      );
    } finally {
      await service.dispose();
    }
  });
});

/** On PostgreSQL a backup never lacks files of read models. */
const itEmbedded = process.env['TEST_SQL'] === 'postgres' ? it.skip : it;

itEmbedded('a log from a backup is served alone: the read models are rebuilt from it', async () => {
  const service = await Service.start();
  const aside = join(service.dataDir, 'aside');
  try {
    const tenant = await service.tenant();
    await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    await service.stop();
    cpSync(join(service.dataDir, 'eventstore'), aside, { recursive: true });
    await service.run();
    await tenant.api.post('/v1/subscribers', { email: 'bob@example.com' });
    await service.stop();
    for (const store of ['eventstore', 'sql']) {
      rmSync(join(service.dataDir, store), { recursive: true });
    }
    cpSync(aside, join(service.dataDir, 'eventstore'), { recursive: true });
    await service.run();
    await until(
      'the read models',
      async () => (await tenant.api.get('/v1/subscribers')).status === 200,
    );
    expect(await listEmails(tenant)).toEqual(['ada@example.com']);
  } finally {
    await service.dispose();
  }
});
