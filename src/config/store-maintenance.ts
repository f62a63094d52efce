export type StoreTask = 'scavenge' | 'compact' | 'backup';

/** What an operator asks of the event store. */
export type StoreOrder =
  | { readonly task: 'scavenge' | 'compact' }
  /** Copies the store into a new or empty directory. */
  | { readonly task: 'backup'; readonly toDir: string };

/** What a store says of its latest maintenance. */
export interface StoreMaintenanceStatus {
  readonly task: StoreTask | null;
  /** `started`: a store of its own was asked, and does not say how far it is. */
  readonly state: 'never_run' | 'started' | 'running' | 'completed' | 'failed';
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly percent: number | null;
  readonly eventsRemoved: number | null;
  readonly error: string | null;
}

/** Removes from the event store what nobody may read any more. */
export abstract class StoreMaintenance {
  /** True if the store does this by itself, soon after each erasure. */
  abstract readonly scavengesByItself: boolean;
  abstract start(order: StoreOrder): Promise<StoreMaintenanceStatus>;
  abstract status(): Promise<StoreMaintenanceStatus>;
}
