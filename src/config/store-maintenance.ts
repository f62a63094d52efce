export type StoreTask = 'scavenge' | 'compact' | 'backup';

/** A maintenance command of an operator for the event store. */
export type StoreCommand =
  | { readonly task: 'scavenge' | 'compact' }
  /** Copies the store into a new or empty directory. */
  | { readonly task: 'backup'; readonly toDir: string };

/** The state of the latest maintenance of a store. */
export interface StoreMaintenanceStatus {
  readonly task: StoreTask | null;
  /** `started` means that an external store was asked and does not report its progress. */
  readonly state: 'never_run' | 'started' | 'running' | 'completed' | 'failed';
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly percent: number | null;
  readonly eventsRemoved: number | null;
  readonly error: string | null;
}

/** Maintains the event store, for example removes deleted data from disk. */
export abstract class StoreMaintenance {
  /** True if the store removes erased data by itself, soon after each erasure. */
  abstract readonly scavengesByItself: boolean;
  abstract start(order: StoreCommand): Promise<StoreMaintenanceStatus>;
  abstract readStatus(): Promise<StoreMaintenanceStatus>;
}
