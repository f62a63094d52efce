import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { parentPort, workerData } from 'node:worker_threads';

/** One is used at a time; a second may come while the one that broke is still being closed. */
const MAX_CONNECTIONS = 2;

/** PostgreSQL compiled to WebAssembly, in a thread of its own, behind its wire protocol. */
const serve = async (dir: string): Promise<void> => {
  const db = await PGlite.create({ dataDir: dir, relaxedDurability: false });
  await checkReadable(db);
  const server = new PGLiteSocketServer({
    db,
    host: '127.0.0.1',
    port: 0,
    maxConnections: MAX_CONNECTIONS,
  });
  await server.start();
  const [, port] = server.getServerConn().split(':');
  parentPort?.on('message', () => {
    void server
      .stop()
      .then(() => db.close())
      .then(() => parentPort?.close());
  });
  parentPort?.postMessage({ port: Number(port) });
};

/** A damaged directory may still start: touch every table and its indexes before trusting it. */
const checkReadable = async (db: PGlite): Promise<void> => {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('service', 'read_model')`,
  );
  for (const { name } of rows) await db.query(`select * from ${name} limit 1`);
};

void serve((workerData as { dir: string }).dir);
