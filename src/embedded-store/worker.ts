import { parentPort, workerData } from 'node:worker_threads';
import { startServer, type Server, type ServerOptions } from './server';

/** What the worker tells the thread that started it. */
export type WorkerReport =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'failed'; readonly message: string };

/** What it is told. */
export type WorkerCommand = { readonly kind: 'close' };

const report = (message: WorkerReport): void => {
  parentPort?.postMessage(message);
};

const reportFailure = (error: unknown): void => {
  report({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
};

const obey = (server: Server): void => {
  parentPort?.on('message', (_command: WorkerCommand) => {
    void server
      .close()
      .catch(reportFailure)
      .finally(() => parentPort?.close());
  });
};

startServer(workerData as ServerOptions).then(
  (server) => {
    obey(server);
    report({ kind: 'ready', port: server.port });
    void server.failed.then(reportFailure);
  },
  (error: unknown) => {
    reportFailure(error);
    parentPort?.close();
  },
);
