import { requirePresent } from '../../kernel/present';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Config, ConfigError } from '../../config/config';
import {
  EMBEDDED_SQL_CONNECTIONS,
  markDamaged,
  createSqlUrl,
  startEmbeddedSql,
} from '../../embedded-sql/start';
import {
  connectToThread,
  createConnectionString,
  startEmbeddedEventStore,
} from '@subscription-event-service/embedded-eventstore';
import { log } from '../../ops/log';
import { readServiceFile } from '../../config/service-file';
import { EVENT_STORE_SOCKET, makePrivate, SQL_SOCKET } from './private-files';
import type { Siblings } from '../../config/siblings';
import type { StoreMaintenance } from '../../config/store-maintenance';
import type { Runtime } from '../../config/runtime';

export { DISK_FREE_BYTES_MIN } from '@subscription-event-service/embedded-eventstore';

const SQL_CONNECTIONS = 10;

/** A store of the service, embedded or external. */
interface Store {
  /** Lines about the store that are shown after the start. */
  readonly notes: readonly string[];
  /** Stops the store if it is embedded. */
  close(): Promise<void>;
}

export interface EventStore extends Store {
  readonly url: string;
  /** Prepares a client that was opened with the URL. */
  readonly prepareClient: (client: object) => void;
  /** Maintenance of the embedded store; null for an external one. */
  readonly maintenance: StoreMaintenance | null;
}

/** A SQL database that can be used, or will be soon. */
export interface SqlStore {
  readonly runtime: Pick<
    Runtime,
    'databaseUrl' | 'databaseConnectionsMax' | 'instanceId' | 'isAlone' | 'isSqlEmbedded'
  >;
  /** Resolves when the database can be used. It rejects if the embedded one cannot be opened. */
  readonly opened: Promise<OpenSqlStore>;
}

export interface OpenSqlStore extends Store {
  /** Called when the database reports unreadable data. */
  readonly onDamage: (error: Error) => void;
  /** True if a damaged database was set aside and replaced by an empty one. */
  readonly isNew: boolean;
}

export interface Stores {
  /** The master keys of the event store, and the function that saves them. */
  readonly keys: Pick<Runtime, 'masterKeys' | 'saveMasterKeys'>;
  readonly eventStore: EventStore;
  readonly sql: SqlStore;
  /** The other processes under the same supervisor; null for a service of one process. */
  readonly siblings: Siblings | null;
}

type OnFatal = (error: unknown) => void;

/**
 * The directory and the socket of an embedded store, and the function that is called when it fails.
 */
export interface StorePlace {
  readonly dataDir: string;
  /** The directory of the sockets, which only its owner can enter; null if no store is embedded. */
  readonly socketDir: string | null;
  readonly onFatal: OnFatal;
}

const requireSocketDirectory = (socketDir: string | null): string =>
  requirePresent(socketDir, 'the directory of the sockets');

const doNothing = (): Promise<void> => Promise.resolve();

/**
 * Starts the event store. The embedded one locks the data directory, so no other process can use
 * it.
 */
export const startEventStore = async (
  { eventStoreUrl }: Config,
  { dataDir, socketDir, onFatal }: StorePlace,
): Promise<EventStore> => {
  if (eventStoreUrl !== undefined) return createExternalEventStore(eventStoreUrl);
  const dir = join(dataDir, 'eventstore');
  const socketPath = join(requireSocketDirectory(socketDir), EVENT_STORE_SOCKET);
  const store = await startEmbeddedEventStore({ dir, socketPath }).catch((error: unknown) =>
    explainUnusableStore(error, dataDir),
  );
  void store.failed.then(onFatal);
  return {
    url: store.connectionString,
    prepareClient: (client) => {
      connectToThread(client, store.connectionString);
    },
    maintenance: {
      scavengesByItself: true,
      start: (order) => store.maintain(order),
      readStatus: () => store.maintenanceStatus(),
    },
    notes: [`event store     embedded, in ${dir} (one machine; EVENTSTORE_URL for a cluster)`],
    close: () => store.close(),
  };
};

export const createExternalEventStore = (url: string): EventStore => ({
  url,
  prepareClient: () => undefined,
  maintenance: null,
  notes: ['event store     EVENTSTORE_URL'],
  close: doNothing,
});

