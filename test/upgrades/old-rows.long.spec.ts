import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedSql } from '../../src/embedded-sql/start';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const REBUILD_MESSAGE =
  'the read models have rows of an earlier version: they are rebuilt while the service runs';

/** Rows and checkpoints as earlier versions leave them, by the version that left them. */
const LEFT_BY_EARLIER_VERSIONS = [
  ['an earlier version before an upgrade', 'row_version = row_version - 1'],
  ['a version that knew no row versions', 'row_version = null, row_version_position = null'],
  ['an old process that went on during an upgrade', 'row_version_position = 0'],
] as const;

describe('rows that an earlier version wrote', () => {
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await Service.start({ env: { DATABASE_URL: '', LOG_LEVEL: 'info' } });
    tenant = await service.tenant();
    (await tenant.api.post('/v1/subscribers', { email: 'reader@example.com' })).expect(201);
    (await tenant.api.get('/v1/subscribers')).expect(200);
  });
  afterAll(() => service?.dispose());

  const changeSql = async (text: string): Promise<void> => {
    const sql = await startEmbeddedSql(join(service.dataDir, 'sql'));
    const client = new Client({ connectionString: sql.connectionString });
    await client.connect();
    await client.query(text);
    await client.end();
    await sql.close();
  };

  const countSubscribers = async (): Promise<number> => {
    const { body } = await tenant.api.get('/v1/subscribers');
    return (body['data'] as unknown[]).length;
  };

  it.each(LEFT_BY_EARLIER_VERSIONS)('are rebuilt at the start: %s', async (_, change) => {
    await service.stop();
    await changeSql(`update service.checkpoints set ${change}; delete from read_model.subscribers`);
    const announced = service.listLogLines(REBUILD_MESSAGE).length;
    await service.run();
    await until('the rebuilt rows', async () => (await countSubscribers()) === 1);
    expect(service.listLogLines(REBUILD_MESSAGE)).toHaveLength(announced + 1);
  });

  it('are not rebuilt again at the next start', async () => {
    const announced = service.listLogLines(REBUILD_MESSAGE).length;
    await service.stop();
    await service.run();
    await until('the rows', async () => (await countSubscribers()) === 1);
    expect(service.listLogLines(REBUILD_MESSAGE)).toHaveLength(announced);
  });
});
