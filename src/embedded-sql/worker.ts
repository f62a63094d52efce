import { PGlite } from '@electric-sql/pglite';
import { once } from 'node:events';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { WireServer } from './server';
import type { SqlWorkerData } from './worker-data';

/**
 * Start parameters. Frequently read data fits into the shared buffers, and the operating system
 * caches the files.
 */
const SETTINGS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

/**
 * Directory of an empty database with all tables, made by the build. Copying it takes a tenth of
 * the time of creating one.
 */
const TEMPLATE_DIRECTORY = join(__dirname, 'template');

/**
 * Copies the template. The directory appears by a rename, so an interrupted start leaves no
 * incomplete database.
 */
const copyTemplate = (dir: string): void => {
  if (existsSync(dir) || !existsSync(TEMPLATE_DIRECTORY)) return;
  const draft = `${dir}.new`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(TEMPLATE_DIRECTORY, draft, { recursive: true });
  renameSync(draft, dir);
};

/**
 * Runs PostgreSQL, compiled to WebAssembly, in this thread behind its wire protocol.
 *
 * The listener for the stop must come first, because it keeps the event loop alive. Node runs the
 * start of a thread with an empty loop while it drains V8's tasks, and then waits until V8 has
 * optimized the large functions of the engine: up to 0.6 s.
 */
const serve = async (
  { dir, socketPath, connectionsMax }: SqlWorkerData,
  port: MessagePort,
): Promise<void> => {
  const stop = once(port, 'message');
  copyTemplate(dir);
  const db = await PGlite.create({ dataDir: dir, relaxedDurability: false, startParams: SETTINGS });
  await checkReadable(db);
  const server = new WireServer(db, connectionsMax);
  await server.listen(socketPath);
  port.postMessage('listening');
  await stop;
  await server.close();
  await db.close();
  port.close();
};

/**
 * Reads one row of every table. A database can start although a table is damaged, and the read then
 * throws.
 */
const checkReadable = async (db: PGlite): Promise<void> => {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('service', 'read_model')`,
  );
  for (const { name } of rows) await db.query(`select * from ${name} limit 1`);
};

if (parentPort === null) throw new Error('this file is a worker thread');
void serve(workerData as SqlWorkerData, parentPort);
