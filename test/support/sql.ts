import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMBEDDED_SQL_CONNECTIONS, startEmbeddedSql } from '../../src/embedded-sql/start';
import { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import type { TestDatabase } from './databases';
import { sqlTemplate } from './sql-template';

/** Creates an empty embedded database with the service's schema. */
export const emptyDatabase = async (): Promise<{
  database: Database;
  close: () => Promise<void>;
}> => {
  const dir = mkdtempSync(join(tmpdir(), 'ses-sql-'));
  cpSync(await sqlTemplate(), join(dir, 'sql'), { recursive: true });
  const sql = await startEmbeddedSql(join(dir, 'sql'));
  const database = new Database(sql.connectionString, EMBEDDED_SQL_CONNECTIONS);
  await migrate(database);
  return {
    database,
    close: async () => {
      await database.close();
      await sql.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

interface OpenDatabase {
  readonly sql: Database;
  readonly close: () => Promise<void>;
}

/** Opens a database without a schema: PGlite behind its socket, or PostgreSQL. */
export const openSql = async (database: TestDatabase): Promise<OpenDatabase> => {
  const { env, drop } = await database.create();
  const url = env['DATABASE_URL'];
  if (url !== undefined) {
    const sql = new Database(url, 2);
    return { sql, close: () => sql.close().then(drop) };
  }
  const dir = mkdtempSync(join(tmpdir(), 'rows-'));
  cpSync(await sqlTemplate(), dir, { recursive: true });
  const embedded = await startEmbeddedSql(dir);
  const sql = new Database(embedded.connectionString, EMBEDDED_SQL_CONNECTIONS);
  const close = async (): Promise<void> => {
    await sql.close();
    await embedded.close();
    rmSync(dir, { recursive: true, force: true });
  };
  return { sql, close };
};
