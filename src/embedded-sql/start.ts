import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SqlWorkerData } from './worker-data';

export interface EmbeddedSql {
  readonly connectionString: string;
  /** Set when a damaged directory was found: where it was moved to. A new one took its place. */
  readonly setAside: string | null;
  /** Resolves with the reason if the database dies while it should run. */
  readonly failed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * PGlite serves one client at a time: its session is shared by all connections, so a second
 * connection would see the first one's transaction and prepared statements.
 */
export const EMBEDDED_SQL_CONNECTIONS = 1;

/**
 * Starts the embedded PostgreSQL on a socket of the file system, named `.s.PGSQL.<number>`. What it holds can be rebuilt, so damage costs time, not data: a
 * directory that does not open, or was found damaged while it ran, is set aside.
 */
export const startEmbeddedSql = async (
  dir: string,
  socketPath = join(dir, SOCKET),
  clients = 1,
): Promise<EmbeddedSql> => {
  const options = { dir, socketPath, connectionsMax: clients * CONNECTIONS_PER_CLIENT };
  mkdirSync(dirname(dir), { recursive: true });
  if (!existsSync(damageMarker(dir))) {
    try {
      return { ...(await start(options)), setAside: null };
    } catch (error) {
      if (!existsSync(dir)) throw error;
    }
  }
  const setAside = `${dir}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  if (existsSync(dir)) renameSync(dir, setAside);
  rmSync(damageMarker(dir), { force: true });
  return { ...(await start(options)), setAside };
};

/** One is used at a time; a second may come while the one that broke is still being closed. */
const CONNECTIONS_PER_CLIENT = 2;

/** The thread's work is done in WebAssembly's memory, not on its heap. */
const LITTLE_OF_JAVASCRIPT = { maxYoungGenerationSizeMb: 6 };

/** PostgreSQL's clients give a socket its name. */
const SOCKET = '.s.PGSQL.5432';

const damageMarker = (dir: string): string => `${dir}.is-damaged`;

/** Remembers that the directory must not be used again: the next start sets it aside. */
export const markDamaged = (dir: string): void => {
  writeFileSync(damageMarker(dir), '');
};

const start = async (options: SqlWorkerData): Promise<Omit<EmbeddedSql, 'setAside'>> => {
  const worker = new Worker(...workerEntry(options));
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
    connectionString: sqlUrlOf(options.socketPath),
    failed,
    close: async () => {
      closing = true;
      worker.postMessage('close');
      await ended;
    },
  };
};

/** As PostgreSQL's clients want it: the socket's directory, and a port that is a part of its name. */
export const sqlUrlOf = (socketPath: string): string => {
  const host = encodeURIComponent(dirname(socketPath));
  const port = extname(socketPath).slice(1);
  return `postgres://postgres@localhost/postgres?host=${host}&port=${port}&sslmode=disable`;
};

/** Compiled beside this file in a build; compiled on the fly where tests run from the sources. */
const workerEntry = (workerData: SqlWorkerData): ConstructorParameters<typeof Worker> => {
  const compiled = join(__dirname, 'worker.js');
  const options = { workerData, resourceLimits: LITTLE_OF_JAVASCRIPT };
  return existsSync(compiled)
    ? [compiled, options]
    : [join(__dirname, 'worker.ts'), { ...options, execArgv: ['-r', '@swc-node/register'] }];
};
