import { randomUUID } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { AppendDisturbance } from './faults/append-disturbance';
import { Faults, type FaultName, type FaultPlan } from './faults/faults';
import type { FaultSchedule } from './faults/schedule';
import { SilenceGate } from './faults/silence';
import { APPEND_BYTES_MAX } from './base/limits';
import { Maintenance } from './maintenance';
import { Groups } from './persistent/groups';
import { type ProjectionName, PROJECTIONS } from './projections/definitions';
import { SystemProjections } from './projections/system-projections';
import { errors } from './protocol/rpc-error';
import type { AppendParts } from './services/append';
import { countAllBytes, countDataBytes } from './services/append-validation';
import { answerHttp } from './services/http';
import { createRoutes } from './services/routes';
import { EventLog } from './storage/event-log';
import { writeUsers } from './storage/users';
import { Scavenger } from './storage/scavenger';
import { Hub } from './subscriptions/hub';
import { createAuthenticator, type Users } from './transport/authentication';
import { Dispatcher } from './transport/dispatcher';
import { GrpcServer } from './transport/grpc-server';
import type { Certificate } from './transport/port';
import { ThreadServer } from './transport/thread-server';

export interface ServerOptions {
  readonly dir: string;
  readonly host: string;
  /** The TCP port; 0 for any free port. */
  readonly port: number;
  /** The path of a Unix socket to listen on, instead of host and port. */
  readonly socketPath?: string;
  /**
   * The projections that a new directory starts with. Clients can enable and disable them later.
   */
  readonly projections: InitialProjections;
  readonly tls?: Certificate;
  /** The users. If there are any, each client needs basic authentication. */
  readonly users?: Users;
  /** The host name that gossip reports to clients, if it differs from `host`. */
  readonly advertiseHost?: string;
  /** EventStoreDB's `MaxAppendSize`, in bytes. */
  readonly appendBytesMax?: number;
  /** True to count the bytes of an append as EventStoreDB did before 24.10.4. */
  readonly countsDataBytesOnly?: boolean;
  readonly commitTimeoutMs?: number;
  /** Is called when an administrator calls `Shutdown`. If it is missing, the call is refused. */
  readonly onShutdown?: () => void;
  readonly faults?: FaultPlan;
  /** The seed that makes random faults repeatable. */
  readonly faultSeed?: number;
  /** The interval at which events that were truncated or have expired are removed. */
  readonly scavengeIntervalMs?: number;
}

/**
 * The projections that are enabled in a new directory. The service needs category links only, and
 * links of other projections would cost writes that nobody reads. `standard` are those that
 * EventStoreDB runs with `EVENTSTORE_START_STANDARD_PROJECTIONS=true`.
 */
const INITIAL_PROJECTIONS = {
  none: [],
  category: ['$by_category'],
  standard: Object.keys(PROJECTIONS) as ProjectionName[],
} as const satisfies Record<string, readonly ProjectionName[]>;

export type InitialProjections = keyof typeof INITIAL_PROJECTIONS;

export interface Server {
  /** The TCP port; 0 if the server listens on a Unix socket. */
  readonly port: number;
  readonly maintenance: Maintenance;
  readonly failed: Promise<Error>;
  /** Serves the clients in another thread of this process over a message port. */
  serveThread(port: MessagePort): void;
  /** Sets the schedule of a fault from this moment on. */
  injectFault(name: FaultName, schedule: FaultSchedule): void;
  /** Ends all faults. Returns how often they struck since they were ended last. */
  clearFaults(): number;
  /** Resolves when every acknowledged append is on disk and the files are closed. */
  close(): Promise<void>;
}

/** All parts of the server except the network interface. */
interface Store {
  readonly log: EventLog;
  readonly hub: Hub;
  readonly faults: Faults;
  readonly projections: SystemProjections;
  readonly groups: Groups;
  readonly scavenger: Scavenger;
  readonly maintenance: Maintenance;
}

