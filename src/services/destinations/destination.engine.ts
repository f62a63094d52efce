import {
  type DeliveryDestination,
  Destinations,
  type FailureFacts,
  type PermanentlyDeletedDestination,
} from '../../delivery/model/destination';
import type { Aggregates } from '../../event-store/aggregates';
import type { EventStoreConnection } from '../../event-store/connection';
import { readCategoryHead } from '../../event-store/groups';
import { deliverableStream, streams } from '../../event-store/streams';
import { createSystemContext } from '../../event-store/system-context';
import type { Clock } from '../../kernel/time';
import {
  type Destination,
  destinationAggregate,
  disableDestination,
  type KnownDestination,
  stateFailureWarning,
} from '../../domain/destinations/destination.decider';
import type { DestinationDirectory } from '../../directories/destination.directory';
import type { DestinationFact } from '../../domain/destinations/destination.events';

interface EngineParts {
  readonly directory: DestinationDirectory;
  readonly aggregates: Aggregates;
  readonly connection: EventStoreConnection;
  readonly clock: Clock;
}

/**
 * Adapts the destination directory to the delivery engine, and stores the engine's decisions about
 * destinations.
 */
export class DirectoryDestinations extends Destinations {
  /** Cached list of active destinations. Each of the many consumers asks for it at the start. */
  private cachedActive: {
    readonly version: number;
    readonly destinations: readonly DeliveryDestination[];
  } | null = null;

  constructor(private readonly parts: EngineParts) {
    super();
  }

  listActive(): readonly DeliveryDestination[] {
    const { directory } = this.parts;
    const { version } = directory;
    if (this.cachedActive?.version !== version) {
      const found = directory.listIds().map((id) => this.find(id));
      this.cachedActive = {
        version,
        destinations: found.filter((destination) => destination !== undefined),
      };
    }
    return this.cachedActive.destinations;
  }

  find(id: string): DeliveryDestination | undefined {
    const { directory } = this.parts;
    return directory.isActive(id) ? directory.findForDelivery(id) : undefined;
  }

  isDeleted(id: string): boolean {
    return this.parts.directory.isDeleted(id);
  }

  listPermanentlyDeleted(): PermanentlyDeletedDestination[] {
    return this.parts.directory.listPermanentlyDeleted();
  }

  waitUntilReady(signal: AbortSignal): Promise<void> {
    return this.parts.directory.waitUntilReady(signal);
  }

  get version(): number {
    return this.parts.directory.version;
  }

  waitUntilChanged(since: number, signal: AbortSignal): Promise<void> {
    return this.parts.directory.waitUntilChanged(since, signal);
  }

  async disable(id: string, reason: 'gone' | 'failing', facts: FailureFacts): Promise<void> {
    const scope = this.parts.directory.findForDelivery(id)?.scope;
    if (scope === undefined) return;
    const head = await readCategoryHead(this.parts.connection, deliverableStream(scope));
    const { since, lastStatus } = facts;
    await this.decide(id, disableDestination({ reason, head, since, lastStatus }));
  }

  storeWarning(id: string, hours: number, facts: FailureFacts): Promise<void> {
    return this.decide(id, stateFailureWarning({ ...facts, hours }));
  }

  private async decide(
    id: string,
    decision: (destination: KnownDestination) => readonly DestinationFact[],
  ): Promise<void> {
    await this.parts.aggregates.run<Destination, DestinationFact>(
      destinationAggregate,
      streams.destination(id),
      createSystemContext('deliveries', this.parts.clock),
      ({ state }) => (state.lifecycle === 'known' ? decision(state) : []),
    );
  }
}
