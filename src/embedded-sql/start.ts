import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

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
 * Starts the embedded PostgreSQL. What it holds can be rebuilt, so damage costs time, not data: a
 * directory that does not open, or was found damaged while it ran, is set aside.
 */
export const startEmbeddedSql = async (dir: string): Promise<EmbeddedSql> => {
  mkdirSync(dirname(dir), { recursive: true });
  if (!existsSync(damageMarker(dir))) {
    try {
      return { ...(await start(dir)), setAside: null };
    } catch (error) {
      if (!existsSync(dir)) throw error;
    }
  }
  const setAside = `${dir}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  if (existsSync(dir)) renameSync(dir, setAside);
  rmSync(damageMarker(dir), { force: true });
  return { ...(await start(dir)), setAside };
};

const damageMarker = (dir: string): string => `${dir}.is-damaged`;

/** Remembers that the directory must not be used again: the next start sets it aside. */
export const markDamaged = (dir: string): void => {
  writeFileSync(damageMarker(dir), '');
};

const start = async (dir: string): Promise<Omit<EmbeddedSql, 'setAside'>> => {
  const worker = new Worker(...workerEntry(dir));
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
  const port = await Promise.race([
    new Promise<number>((resolve) => {
      worker.once('message', ({ port: listening }: { port: number }) => {
        resolve(listening);
      });
    }),
    failed.then((error) => Promise.reject(error)),
  ]);
  return {
    connectionString: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    failed,
    close: async () => {
      closing = true;
      worker.postMessage('close');
      await ended;
    },
  };
};

/** Compiled beside this file in a build; compiled on the fly where tests run from the sources. */
const workerEntry = (dir: string): ConstructorParameters<typeof Worker> => {
  const compiled = join(__dirname, 'worker.js');
  return existsSync(compiled)
    ? [compiled, { workerData: { dir } }]
    : [
        join(__dirname, 'worker.ts'),
        { workerData: { dir }, execArgv: ['-r', '@swc-node/register'] },
      ];
};
