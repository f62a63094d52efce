import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Service, type TestTenant } from '../support/service';
import { describeWithTlsPostgres, TlsPostgres } from '../support/tls-postgres';

/** Returns the statements of the guide that create the second account. */
const readRotation = (): string[] => {
  const guide = readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8');
  const [, block = ''] = /```sql\n\s*(create role service_b[^`]*)```/.exec(guide) ?? [];
  expect(block).not.toBe('');
  return block.trim().split('\n');
};

describeWithTlsPostgres('a service with a PostgreSQL that accepts TLS only', () => {
  let postgres: TlsPostgres;
  let service: Service;
  let tenant: TestTenant;
  let verified: string;

  beforeAll(async () => {
    postgres = await TlsPostgres.start();
    verified = `sslmode=verify-full&sslrootcert=${postgres.file('ca.crt')}`;
    await postgres.administer(`create role service login password 'swordfish'`);
    await postgres.administer('create database service owner service');
    service = await Service.start({ env: { DATABASE_URL: url('service:swordfish', verified) } });
    tenant = await service.tenant();
  });

  afterAll(async () => {
    await service.dispose();
    await postgres.dispose();
  });

  const url = (account: string, options: string, host?: string): string =>
    postgres.createUrl(account, options, host);

  /** Starts another service at an address that it refuses, and returns the message. */
  const readRefusal = async (databaseUrl: string): Promise<string> => {
    const start = Service.start({ env: { DATABASE_URL: databaseUrl } });
    const error: unknown = await start.then(
      async (started) => {
        await started.dispose();
        return null;
      },
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    const { message } = error as Error;
    expect(message).not.toContain('swordfish');
    expect(message).toMatch(/^ended with code 78 /);
    return message;
  };

  it('encrypts every connection with sslmode=verify-full and the right authority', async () => {
    const connections = await postgres.administer<{ ssl: boolean }>(
      `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'service'`,
    );
    expect(connections.length).toBeGreaterThan(0);
    expect(connections.filter(({ ssl }) => !ssl)).toEqual([]);
    expect((await tenant.api.get('/v1/events')).status).toBe(200);
  });

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'refuses a server of another authority with sslmode=%s',
    async (mode) => {
      const options = `sslmode=${mode}&sslrootcert=${postgres.file('other-ca.crt')}`;
      expect(await readRefusal(url('service:swordfish', options))).toContain(
        'DATABASE_URL leads to a server whose certificate is not trusted',
      );
    },
  );

  it('refuses a server whose authority is not named', async () => {
    expect(await readRefusal(url('service:swordfish', 'sslmode=verify-full'))).toContain(
      'name the file of its certificate authority (sslrootcert=/path/ca.crt)',
    );
  });

  it('refuses a server whose certificate names another host', async () => {
    expect(await readRefusal(url('service:swordfish', verified, '127.0.0.1'))).toContain(
      'DATABASE_URL names a host that the certificate of its server does not name',
    );
  });

  it('shows its own certificate to a server that asks for one', async () => {
    await postgres.administer('create role by_certificate login in role service');
    const certificate = `sslcert=${postgres.file('client.crt')}&sslkey=${postgres.file('client.key')}`;
    await postgres.administer('create database certified owner by_certificate');
    const certified = (options: string): string =>
      url('by_certificate', options).replace('/service?', '/certified?');
    const other = await Service.start({
      env: { DATABASE_URL: certified(`${verified}&${certificate}`) },
    });
    expect((await (await other.tenant()).api.get('/v1/events')).status).toBe(200);
    await other.dispose();
    expect(await readRefusal(certified(verified))).toContain('DATABASE_URL is refused by its');
  });

  it('goes on with its data under a second account, as the operating guide rotates passwords', async () => {
    for (const statement of readRotation()) await postgres.administer(statement);
    await service.stop();
    await service.run({ DATABASE_URL: url('service_b:NEW_PASSWORD', verified) });
    const subscriber = { email: 'ada@example.com' };
    const { id } = (await tenant.api.post('/v1/subscribers', subscriber)).expect(201);
    expect((await tenant.api.get(`/v1/subscribers/${String(id)}`)).status).toBe(200);
    await postgres.administer('alter role service password null');
    expect(await readRefusal(url('service:swordfish', verified))).toContain(
      'DATABASE_URL is refused by its server',
    );
    const owners = await postgres.administer<{ owner: string }>(
      `select distinct tableowner as owner from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
      'service',
    );
    expect(owners).toEqual([{ owner: 'service' }]);
  });

  it('says that TLS is missing if the server refuses a connection without it', async () => {
    expect(await readRefusal(url('service:swordfish', 'sslmode=disable'))).toContain(
      'DATABASE_URL connects without TLS, and its server refuses that',
    );
  });
});
