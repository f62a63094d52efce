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

/** The three places of a tenant's environment: one small stream, so that no two requests share one. */
export class ReplayPlaces {
  constructor(private readonly aggregates: Aggregates) {}

  /** Takes a place for a job that is about to be requested, or throws `too_many_concurrent_replays`. */
  async take(context: TenantContext, replayId: string): Promise<void> {
    const commandId = createHash('sha256').update(`place ${replayId}`).digest('hex').slice(0, 32);
    await this.aggregates.run(
      placesAggregate,
      streams.replayPlaces(context.scope),
      { ...context, commandId, resumed: false },
      async ({ state, now }) => {
        const states = new Map<string, HolderState>();
        for (const { replay_id } of state.holders) states.set(replay_id, await this.of(replay_id));
        const stateOf = (id: string): HolderState => states.get(id) ?? 'absent';
        return take({ replayId, now, stateOf })(state);
      },
    );
  }

  private async of(replayId: string): Promise<HolderState> {
    const { state } = await this.aggregates.load(replayAggregate, streams.replay(replayId));
    if (state.status === 'absent') return 'absent';
    return isUnfinished(state) ? 'unfinished' : 'ended';
  }
}
