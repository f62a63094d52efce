import { join } from 'node:path';
import { EMBEDDED_SQL_CONNECTIONS, startEmbeddedSql } from '../../src/embedded-sql/start';
import { Database } from '../../src/read-models/database';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

/** This suite needs embedded stores, because it reads the database of the stopped service. */
describe('a destination that is deleted for good', () => {
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;

  beforeAll(async () => {
    // The second attempt is in an hour, so the deliveries do not change in the meantime.
    service = await Service.start({ env: { TEST_RETRY_SCHEDULE: '0,3600' } });
    tenant = await service.tenant();
    receiver = await Receiver.start((_, response) => {
      response.statusCode = 500;
      response.end();
    });
  });

  afterAll(async () => {
    await service.dispose();
    await receiver.close();
  });

  const register = async (): Promise<string> => {
    const body = { type: 'https_webhook', url: receiver.url };
    return (await tenant.api.post('/v1/destinations', body)).created['id'] as string;
  };

  const listWaiting = async (dir: string): Promise<string[]> => {
    const sql = await startEmbeddedSql(join(dir, 'sql'));
    const database = new Database(sql.connectionString, EMBEDDED_SQL_CONNECTIONS);
    try {
      const rows = await database.query<{ destination_id: string }>({
        text: `select destination_id from read_model.deliveries where status = 'pending'`,
      });
      return rows.map((row) => row.destination_id);
    } finally {
      await database.close();
      await sql.close();
    }
  };

  it('has no waiting deliveries any more', async () => {
    const [gone, kept] = [await register(), await register()];
    (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).expect(201);
    for (const id of [gone, kept]) {
      await until('a delivery that waits', async () => {
        const { data } = await tenant.api.get(`/v1/destinations/${id}/deliveries?status=pending`);
        return data.length === 1;
      });
    }
    (await tenant.api.delete(`/v1/destinations/${gone}?force=true`)).expect(204);
    expect(await service.stop()).toBe(0);
    expect(await listWaiting(service.dataDir)).toEqual([kept]);
  });
});
