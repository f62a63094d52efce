import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type Analyst, AnalystStore } from '../../src/features/analytics/analyst.store';
import { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import type { Runtime } from '../../src/runtime';
import { describeWithPostgres } from '../support/cluster';
import { databases } from '../support/databases';

/** Roles belong to the whole server: these are the suite's own, and none of them is left behind. */
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
    const { env, drop: dropDatabase } = await databases[1]!.create();
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

  /** What `create` would change of a role. */
  const looksOf = async (name: string): Promise<unknown> => {
    const { rows } = await admin.query(
      `select rolcanlogin, rolpassword, setconfig from pg_authid
        left join pg_db_role_setting on setrole = oid where rolname = $1`,
      [name],
    );
    return rows;
  };

  /** Logs in as the analyst. */
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

  it.each(OTHERS)('leaves a role of somebody else alone: %s', async (name, attributes) => {
    const role = `${PREFIX}_${name}`;
    await admin.query(`create role ${role} ${attributes}`);
    const before = await looksOf(role);
    await expect(store.create(role)).rejects.toMatchObject({ code: 'role_name_in_use' });
    expect(await looksOf(role)).toEqual(before);
  });

  it('leaves the role that the service itself connects with alone', async () => {
    const before = await looksOf(OWNER);
    await expect(store.create(OWNER)).rejects.toMatchObject({ code: 'role_name_in_use' });
    expect(await looksOf(OWNER)).toEqual(before);
  });

  it('gives a role of its own a new password', async () => {
    const name = `${PREFIX}_own`;
    const first = await store.create(name);
    const second = await store.create(name);
    expect(second.password).not.toBe(first.password);
    expect(await searchPathOf(second)).toBe('analytics');
  });

  it('knows a role that an earlier version made, which left no mark', async () => {
    const name = `${PREFIX}_former`;
    await store.create(name);
    await admin.query(`comment on role ${name} is null`);
    expect(await searchPathOf(await store.create(name))).toBe('analytics');
  });

  it.each([
    ['of another database', (name: string) => `comment on role ${name} is 'an analyst of another'`],
    ['that was made more of', (name: string) => `alter role ${name} superuser`],
  ])('leaves an analyst %s alone', async (what, change) => {
    const name = `${PREFIX}_analyst_${what.length}`;
    await store.create(name);
    await admin.query(change(name));
    const before = await looksOf(name);
    await expect(store.create(name)).rejects.toMatchObject({ code: 'role_name_in_use' });
    expect(await looksOf(name)).toEqual(before);
  });

  it.each([
    ['has another setting', (name: string) => `alter role ${name} set work_mem = '1MB'`],
    ['is a member of another role', (name: string) => `grant pg_monitor to ${name}`],
  ])('does not take a role without a mark for its own where it %s', async (what, change) => {
    const name = `${PREFIX}_unmarked_${what.length}`;
    await store.create(name);
    await admin.query(`comment on role ${name} is null`);
    await admin.query(change(name));
    await expect(store.create(name)).rejects.toMatchObject({ code: 'role_name_in_use' });
  });

  it('makes a role once when it is asked for several times at once', async () => {
    const name = `${PREFIX}_at_once`;
    const made = await Promise.all([store.create(name), store.create(name)]);
    expect(made.map((each) => each.name)).toEqual([name, name]);
  });
});
