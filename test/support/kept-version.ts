import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { restoreBackup } from '../../src/config/backup-files';
import { startEmbeddedSql } from '../../src/embedded-sql/start';
import { sqlTemplate } from './sql-template';

/** The data of each released version, as `make-data.ts` wrote it. */
export const KEPT_VERSIONS = join(__dirname, '../upgrades/versions');

/** What `make-data.ts` wrote beside the backup of a version. */
export interface Expected {
  readonly tenant: { readonly id: string; readonly key: string };
  readonly everything: Readonly<Record<string, unknown>>;
}

export const expectedOf = (version: string): Expected =>
  JSON.parse(unzip(version, 'expected.json.gz').toString()) as Expected;

/** Puts the data of a version into an empty data directory: its log, its keys, its read models. */
export const restoreVersion = async (version: string, dataDir: string): Promise<void> => {
  const backup = mkdtempSync(join(tmpdir(), 'ses-upgrade-'));
  try {
    cpSync(join(KEPT_VERSIONS, version), backup, { recursive: true });
    mkdirSync(join(backup, 'eventstore'));
    writeFileSync(join(backup, 'eventstore/data.mdb'), unzip(version, 'data.mdb.gz'));
    await restoreBackup(backup, dataDir);
  } finally {
    rmSync(backup, { recursive: true });
  }
  await restoreReadModels(version, join(dataDir, 'sql'));
};

const restoreReadModels = async (version: string, dir: string): Promise<void> => {
  cpSync(await sqlTemplate(), dir, { recursive: true });
  const sql = await startEmbeddedSql(dir);
  const client = new Client({ connectionString: sql.connectionString });
  await client.connect();
  await client.query(unzip(version, 'read-models.sql.gz').toString());
  await client.end();
  await sql.close();
};

const unzip = (version: string, file: string): Buffer =>
  gunzipSync(readFileSync(join(KEPT_VERSIONS, version, file)));
