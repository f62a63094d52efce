import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const SUBSCRIBERS = 300;

/**
 * This suite starts a service with read models that are behind the log: after a crash, a takeover
 * or, as here, a restored backup. The members of a backfill are in the read models only.
 */
describe('a service that starts with read models older than a cohort', () => {
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await Service.start();
    tenant = await service.tenant();
  });

  afterAll(() => service.dispose());

  const listEntries = async (): Promise<unknown[]> =>
    (await tenant.api.get('/v1/events?event_types=cohort.entered&limit=100')).data;

  const countMembers = async (id: unknown): Promise<unknown> =>
    (await tenant.api.get(`/v1/cohorts/${String(id)}`)).ok['member_count'];

  it('appends no entry event for initial members', async () => {
    const seed = await tenant.api.post('/v1/test_helpers/seed', { subscribers: SUBSCRIBERS });
    const { id: importId } = seed.expect(202);
    await until('the subscribers', async () => {
      const { ok } = await tenant.api.get(`/v1/imports/${String(importId)}`);
      return ok['status'] === 'completed';
    });
    const sql = join(service.dataDir, 'sql');
    const backup = join(service.dataDir, 'sql-backup');
    await service.stop();
    cpSync(sql, backup, { recursive: true });
    await service.run();
    const everyone = { name: 'Everyone', definition: {} };
    const { id } = (await tenant.api.post('/v1/cohorts', everyone)).created;
    await until('its members', async () => (await countMembers(id)) === SUBSCRIBERS);
    expect(await listEntries()).toEqual([]);
    await service.stop();
    rmSync(sql, { recursive: true });
    cpSync(backup, sql, { recursive: true });
    await service.run();
    await until('its members again', async () => (await countMembers(id)) === SUBSCRIBERS);
    await until('the evaluation', async () => {
      const created = await tenant.api.post('/v1/cohorts', { name: 'Later', definition: {} });
      return (await countMembers(created.created['id'])) === SUBSCRIBERS;
    });
    expect(await listEntries()).toEqual([]);
  });
});
