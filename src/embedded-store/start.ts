import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ServerOptions } from './server';
import type { WorkerCommand, WorkerReport } from './worker';

/** The only door between the service and the embedded event store. */

export interface EmbeddedEventStoreOptions {
  readonly dir: string;
  /** 127.0.0.1 unless given */
  readonly host?: string;
  /** 0, the default: any free port */
  readonly port?: number;
  /** Category links (`$ce-…`); on unless given. */
  readonly projections?: boolean;
}

export interface EmbeddedEventStore {
  /** `esdb://127.0.0.1:PORT?tls=false` */
  readonly connectionString: string;
  readonly port: number;
  /** Resolves when everything acknowledged is on disk and the worker has ended. */
  close(): Promise<void>;
  /** Resolves with the reason if the worker dies or can write no more: then the process must end. */
  readonly failed: Promise<Error>;
}

/** Starts the server in a worker thread. Rejects when the directory is in use or unreadable. */
export const startEmbeddedEventStore = (
  options: EmbeddedEventStoreOptions,
): Promise<EmbeddedEventStore> => {
  const host = options.host ?? '127.0.0.1';
  const worker = startWorker({
    dir: options.dir,
    host,
    port: options.port ?? 0,
    projections: options.projections ?? true,
  });
  return new Promise((resolve, reject) => {
    let closing = false;
    let exited!: () => void;
    const exit = new Promise<void>((done) => (exited = done));
    let fail!: (error: Error) => void;
    const failed = new Promise<Error>((done) => (fail = done));
    const failure = (error: Error): void => {
      reject(error);
      if (!closing) fail(error);
    };
    const close = (): Promise<void> => {
      if (!closing) worker.postMessage({ kind: 'close' } satisfies WorkerCommand);
      closing = true;
      return exit;
    };
    worker.on('message', (report: WorkerReport) => {
      if (report.kind === 'failed') failure(new Error(report.message));
      else
        resolve({ connectionString: urlOf(host, report.port), port: report.port, close, failed });
    });
    worker.on('error', failure);
    worker.on('exit', (code) => {
      failure(new Error(`The embedded event store ended unexpectedly (code ${code}).`));
      exited();
    });
  });
};

const urlOf = (host: string, port: number): string => `esdb://${host}:${port}?tls=false`;

/** Beside the compiled file lies the compiled worker; from sources, it is compiled on the way. */
const startWorker = (workerData: ServerOptions): Worker => {
  const compiled = join(__dirname, 'worker.js');
  return existsSync(compiled)
    ? new Worker(compiled, { workerData })
    : new Worker(join(__dirname, 'worker.ts'), {
        workerData,
        execArgv: ['-r', '@swc-node/register'],
      });
};
