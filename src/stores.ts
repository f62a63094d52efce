import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from './config';
import { EMBEDDED_SQL_CONNECTIONS, markDamaged, startEmbeddedSql } from './embedded-sql/start';
import { startEmbeddedEventStore } from './embedded-store/start';
import { log } from './ops/log';
import type { Runtime } from './runtime';

const SQL_CONNECTIONS = 10;

/** A store of the service, its own or somebody else's. */
interface Store {
  /** What the start-up lines say of it. */
  readonly notes: readonly string[];
  /** Ends it, if it is ours. */
  close(): Promise<void>;
}

export interface EventStore extends Store {
  readonly url: string;
}

export interface SqlStore extends Store {
  readonly runtime: Pick<Runtime, 'databaseUrl' | 'databaseConnectionsMax' | 'instanceId'>;
  /** Found unreadable while it ran. */
  readonly onDamage: (error: Error) => void;
}

export interface Stores {
  /** What unlocks the event store's secrets. */
  readonly masterKey: Uint8Array;
  readonly eventStore: EventStore;
  readonly sql: SqlStore;
}

type OnFatal = (error: unknown) => void;

const nothing = (): Promise<void> => Promise.resolve();

/** The embedded one locks the data directory: once it runs, no other process has it. */
export const startEventStore = async (
  { eventStoreUrl }: Config,
  dataDir: string,
  onFatal: OnFatal,
): Promise<EventStore> => {
  if (eventStoreUrl !== undefined) {
    return { url: eventStoreUrl, notes: ['event store     EVENTSTORE_URL'], close: nothing };
  }
  const dir = join(dataDir, 'eventstore');
  const store = await startEmbeddedEventStore({ dir });
  void store.failed.then(onFatal);
  return {
    url: store.connectionString,
    notes: [`event store     embedded, in ${dir} (one machine; EVENTSTORE_URL for a cluster)`],
    close: () => store.close(),
  };
};

export const startSqlStore = async (
  { databaseUrl }: Config,
  dataDir: string,
  onFatal: OnFatal,
): Promise<SqlStore> => {
  if (databaseUrl !== undefined) {
    return {
      runtime: {
        databaseUrl,
        databaseConnectionsMax: SQL_CONNECTIONS,
        instanceId: randomUUID(),
      },
      notes: ['SQL database    DATABASE_URL'],
      onDamage: () => undefined,
      close: nothing,
    };
  }
  const dir = join(dataDir, 'sql');
  const sql = await startEmbeddedSql(dir);
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
    runtime: {
      databaseUrl: sql.connectionString,
      databaseConnectionsMax: EMBEDDED_SQL_CONNECTIONS,
      // Only one process can have the directory, so the one before it is gone for sure.
      instanceId: 'embedded',
    },
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
