import { hash } from 'node:crypto';
import type { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import type { CommandContext, Scope } from '../../kernel/scope';
import type { TenantDirectory } from '../../directories/tenant.directory';
import {
  destinationPlacesAggregate,
  isKept,
  takePlace,
} from '../../domain/destinations/destination-places.decider';
import {
  type Destination,
  destinationAggregate,
} from '../../domain/destinations/destination.decider';
import type { DestinationDirectory } from '../../directories/destination.directory';

/**
 * Reserves the places of an environment's destinations (`max_destinations`). They are kept in one
 * small stream, so that two requests cannot take the same place, whichever process they run in.
 */
export class DestinationPlaces {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: DestinationDirectory,
    private readonly tenants: TenantDirectory,
  ) {}

  /**
   * Reserves a place for a destination that is about to be stored. Throws
   * `destination_limit_reached` if there is none.
   */
  async take(context: CommandContext, scope: Scope, destinationId: string): Promise<void> {
    const { max_destinations: max } = this.tenants.require(scope.tenantId).settings;
    // `If-Match` applies to the destination, not to its place.
    const { expectedSequence: _, ...unconditional } = context;
    const commandId = hash('sha256', `place ${context.commandId}`).slice(0, 32);
    await this.aggregates.run(
      destinationPlacesAggregate,
      streams.destinationPlaces(scope),
      { ...unconditional, commandId, resumed: false },
      async ({ state, now }) => {
        const kept = this.othersKept(scope, destinationId);
        const asked = [destinationId, ...state.recent.map(({ destination_id }) => destination_id)];
        const states = await this.statesOf(asked.filter((id) => !kept.has(id)));
        const stateOf = (id: string): Destination => states.get(id) ?? { lifecycle: 'absent' };
        return takePlace({ destinationId, now, max, kept, stateOf })(state);
      },
    );
  }

  private othersKept(scope: Scope, destinationId: string): Set<string> {
    const kept = this.directory.listInScope(scope).filter(isKept);
    return new Set(kept.map(({ id }) => id).filter((id) => id !== destinationId));
  }

  /**
   * Loads the destinations from the log. The directory may not yet know one that another process
   * has just stored.
   */
  private async statesOf(ids: readonly string[]): Promise<Map<string, Destination>> {
    const load = async (id: string): Promise<[string, Destination]> => {
      const { state } = await this.aggregates.load(destinationAggregate, streams.destination(id));
      return [id, state];
    };
    return new Map(await Promise.all(ids.map(load)));
  }
}
