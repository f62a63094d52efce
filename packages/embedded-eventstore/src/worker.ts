import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { FaultName } from './faults/faults';
import type { FaultSchedule } from './faults/schedule';
import type { MaintenanceOrder, MaintenanceStatus } from './maintenance';
import { startServer, type Server, type ServerOptions } from './server';

export interface WorkerData {
  readonly options: ServerOptions;
  /** The port over which the clients in the other thread call. */
  readonly clients: MessagePort;
}

/** A message from the worker to the thread that started it. */
export type WorkerReport =
  | { readonly kind: 'ready'; readonly port: number }
  /** The response to a request of this id. */
  | { readonly kind: 'answer'; readonly id: number; readonly maintenance: MaintenanceStatus }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };

/** A request to the worker. Each one is answered with the state of the maintenance. */
export type WorkerRequest =
  | { readonly kind: 'inject-fault'; readonly name: FaultName; readonly schedule: FaultSchedule }
  | { readonly kind: 'clear-faults' }
  | { readonly kind: 'maintain'; readonly order: MaintenanceOrder }
  | { readonly kind: 'maintenance-status' };

export type WorkerCommand =
  | { readonly kind: 'close' }
  | { readonly kind: 'request'; readonly id: number; readonly request: WorkerRequest };

const report = (message: WorkerReport): void => {
  parentPort?.postMessage(message);
};

const reportFailure = (error: unknown): void => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  report({ kind: 'failed', name, message });
};

const handleCommands = (server: Server): void => {
  parentPort?.on('message', (command: WorkerCommand) => {
    if (command.kind === 'request') {
      answer(server, command.request);
      report({ kind: 'answer', id: command.id, maintenance: server.maintenance.status });
      return;
    }
    void server
      .close()
      .catch(reportFailure)
      .finally(() => parentPort?.close());
  });
};

const answer = (server: Server, request: WorkerRequest): void => {
  switch (request.kind) {
    case 'inject-fault':
      server.injectFault(request.name, request.schedule);
      return;
    case 'clear-faults':
      server.clearFaults();
      return;
    case 'maintain':
      server.maintenance.start(request.order);
      return;
    case 'maintenance-status':
  }
};

const { options, clients } = workerData as WorkerData;

startServer(options).then(
  (server) => {
    server.serveThread(clients);
    handleCommands(server);
    report({ kind: 'ready', port: server.port });
    void server.failed.then(reportFailure);
  },
  (error: unknown) => {
    reportFailure(error);
    parentPort?.close();
    clients.close();
  },
);
