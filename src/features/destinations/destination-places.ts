import type { Aggregates } from '../../event-store/aggregates';
import { createReservationContext } from '../../event-store/reservation';
import { streams } from '../../event-store/streams';
import type { CommandContext, Scope } from '../../kernel/scope';
import type { TenantDirectory } from '../../directories/tenant.directory';
import {
  destinationPlacesAggregate,
  holdsPlace,
  reservePlace,
} from '../../domain/destinations/destination-places.decider';
import {
  type Destination,
  destinationAggregate,
} from '../../domain/destinations/destination.decider';
import type { DestinationDirectory } from '../../directories/destination.directory';

/**
 * Limits the number of destinations of an environment (`max_destinations`). The places are reserved
 * in one small stream, so that two requests cannot take the same place, even in different
 * processes.
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
  async reserve(context: CommandContext, scope: Scope, destinationId: string): Promise<void> {
    const { max_destinations: max } = this.tenants.require(scope.tenantId).settings;
    await this.aggregates.run(
      destinationPlacesAggregate,
      streams.destinationPlaces(scope),
      createReservationContext(context, `place ${context.commandId}`),
      async ({ state, now }) => {
        const storedHolders = this.listOtherPlaces(scope, destinationId);
        const asked = [destinationId, ...state.recent.map(({ destination_id }) => destination_id)];
        const states = await this.loadStates(asked.filter((id) => !storedHolders.has(id)));
        const getState = (id: string): Destination => states.get(id) ?? { lifecycle: 'absent' };
        return reservePlace({ destinationId, now, max, storedHolders, getState })(state);
      },
    );
  }

  private listOtherPlaces(scope: Scope, destinationId: string): Set<string> {
    const kept = this.directory.listInScope(scope).filter(holdsPlace);
    return new Set(kept.map(({ id }) => id).filter((id) => id !== destinationId));
  }

  /**
   * Loads the destinations from the log. The directory may not yet know one that another process
   * has just stored.
   */
  private async loadStates(ids: readonly string[]): Promise<Map<string, Destination>> {
    const load = async (id: string): Promise<[string, Destination]> => {
      const { state } = await this.aggregates.load(destinationAggregate, streams.destination(id));
      return [id, state];
    };
    return new Map(await Promise.all(ids.map(load)));
  }
}