/** Connects to an embedded event store that another process of this service has started. */
export const connectToEventStore = (
  socketDir: string,
  maintenance: StoreMaintenance,
): EventStore => ({
  url: createConnectionString(join(socketDir, EVENT_STORE_SOCKET)),
  prepareClient: () => undefined,
  maintenance,
  notes: [],
  close: doNothing,
});

/**
 * Adds advice to the error of a directory that another process uses. Converts the error of a store
 * that another version wrote to a `ConfigError`, which the operator must resolve.
 */
const explainUnusableStore = (error: unknown, dataDir: string): never => {
  if (!(error instanceof Error)) throw error;
  switch (error.name) {
    case 'DirectoryLockedError':
      // The cause would only repeat the first sentence.
      throw new Error(`${error.message} ${adviseOnRunningService(dataDir)}`);
    case 'UnknownFormatError':
      throw new ConfigError([
        `${error.message} Start the version of the service that wrote it, or restore a backup from ` +
          'before the upgrade',
      ]);
    default:
      throw error;
  }
};

const adviseOnRunningService = (dataDir: string): string => {
  const url = readServiceFile(dataDir)?.url;
  const where = url === undefined ? '' : `The service already runs at ${url}. `;
  return `${where}A second one needs a directory and a port of its own: DATA_DIR=./data-2 PORT=3001 npm start`;
};

export const createExternalSqlStore = (databaseUrl: string): SqlStore => ({
  runtime: {
    databaseUrl,
    databaseConnectionsMax: SQL_CONNECTIONS,
    instanceId: randomUUID(),
    isAlone: false,
    isSqlEmbedded: false,
  },
  opened: Promise.resolve({
    notes: ['SQL database    DATABASE_URL'],
    onDamage: () => undefined,
    isNew: false,
    close: doNothing,
  }),
});

/** Connects to an embedded SQL database that another process of this service has started. */
export const connectToSqlStore = (
  socketDir: string,
  instanceId: string,
  onDamage: (error: Error) => void,
): SqlStore => ({
  runtime: {
    databaseUrl: createSqlUrl(join(socketDir, SQL_SOCKET)),
    databaseConnectionsMax: EMBEDDED_SQL_CONNECTIONS,
    instanceId,
    isAlone: false,
    isSqlEmbedded: true,
  },
  opened: Promise.resolve({ notes: [], onDamage, isNew: false, close: doNothing }),
});

/** Begins to open the SQL database. The embedded one opens in a thread of its own. */
export const startSqlStore = (config: Config, place: StorePlace, clients = 1): SqlStore => {
  if (config.databaseUrl !== undefined) return createExternalSqlStore(config.databaseUrl);
  const socketPath = join(requireSocketDirectory(place.socketDir), SQL_SOCKET);
  const opened = openEmbeddedSql(socketPath, place, clients);
  // The caller awaits it later. A failure before that must not end the process without a message.
  opened.catch(() => undefined);
  return {
    runtime: {
      databaseUrl: createSqlUrl(socketPath),
      databaseConnectionsMax: EMBEDDED_SQL_CONNECTIONS,
      // Only one process can use the directory, so the previous process is gone for sure.
      instanceId: 'embedded',
      isAlone: true,
      isSqlEmbedded: true,
    },
    opened,
  };
};

const openEmbeddedSql = async (
  socketPath: string,
  { dataDir, onFatal }: StorePlace,
  clients: number,
): Promise<OpenSqlStore> => {
  const dir = join(dataDir, 'sql');
  const sql = await startEmbeddedSql(dir, socketPath, clients);
  // PGlite creates files with its own access rights.
  makePrivate(dir);
  const onDamage = (error: Error): void => {
    markDamaged(dir);
    onFatal(
      new Error(`${dir} is damaged (${error.message}); start again: it is rebuilt from the log`),
    );
  };
  void sql.failed.then(onDamage);
  if (sql.setAside !== null) {
    log.warn({ moved_to: sql.setAside }, 'the embedded database was damaged; it is being rebuilt');
  }
  return {
    isNew: sql.setAside !== null,
    notes: [
      `SQL database    embedded, in ${dir} (DATABASE_URL for PostgreSQL)`,
      ...(sql.setAside === null
        ? []
        : [
            `                the old one was damaged, is now ${sql.setAside}; rebuilt from the log`,
          ]),
    ],
    onDamage,
    close: () => sql.close(),
  };
};
