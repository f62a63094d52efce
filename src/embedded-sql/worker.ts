import { PGlite } from '@electric-sql/pglite';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { WireServer } from './server';
import type { SqlWorkerData } from './worker-data';

/** What is read more often than seldom fits in; the system caches the files beside it. */
const SETTINGS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

/** A new database with all tables, made by the build: copying it takes a tenth of making one. */
const TEMPLATE = join(__dirname, 'template');

/** The directory appears whole, so a start that is cut off leaves no half of a database. */
const copyTemplate = (dir: string): void => {
  if (existsSync(dir) || !existsSync(TEMPLATE)) return;
  const draft = `${dir}.new`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(TEMPLATE, draft, { recursive: true });
  renameSync(draft, dir);
};

/** PostgreSQL compiled to WebAssembly, in a thread of its own, behind its wire protocol. */
const serve = async ({ dir, socketPath, connectionsMax }: SqlWorkerData): Promise<void> => {
  copyTemplate(dir);
  const db = await PGlite.create({ dataDir: dir, relaxedDurability: false, startParams: SETTINGS });
  await checkReadable(db);
  const server = new WireServer(db, connectionsMax);
  await server.listen(socketPath);
  parentPort?.on('message', () => {
    void server
      .close()
      .then(() => db.close())
      .then(() => parentPort?.close());
  });
  parentPort?.postMessage('listening');
};

/** A damaged directory may still start: touch every table and its indexes before trusting it. */
const checkReadable = async (db: PGlite): Promise<void> => {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('service', 'read_model')`,
  );
  for (const { name } of rows) await db.query(`select * from ${name} limit 1`);
};

void serve(workerData as SqlWorkerData);
