import { createHash } from 'node:crypto';
import type { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import type { TenantContext } from '../../kernel/scope';
import { isUnfinished, replayAggregate } from '../../domain/replays/replay.decider';
import {
  type HolderState,
  placesAggregate,
  take,
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
    const commandId = createHash('sha256').update(`place ${replayId}`).digest('hex').slice(0, 32);
    await this.aggregates.run(
      placesAggregate,
      streams.replayPlaces(context.scope),
      { ...context, commandId, resumed: false },
      async ({ state, now }) => {
        const states = new Map<string, HolderState>();
        for (const { replay_id } of state.holders)
          states.set(replay_id, await this.readHolderState(replay_id));
        const stateOf = (id: string): HolderState => states.get(id) ?? 'absent';
        return take({ replayId, now, stateOf })(state);
      },
    );
  }

  private async readHolderState(replayId: string): Promise<HolderState> {
    const { state } = await this.aggregates.load(replayAggregate, streams.replay(replayId));
    if (state.status === 'absent') return 'absent';
    return isUnfinished(state) ? 'unfinished' : 'ended';
  }
}
