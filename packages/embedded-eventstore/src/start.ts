import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { ThreadConnection } from './client/thread-channel';
import type { FaultName } from './faults/faults';
import type { FaultSchedule } from './faults/schedule';
import type { MaintenanceOrder, MaintenanceStatus } from './maintenance';
import { createConnectionString } from './socket-address';
import type { WorkerCommand, WorkerData, WorkerReport, WorkerRequest } from './worker';

export type { MaintenanceOrder, MaintenanceStatus, MaintenanceTask } from './maintenance';

export { connectToThread, createConnectionString } from './socket-address';

export { DISK_FREE_BYTES_MIN } from './base/limits';

// The service imports only this file of the embedded event store.

export interface EmbeddedEventStoreOptions {
  readonly dir: string;
  /**
   * The path of a Unix socket to listen on (at most 107 bytes), instead of host and port. Everyone
   * who can enter its directory can connect. Only clients of this process can find it.
   */
  readonly socketPath?: string;
  /** The address to listen on. The default is 127.0.0.1. */
  readonly host?: string;
  /** The TCP port. The default 0 takes any free port. */
  readonly port?: number;
  /** True to write category links (`$ce-…`), which is the default. */
  readonly projections?: boolean;
}

export interface EmbeddedEventStore {
  /**
   * The connection string: `esdb://127.0.0.1:PORT?tls=false`, or `esdb://embedded:N?tls=false` for
   * a Unix socket.
   */
  readonly connectionString: string;
  /** The TCP port; 0 if the server listens on a Unix socket. */
  readonly port: number;
  /** Resolves when everything acknowledged is on disk and the worker has ended. */
  close(): Promise<void>;
  /** For tests: sets the schedule of a fault. Resolves when it is set. */
  injectFault(name: FaultName, schedule: FaultSchedule): Promise<void>;
  /** For tests: ends all faults. */
  clearFaults(): Promise<void>;
  /** Starts a maintenance task, unless one runs, and returns the status of the one that runs. */
  maintain(order: MaintenanceOrder): Promise<MaintenanceStatus>;
  maintenanceStatus(): Promise<MaintenanceStatus>;
  /**
   * Resolves with the reason if the worker thread dies or can no longer write. Then the process
   * must end.
   */
  readonly failed: Promise<Error>;
}

/** Starts the server in a worker thread. Rejects if the directory is in use or cannot be read. */
export const startEmbeddedEventStore = (
  options: EmbeddedEventStoreOptions,
): Promise<EmbeddedEventStore> => {
  const host = options.host ?? '127.0.0.1';
  const { socketPath } = options;
  const { port1, port2 } = new MessageChannel();
  const thread = new ThreadConnection(port1);
  const worker = startWorker({
    options: {
      dir: options.dir,
      host,
      port: options.port ?? 0,
      projections: options.projections === false ? 'none' : 'category',
      ...(socketPath === undefined ? {} : { socketPath }),
    },
    clients: port2,
  });
  return new Promise((resolve, reject) => {
    let closing = false;
    let exited!: () => void;
    const exit = new Promise<void>((done) => (exited = done));
    let fail!: (error: Error) => void;
    const failed = new Promise<Error>((done) => (fail = done));
    const reportFailure = (error: Error): void => {
      reject(error);
      if (!closing) fail(error);
    };
    const close = (): Promise<void> => {
      if (!closing) worker.postMessage({ kind: 'close' } satisfies WorkerCommand);
      closing = true;
      return exit;
    };
    const requests = new Requests(worker);
    worker.on('message', (report: WorkerReport) => {
      if (report.kind === 'failed')
        reportFailure(Object.assign(new Error(report.message), { name: report.name }));
      else if (report.kind === 'answer') requests.finish(report.id, report.maintenance);
      else {
        const { port } = report;
        const connectionString =
          socketPath === undefined
            ? createUrl(host, port)
            : createConnectionString(socketPath, thread);
        resolve({ connectionString, port, close, failed, ...createRequests(requests) });
      }
    });
    worker.on('error', reportFailure);
    worker.on('exit', (code) => {
      reportFailure(new Error(`The embedded event store ended unexpectedly (code ${code}).`));
      requests.fail(new Error('The embedded event store has ended.'));
      thread.close();
      exited();
    });
  });
};

type WorkerRequestName = 'injectFault' | 'clearFaults' | 'maintain' | 'maintenanceStatus';

const createRequests = (requests: Requests): Pick<EmbeddedEventStore, WorkerRequestName> => ({
  injectFault: async (name, schedule) => {
    await requests.send({ kind: 'inject-fault', name, schedule });
  },
  clearFaults: async () => {
    await requests.send({ kind: 'clear-faults' });
  },
  maintain: (order) => requests.send({ kind: 'maintain', order }),
  maintenanceStatus: () => requests.send({ kind: 'maintenance-status' }),
});

interface Waiting {
  readonly resolve: (status: MaintenanceStatus) => void;
  readonly reject: (error: Error) => void;
}

/** Requests to the worker that it has not answered yet. */
class Requests {
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(private readonly worker: Worker) {}

  send(request: WorkerRequest): Promise<MaintenanceStatus> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.worker.postMessage({ kind: 'request', id, request } satisfies WorkerCommand);
    });
  }

  finish(id: number, status: MaintenanceStatus): void {
    this.#waiting.get(id)?.resolve(status);
    this.#waiting.delete(id);
  }

  fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

const createUrl = (host: string, port: number): string => `esdb://${host}:${port}?tls=false`;

/** Starts the worker: from its compiled file in a build, from its source in tests. */
const startWorker = (workerData: WorkerData): Worker => {
  const compiled = join(__dirname, 'worker.js');
  const start = { workerData, transferList: [workerData.clients] };
  return existsSync(compiled)
    ? new Worker(compiled, start)
    : new Worker(join(__dirname, 'worker.ts'), {
        ...start,
        execArgv: ['-r', '@swc-node/register'],
      });
};
