import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { type BackupManifest, restoreBackup } from '../../src/config/backup-files';
import { startEmbeddedSql } from '../../src/embedded-sql/start';
import { readEverything } from './everything';
import type { RunningService, TestTenant } from './service';
import { ShiftedClock } from './shifted-clock';
import { prepareSqlTemplate } from './sql-template';

/** The data of each released version, as `make-data.ts` wrote it. */
export const KEPT_VERSIONS = join(__dirname, '../upgrades/versions');

/** The file that `make-data.ts` wrote beside the backup of a version. */
interface Expected {
  readonly tenant: { readonly id: string; readonly key: string };
  readonly everything: Readonly<Record<string, unknown>>;
}

const readExpected = (version: string): Expected =>
  JSON.parse(readCompressed(version, 'expected.json.gz').toString()) as Expected;

/**
 * Returns a clock that shows the time at which the data was kept. The service deletes test clocks
 * with their subscribers after a week, so by the real time most of the data would soon be gone.
 */
export const openKeptClock = (version: string): ShiftedClock => {
  const { created_at } = JSON.parse(
    readFileSync(join(KEPT_VERSIONS, version, 'backup.json'), 'utf8'),
  ) as BackupManifest;
  const clock = new ShiftedClock();
  clock.set(Date.parse(created_at) - Date.now());
  return clock;
};

/** Returns the tenant whose data was kept. */
export const openKeptTenant = (service: RunningService, version: string): TestTenant => {
  const { id, key } = readExpected(version).tenant;
  return { id, key, api: service.createApi(key) };
};

/** The database deletes the delivery log after 30 days by a clock of its own (D-114). */
const DELIVERY_LOG = '/deliveries';

/** Series go on with each month; the one in which the data was made had not ended. */
const removeCurrentMonth = (before: unknown, after: unknown): [unknown, unknown] => {
  const months = before as unknown[];
  return [months.slice(0, -1), (after as unknown[]).slice(0, months.length - 1)];
};

/**
 * The service rebuilds this log after its start if a newer version projects it otherwise: it may
 * then hold more entries, under other ids.
 */
const AUDIT_LOG = '/audit_log';

const expectKeptEntries = (path: string, before: unknown, after: unknown): void => {
  const kept = (before as Record<string, unknown>[]).map(({ id: _, ...facts }) =>
    expectFieldsOf(facts),
  );
  expect({ path, entries: after }).toEqual({
    path,
    entries: expect.arrayContaining(kept) as unknown,
  });
};

/** Matches an object with these fields. A later version may have added more, at any depth. */
const expectFieldsOf = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : expect.objectContaining(
        Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [name, expectFieldsOf(inner)]),
        ),
      );

/** Until 1.0.0 the sample size of these metrics was not a number of items. */
const CORRECTED_SAMPLES = /^\/v1\/metrics\/(mrr_movements|mrr_churn_\w+|credit_outstanding)\b/;

const removeCorrected = (path: string, points: unknown): unknown =>
  CORRECTED_SAMPLES.test(path)
    ? (points as Record<string, unknown>[]).map(({ sample_size: _, ...point }) => point)
    : points;

/** Expects that a service has everything that a version had when its data was kept. */
export const expectKept = async (service: RunningService, version: string): Promise<void> => {
  // The kept key may lack the scope of a list that a later version has added.
  const { id } = openKeptTenant(service, version);
  const found = await readEverything(service, await service.createKey(id, 'test'));
  for (const [path, content] of Object.entries(readExpected(version).everything)) {
    if (path.endsWith(DELIVERY_LOG)) continue;
    if (path.endsWith(AUDIT_LOG)) {
      expectKeptEntries(path, content, found[path]);
      continue;
    }
    const [before, after] = path.startsWith('/v1/metrics/')
      ? removeCurrentMonth(removeCorrected(path, content), found[path])
      : [content, found[path]];
    expect({ path, content: after }).toMatchObject({ path, content: before });
  }
};

/** Puts the data of a version into an empty data directory: its log, its keys, its read models. */
export const restoreVersion = async (version: string, dataDir: string): Promise<void> => {
  const backup = mkdtempSync(join(tmpdir(), 'ses-upgrade-'));
  try {
    cpSync(join(KEPT_VERSIONS, version), backup, { recursive: true });
    mkdirSync(join(backup, 'eventstore'));
    writeFileSync(join(backup, 'eventstore/data.mdb'), readCompressed(version, 'data.mdb.gz'));
    await restoreBackup(backup, dataDir);
  } finally {
    rmSync(backup, { recursive: true });
  }
  await restoreReadModels(version, join(dataDir, 'sql'));
};

const restoreReadModels = async (version: string, dir: string): Promise<void> => {
  cpSync(await prepareSqlTemplate(), dir, { recursive: true });
  const sql = await startEmbeddedSql(dir);
  const client = new Client({ connectionString: sql.connectionString });
  await client.connect();
  await client.query(readCompressed(version, 'read-models.sql.gz').toString());
  await client.end();
  await sql.close();
};

const readCompressed = (version: string, file: string): Buffer =>
  gunzipSync(readFileSync(join(KEPT_VERSIONS, version, file)));
