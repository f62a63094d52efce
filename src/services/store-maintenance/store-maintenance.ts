import type { EventStoreConnection } from '../../event-store/connection';
import { startRemoteScavenge } from '../../event-store/remote-scavenge';
import type {
  StoreMaintenance,
  StoreMaintenanceStatus,
  StoreCommand,
} from '../../config/store-maintenance';
import { DomainError } from '../../kernel/errors';

const NEVER_RUN: StoreMaintenanceStatus = {
  task: null,
  state: 'never_run',
  startedAtMs: null,
  finishedAtMs: null,
  percent: null,
  eventsRemoved: null,
  error: null,
};

/** Maintains an EventStoreDB. Only a scavenge is possible, which the server runs. */
export class RemoteStoreMaintenance implements StoreMaintenance {
  readonly scavengesByItself = false;
  private latest = NEVER_RUN;

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly now: () => number,
  ) {}

  async start({ task }: StoreCommand): Promise<StoreMaintenanceStatus> {
    if (task === 'compact') {
      throw new DomainError(
        'parameter_invalid',
        'Only the embedded event store is compacted. A scavenge of EventStoreDB compacts its files.',
      );
    }
    if (task === 'backup') {
      throw new DomainError(
        'parameter_invalid',
        'Only the embedded event store is copied by the service. docs/scaling.md says how EventStoreDB is backed up.',
      );
    }
    await startRemoteScavenge(this.connection.client);
    this.latest = { ...NEVER_RUN, task, state: 'started', startedAtMs: this.now() };
    return this.latest;
  }

  readStatus(): Promise<StoreMaintenanceStatus> {
    return Promise.resolve(this.latest);
  }
}
