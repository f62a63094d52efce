import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMBEDDED_SQL_CONNECTIONS, startEmbeddedSql } from '../../src/embedded-sql/start';
import { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { sqlTemplate } from './sql-template';

/** An embedded database with the service's schema and nothing in it. */
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
