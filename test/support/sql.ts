import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { EMBEDDED_SQL_CONNECTIONS, startEmbeddedSql } from '../../src/embedded-sql/start';
import { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import type { TestDatabase } from './databases';
import { askForSql } from './shared-services-client';
import { prepareSqlTemplate } from './sql-template';

interface OpenDatabase {
  readonly sql: Database;
  readonly close: () => Promise<void>;
}

/** Opens an empty database without a schema: PGlite behind its socket, or PostgreSQL. */
export const openSql = async (database: TestDatabase): Promise<OpenDatabase> => {
  const { env, drop } = await database.create();
  const url = env['DATABASE_URL'];
  if (url === undefined) return openEmbeddedSql();
  const sql = new Database(url, 2);
  return { sql, close: () => sql.close().then(drop) };
};

/** Opens an empty embedded database with the service's schema. */
export const openMigratedSql = async (): Promise<OpenDatabase> => {
  const open = await openEmbeddedSql();
  await migrate(open.sql);
  return open;
};

/** Opens the embedded database that the suites of a worker use one after the other. */
const openEmbeddedSql = async (): Promise<OpenDatabase> => {
  const { connectionString } = await askForSql();
  await clearDatabase(connectionString);
  const sql = new Database(connectionString, EMBEDDED_SQL_CONNECTIONS, { isEmbedded: true });
  return { sql, close: () => sql.close() };
};

/** Deletes everything that an earlier suite left in a database and in its only session. */
const clearDatabase = async (connectionString: string): Promise<void> => {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(nspname) as name from pg_namespace
     where nspname !~ '^pg_' and nspname <> 'information_schema'`,
  );
  for (const { name } of rows) await client.query(`drop schema ${name} cascade`);
  await client.query('create schema public');
  await client.query('discard all');
  await client.end();
};

/** Starts an embedded database with the service's schema that nothing else uses. */
export const startOwnSql = async (): Promise<OpenDatabase> => {
  const dir = mkdtempSync(join(tmpdir(), 'ses-sql-'));
  cpSync(await prepareSqlTemplate(), join(dir, 'sql'), { recursive: true });
  const embedded = await startEmbeddedSql(join(dir, 'sql'));
  const sql = new Database(embedded.connectionString, EMBEDDED_SQL_CONNECTIONS, {
    isEmbedded: true,
  });
  await migrate(sql);
  return {
    sql,
    close: async () => {
      await sql.close();
      await embedded.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
