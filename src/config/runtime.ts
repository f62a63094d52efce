import type { Siblings } from './siblings';
import type { StoreMaintenance } from './store-maintenance';

/** The addresses of the stores and their keys. They are known before the application is built. */
export class Runtime {
  readonly eventStoreUrl!: string;
  /** Prepares each client of an event store that runs as a thread of this process. */
  readonly prepareEventStoreClient!: (client: object) => void;
  readonly databaseUrl!: string;
  readonly databaseConnectionsMax!: number;
  readonly operatorToken!: string;
  /** Master keys. The first counts as the current one until the log says otherwise. */
  readonly masterKeys!: readonly [Uint8Array, ...Uint8Array[]];
  /** Saves the master keys of a rotation; null if the keys come from the configuration. */
  readonly saveMasterKeys!: ((keys: readonly Uint8Array[]) => void) | null;
  /** Maintenance of the embedded event store; null for an external one. */
  readonly storeMaintenance!: StoreMaintenance | null;
  /** Id of this process among those that share the stores. */
  readonly instanceId!: string;
  /** True if no other process can share the stores, because they are embedded. */
  readonly isAlone!: boolean;
  /**
   * True if the SQL database is the embedded one. It has one session, which all processes share.
   */
  readonly isSqlEmbedded!: boolean;
  /** The other processes under the same supervisor; null for a service of one process. */
  readonly siblings!: Siblings | null;

  constructor(values: { [Name in keyof Runtime]: Runtime[Name] }) {
    Object.assign(this, values);
    Object.freeze(this);
  }
}
