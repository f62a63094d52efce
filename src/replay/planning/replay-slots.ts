import type { Aggregates } from '../../event-store/aggregates';
import { createReservationContext } from '../../event-store/reservation';
import { streams } from '../../event-store/streams';
import type { TenantContext } from '../../kernel/scope';
import { isUnfinished, replayAggregate } from '../../domain/replays/replay.decider';
import {
  type PlaceHolderState,
  replayPlacesAggregate,
  reserveReplayPlace,
} from '../../domain/replays/replay-places.decider';

/**
 * The three slots for concurrent replays of a tenant's environment. They are one small stream, so
 * that two requests never get the same slot.
 */
export class ReplaySlots {
  constructor(private readonly aggregates: Aggregates) {}

  /**
   * Reserves a slot for a job that is about to be requested; throws `too_many_concurrent_replays`
   * if none is free.
   */
  async reserve(context: TenantContext, replayId: string): Promise<void> {
    await this.aggregates.run(
      replayPlacesAggregate,
      streams.replayPlaces(context.scope),
      createReservationContext(context, `place ${replayId}`),
      async ({ state, now }) => {
        const states = new Map<string, PlaceHolderState>();
        for (const { replay_id } of state.holders)
          states.set(replay_id, await this.readHolderState(replay_id));
        const getState = (id: string): PlaceHolderState => states.get(id) ?? 'absent';
        return reserveReplayPlace({ replayId, now, getState })(state);
      },
    );
  }

  private async readHolderState(replayId: string): Promise<PlaceHolderState> {
    const { state } = await this.aggregates.load(replayAggregate, streams.replay(replayId));
    if (state.status === 'absent') return 'absent';
    return isUnfinished(state) ? 'unfinished' : 'ended';
  }
}
