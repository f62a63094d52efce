import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedSql } from '../../src/embedded-sql/start';
import { type CliRun, runCli } from '../support/cli';
import { databases, type TestDatabase } from '../support/databases';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const SUBSCRIBERS = 3;

describe.each(databases)('the command "projections verify", on $name SQL', (database) => {
  let service: Service;
  let tenant: TestTenant;
  let ticketId: string;
  let cohortId: string;
  let databaseUrl: string | undefined;

  const observed: TestDatabase = {
    name: database.name,
    create: async () => {
      const created = await database.create();
      databaseUrl = created.env['DATABASE_URL'];
      return created;
    },
  };

  beforeAll(async () => {
    service = await Service.start({ database: observed });
    tenant = await service.tenant();
    const { api } = tenant;
    for (let i = 0; i < SUBSCRIBERS; i += 1) {
      const body = { email: `reader${i}@example.com` };
      const { id } = (await api.post('/v1/subscribers', body)).created;
      const ticket = { subscriber_id: id, topic: 'other' };
      ticketId = (await api.post('/v1/tickets', ticket)).created['id'] as string;
    }
    const erased = (await api.post('/v1/subscribers', { email: 'gone@example.com' })).created['id'];
    const last = { subscriber_id: erased, topic: 'other', subject: 'Forget me' };
    (await api.post('/v1/tickets', last)).expect(201);
    (await api.delete(`/v1/subscribers/${erased as string}`)).expect(200);
    const everyone = { name: 'Everyone', definition: {} };
    cohortId = (await api.post('/v1/cohorts', everyone)).created['id'] as string;
    await until('its members', async () => {
      const { ok } = await api.get(`/v1/cohorts/${cohortId}`);
      return ok['member_count'] === SUBSCRIBERS;
    });
  });

  afterAll(() => service.dispose());

  /**
   * Changes a read model directly in the database. The embedded one is changed while the service is
   * down.
   */
  const changeReadModel = async (sql: string): Promise<void> => {
    if (databaseUrl !== undefined) return execute(databaseUrl, sql);
    await service.stop();
    const embedded = await startEmbeddedSql(join(service.dataDir, 'sql'));
    await execute(embedded.connectionString, sql);
    await embedded.close();
    await service.run();
  };

  const runCommand = (...args: string[]): Promise<CliRun> => runCli(service, args);
  const verify = (...args: string[]): Promise<CliRun> =>
    runCommand('projections', 'verify', ...args);

  it('exits with 0 if every row matches the log', async () => {
    expect(await verify()).toMatchObject({ code: 0, stderr: '' });
    expect(await verify('--whole')).toMatchObject({ code: 0 });
  });

  it('names the projection, the row and the column that differ, and exits with 1', async () => {
    await changeReadModel(
      `update read_model.tickets set topic = 'cancel' where id = '${ticketId}'`,
    );
    const row = JSON.stringify({ scope: `${tenant.id}.test`, id: ticketId });
    const line = `tickets: ${row}: topic`;
    for (const run of [await verify(), await verify('--whole', 'tickets', 'events')]) {
      expect(run.code).toBe(1);
      expect(run.stdout.split('\n')).toContain(line);
      expect(run.stderr).toContain('1 rows differ');
    }
    expect((await runCommand('rebuild', 'tickets')).code).toBe(0);
    expect((await verify()).code).toBe(0);
  });

  it('exits with 1 and names the ticket whose row is missing', async () => {
    await changeReadModel(`delete from read_model.tickets where id = '${ticketId}'`);
    const { code, stdout } = await verify();
    expect(code).toBe(1);
    expect(stdout).toContain(ticketId);
    expect((await runCommand('rebuild', 'tickets')).code).toBe(0);
  });

  it('with --whole finds wrong counts, too', async () => {
    await changeReadModel(`
      update read_model.metric_days set value = value + 1 where series = 'tickets';
      update read_model.cohort_counts set members = 7;
      delete from read_model.cohort_members
        where subscriber_id = (select max(subscriber_id) from read_model.cohort_members)`);
    expect((await verify()).code).toBe(0);

    const { code, stdout, stderr } = await verify('--whole', 'metrics', 'cohort_members');
    expect(code).toBe(1);
    expect(stderr).toContain('3 rows differ');
    const found = stdout.split('\n');
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^metrics \(metric_days\): .*"series":"tickets".*: value$/),
        `cohort_members (cohort_counts): {"cohort_id":"${cohortId}"}: members`,
        expect.stringMatching(/^cohort_members: .*: .*entered_at/),
      ]),
    );
    expect((await runCommand('rebuild', 'metrics', 'cohort_members')).code).toBe(0);
    expect((await verify('--whole')).code).toBe(0);
  });
});

const execute = async (connectionString: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};