const openStore = async (options: ServerOptions): Promise<Store> => {
  const { dir, commitTimeoutMs } = options;
  const log = new EventLog({ dir, commitTimeoutMs });
  const hub = new Hub();
  const faults = new Faults(options.faults, options.faultSeed);
  const projections = new SystemProjections(log, faults);
  log.onCommitted = (events) => {
    hub.publish(events);
  };
  log.onRolledBack = () => {
    projections.rollBack();
  };
  const isNew = log.isEmpty;
  writeUsers(log, options.users?.keys() ?? []);
  projections.start(INITIAL_PROJECTIONS[options.projections]);
  const groups = new Groups({ log, hub, faults });
  const scavenger = new Scavenger(log, options.scavengeIntervalMs);
  // The first client must find the events with which a new store begins.
  await log.waitUntilFlushed().catch((error: unknown) => {
    // On a full disk nothing can be written, but a store that has events can still be read.
    if (isNew) throw error;
  });
  scavenger.start();
  const maintenance = new Maintenance(log, scavenger);
  maintenance.resume();
  return { log, hub, faults, projections, groups, scavenger, maintenance };
};

/** Opens the directory and serves it. Rejects if the directory is in use or cannot be read. */
export const startServer = async (options: ServerOptions): Promise<Server> => {
  const store = await openStore(options);
  const { log, faults, groups } = store;
  const closing = new AbortController();
  const endPoint = { host: options.advertiseHost ?? options.host, port: options.port };
  const disturbance = new AppendDisturbance({
    faults,
    breakConnections: () => {
      server.breakConnections();
      threads?.breakConnections();
    },
    changeLeader: () => {
      groups.dropConsumers();
      log.recentIds.clear();
      return endPoint;
    },
  });
  const appending = createAppending(options, { log, closing: closing.signal, disturbance });
  const users = options.users ?? new Map<string, string>();
  const authenticate = createAuthenticator(users);
  const operating = {
    ...store,
    node: { log, member: { instanceId: randomUUID(), endPoint } },
    users,
    shutDown: options.onShutdown,
  };
  const dispatcher = new Dispatcher({
    routes: createRoutes({ ...store, appending, operating }),
    authenticate,
    gate: new SilenceGate(faults),
    intercept: (path) =>
      REFUSED_BY_FOLLOWERS.test(path) && faults.strikes('not-leader')
        ? errors.notLeader(endPoint.host, endPoint.port)
        : undefined,
  });
  const server = await GrpcServer.listen({
    host: options.host,
    port: options.port,
    socketPath: options.socketPath,
    dispatcher,
    http: answerHttp({ appending, operating, authenticate }),
    tls: options.tls,
  });
  let threads: ThreadServer | undefined;
  endPoint.port = server.port;
  return {
    port: server.port,
    failed: log.failed,
    maintenance: store.maintenance,
    serveThread: (port) => {
      threads = new ThreadServer(port, dispatcher);
    },
    injectFault: (name, schedule) => {
      faults.inject(name, schedule);
    },
    clearFaults: () => faults.clear(),
    close: async () => {
      groups.close();
      closing.abort();
      dispatcher.endCalls();
      threads?.close();
      await server.close();
      await closeStore(store);
    },
  };
};

const createAppending = (
  options: ServerOptions,
  parts: Pick<AppendParts, 'log' | 'closing' | 'disturbance'>,
): AppendParts => ({
  ...parts,
  appendBytesMax: options.appendBytesMax ?? APPEND_BYTES_MAX,
  countBytes: options.countsDataBytesOnly === true ? countDataBytes : countAllBytes,
});

/** Resolves when everything acknowledged is on disk and the files are closed. */
const closeStore = async ({ projections, scavenger, maintenance, log }: Store): Promise<void> => {
  projections.close();
  const maintained = maintenance.close();
  await scavenger.close();
  await maintained;
  await log.close();
};

const REFUSED_BY_FOLLOWERS = /\.(Streams|PersistentSubscriptions)\//;
