import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type Analyst, AnalystStore } from '../../src/features/analytics/analyst.store';
import { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import type { Runtime } from '../../src/config/runtime';
import { describeWithPostgres } from '../support/cluster';
import { databases } from '../support/databases';

/**
 * The prefix of the suite's own roles. Roles belong to the whole server, and none of these is left
 * behind.
 */
const PREFIX = `ses_test_${randomBytes(6).toString('hex')}`;
const OWNER = `${PREFIX}_owner`;

describeWithPostgres('analysts, on a server that has other roles', () => {
  let admin: Client;
  let database: Database;
  let drop: () => Promise<void>;
  let store: AnalystStore;

  beforeAll(async () => {
    admin = new Client({ connectionString: process.env['TEST_DATABASE_URL'] });
    await admin.connect();
    await admin.query(`create role ${OWNER} superuser login password 'owner'`);
    const { env, drop: dropDatabase } = await databases.at(-1)!.create();
    const url = new URL(env['DATABASE_URL']!);
    url.username = OWNER;
    url.password = 'owner';
    database = new Database(url.href, 2);
    drop = async () => {
      await database.close();
      await dropDatabase();
    };
    await migrate(database);
    store = new AnalystStore(database, { instanceId: 'one', databaseUrl: url.href } as Runtime);
  });

  afterAll(async () => {
    await drop();
    const { rows } = await admin.query<{ rolname: string }>(
      'select rolname from pg_roles where starts_with(rolname, $1)',
      [PREFIX],
    );
    for (const { rolname } of rows) await admin.query(`drop role ${rolname}`);
    await admin.end();
  });

  /** Returns the properties of a role that `create` would change. */
  const readProperties = async (name: string): Promise<unknown> => {
    const { rows } = await admin.query(
      `select rolcanlogin, rolpassword, setconfig from pg_authid
        left join pg_db_role_setting on setrole = oid where rolname = $1`,
      [name],
    );
    return rows;
  };

  /** Logs in as the analyst and returns the search path. */
  const searchPathOf = async ({ name: user, ...login }: Analyst): Promise<string | undefined> => {
    const client = new Client({ user, ...login });
    await client.connect();
    const { rows } = await client.query<{ search_path: string }>('show search_path');
    await client.end();
    return rows[0]?.search_path;
  };

  const OTHERS = [
    ['plain', 'login'],
    ['without_login', ''],
    ['superuser', 'superuser'],
    ['creates_roles', 'createrole'],
    ['creates_databases', 'createdb'],
    ['replicates', 'replication'],
  ] as const;

  it.each(OTHERS)('does not change another owner’s role: %s', async (name, attributes) => {
    const role = `${PREFIX}_${name}`;
    await admin.query(`create role ${role} ${attributes}`);
    const before = await readProperties(role);
    await expect(store.create(role, null)).rejects.toMatchObject({ code: 'role_name_in_use' });
    expect(await readProperties(role)).toEqual(before);
  });

  it('does not change the role with which the service connects', async () => {
    const before = await readProperties(OWNER);
    await expect(store.create(OWNER, null)).rejects.toMatchObject({ code: 'role_name_in_use' });
    expect(await readProperties(OWNER)).toEqual(before);
  });

  it('gives a new password to a role that it created', async () => {
    const name = `${PREFIX}_own`;
    const first = await store.create(name, null);
    const second = await store.create(name, null);
    expect(second.password).not.toBe(first.password);
    expect(await searchPathOf(second)).toBe('analytics');
  });

  it('recognises a role that an earlier version created without a mark', async () => {
    const name = `${PREFIX}_former`;
    await store.create(name, null);
    await admin.query(`comment on role ${name} is null`);
    await admin.query(`alter role ${name} reset all`);
    await admin.query(`alter role ${name} set default_transaction_read_only = on`);
    await admin.query(`alter role ${name} set search_path = analytics`);
    expect(await searchPathOf(await store.create(name, null))).toBe('analytics');
  });

  it.each([
    ['of another database', (name: string) => `comment on role ${name} is 'an analyst of another'`],
    ['that was made more of', (name: string) => `alter role ${name} superuser`],
  ])('does not change an analyst %s', async (what, change) => {
    const name = `${PREFIX}_analyst_${what.length}`;
    await store.create(name, null);
    await admin.query(change(name));
    const before = await readProperties(name);
    await expect(store.create(name, null)).rejects.toMatchObject({ code: 'role_name_in_use' });
    expect(await readProperties(name)).toEqual(before);
  });

  it.each([
    ['has another setting', (name: string) => `alter role ${name} set work_mem = '1MB'`],
    ['is a member of another role', (name: string) => `grant pg_monitor to ${name}`],
  ])('does not adopt a role without a mark if it %s', async (what, change) => {
    const name = `${PREFIX}_unmarked_${what.length}`;
    await store.create(name, null);
    await admin.query(`comment on role ${name} is null`);
    await admin.query(change(name));
    await expect(store.create(name, null)).rejects.toMatchObject({ code: 'role_name_in_use' });
  });

  const asAnalyst = async <T>(
    { name: user, ...login }: Analyst,
    work: (client: Client) => Promise<T>,
  ): Promise<T> => {
    const client = new Client({ user, ...login });
    // The service may end a session that blocks it.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  const MEMBERS = 'select distinct tenant_id from analytics.cohort_members order by tenant_id';

  const addMembers = (): Promise<unknown> =>
    database.query({
      text: `insert into read_model.cohort_members (scope, cohort_id, subscriber_id, entered_at)
        values ('tnt_a.live', 'a', 's', now()), ('tnt_b.live', 'b', 's', now())
        on conflict do nothing`,
    });

  it('restricts an analyst to one tenant, also if the role is requested again', async () => {
    await addMembers();
    const name = `${PREFIX}_confined`;
    await store.create(name, 'tnt_b');
    const confined = await store.create(name, null);
    const wide = await store.create(`${PREFIX}_wide`, null);
    const readAsAnalyst = (analyst: Analyst) =>
      asAnalyst(analyst, async (client) => (await client.query<object>(MEMBERS)).rows);
    expect(await readAsAnalyst(confined)).toEqual([{ tenant_id: 'tnt_b' }]);
    expect(await readAsAnalyst(wide)).toEqual([{ tenant_id: 'tnt_a' }, { tenant_id: 'tnt_b' }]);
  });

  it.each([
    'set default_transaction_read_only = off',
    'set statement_timeout = 0',
    'set idle_in_transaction_session_timeout = 0',
    `set statement_timeout = '1h'`,
  ])('shows nothing to an analyst who removes a restriction: %s', async (lift) => {
    const analyst = await store.create(`${PREFIX}_limited`, null);
    await asAnalyst(analyst, async (client) => {
      await client.query(MEMBERS);
      await client.query(lift);
      await expect(client.query(MEMBERS)).rejects.toThrow(/analysts (read only|have time limits)/);
      for (const write of ['lo_create(0)', "lo_from_bytea(0, 'x')"])
        await expect(client.query(`select ${write}`)).rejects.toThrow('permission denied');
      await expect(client.query('create temporary table t (a int)')).rejects.toThrow(
        /permission denied|read-only/,
      );
    });
  });

  it('starts while an analyst has an open transaction, and ends sessions that block it', async () => {
    const analyst = await store.create(`${PREFIX}_idle`, null);
    await asAnalyst(analyst, async (client) => {
      await client.query('begin');
      await client.query(MEMBERS);
      // An update of the service changes the views in the same way.
      await database.query({ text: `comment on schema analytics is 'an earlier definition'` });
      await migrate(database);
    });
    const [found] = await database.query<{ mark: string }>({
      text: `select obj_description('analytics'::regnamespace, 'pg_namespace') as mark`,
    });
    expect(found?.mark).toMatch(/^defined by /);
    await asAnalyst(analyst, (client) => client.query(MEMBERS));
  });

  it('creates a role once when it is requested several times at once', async () => {
    const name = `${PREFIX}_at_once`;
    const made = await Promise.all([store.create(name, null), store.create(name, null)]);
    expect(made.map((each) => each.name)).toEqual([name, name]);
  });
});
