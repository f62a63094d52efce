import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SqlWorkerData } from './worker-data';

export interface EmbeddedSql {
  readonly connectionString: string;
  /**
   * The new path of a damaged directory that was replaced by an empty one; null if there was none.
   */
  readonly setAside: string | null;
  /** Resolves with the error if the database dies while it should run. */
  readonly failed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Number of connections. All connections of PGlite share one session, so a second connection would
 * see the transaction and the prepared statements of the first.
 */
export const EMBEDDED_SQL_CONNECTIONS = 1;

/**
 * Starts the embedded PostgreSQL on a Unix socket named `.s.PGSQL.<number>`. Its data can be
 * rebuilt from the log, so damage costs time but no data. A directory that cannot be opened, or was
 * found damaged while it was in use, is set aside.
 */
export const startEmbeddedSql = async (
  dir: string,
  socketPath = join(dir, SOCKET_NAME),
  clients = 1,
): Promise<EmbeddedSql> => {
  const options = { dir, socketPath, connectionsMax: clients * CONNECTIONS_PER_CLIENT };
  mkdirSync(dirname(dir), { recursive: true });
  if (!existsSync(locateDamageMarker(dir))) {
    try {
      return { ...(await start(options)), setAside: null };
    } catch (error) {
      if (!existsSync(dir)) throw error;
    }
  }
  const setAside = `${dir}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  if (existsSync(dir)) renameSync(dir, setAside);
  rmSync(locateDamageMarker(dir), { force: true });
  return { ...(await start(options)), setAside };
};

/**
 * Connections that one client may have. It uses one at a time, and a second may open while a broken
 * one is being closed.
 */
const CONNECTIONS_PER_CLIENT = 2;

/**
 * Heap limits of the worker thread. It works in WebAssembly memory and needs little JavaScript
 * heap.
 */
const WORKER_HEAP_LIMITS = { maxYoungGenerationSizeMb: 6 };

/** Name of the socket file, as PostgreSQL's clients expect it. */
const SOCKET_NAME = '.s.PGSQL.5432';

const locateDamageMarker = (dir: string): string => `${dir}.is-damaged`;

/** Marks a directory as damaged, so that the next start sets it aside. */
export const markDamaged = (dir: string): void => {
  writeFileSync(locateDamageMarker(dir), '');
};

const start = async (options: SqlWorkerData): Promise<Omit<EmbeddedSql, 'setAside'>> => {
  const worker = new Worker(...locateWorker(options));
  let closing = false;
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      resolve();
    });
  });
  const failed = new Promise<Error>((resolve) => {
    worker.once('error', resolve);
    worker.once('exit', (code) => {
      if (!closing) resolve(new Error(`the embedded database ended with code ${code}`));
    });
  });
  await Promise.race([
    new Promise<void>((resolve) => {
      worker.once('message', () => {
        resolve();
      });
    }),
    failed.then((error) => Promise.reject(error)),
  ]);
  return {
    connectionString: createSqlUrl(options.socketPath),
    failed,
    close: async () => {
      closing = true;
      worker.postMessage('close');
      await ended;
    },
  };
};

/**
 * Creates the connection string for PostgreSQL clients: the directory of the socket, and a port
 * that is part of its name.
 */
export const createSqlUrl = (socketPath: string): string => {
  const host = encodeURIComponent(dirname(socketPath));
  const port = extname(socketPath).slice(1);
  return `postgres://postgres@localhost/postgres?host=${host}&port=${port}&sslmode=disable`;
};

/** Returns the file of the worker: the compiled one in a build, the source in tests. */
const locateWorker = (workerData: SqlWorkerData): ConstructorParameters<typeof Worker> => {
  const compiled = join(__dirname, 'worker.js');
  const options = { workerData, resourceLimits: WORKER_HEAP_LIMITS };
  return existsSync(compiled)
    ? [compiled, options]
    : [join(__dirname, 'worker.ts'), { ...options, execArgv: ['-r', '@swc-node/register'] }];
};
