import type { Siblings } from './siblings';
import type { StoreMaintenance } from './store-maintenance';

/** Where the stores are and what unlocks them: known before the application is built. */
export class Runtime {
  readonly eventStoreUrl!: string;
  readonly databaseUrl!: string;
  readonly databaseConnectionsMax!: number;
  readonly operatorToken!: string;
  /** The first is taken for the current one until the log says which it is. */
  readonly masterKeys!: readonly [Uint8Array, ...Uint8Array[]];
  /** Keeps the master keys of a rotation; null where the service is given its key from outside. */
  readonly keepMasterKeys!: ((keys: readonly Uint8Array[]) => void) | null;
  /** The embedded event store's; null for one of its own. */
  readonly storeMaintenance!: StoreMaintenance | null;
  /** Names this process among those that share the stores. */
  readonly instanceId!: string;
  /** Whether no other process can share the stores: only one can have the embedded ones. */
  readonly isAlone!: boolean;
  /** The SQL database is the embedded one: it has one session, which all processes share. */
  readonly isSqlEmbedded!: boolean;
  /** The other processes under the same supervisor; null for a service of one process. */
  readonly siblings!: Siblings | null;

  constructor(values: { [Name in keyof Runtime]: Runtime[Name] }) {
    Object.assign(this, values);
    Object.freeze(this);
  }
}
