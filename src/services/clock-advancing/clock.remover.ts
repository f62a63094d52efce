import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { scopeName, type TenantContext } from '../../kernel/scope';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { Eraser } from '../erasure/eraser';
import { clockAggregate, deleteClock, type KnownClock } from '../../domain/clocks/clock.decider';
import { ClockStore } from './clock.store';

const VISIBILITY_TIMEOUT_MS = 3_000;

/**
 * Deletes a test clock and its subscribers, which are erased without a tombstone (D-111). After an
 * interruption it continues. It lists the subscribers after the deletion of the clock is stored, so
 * it finds those that were registered in the meantime. A later registration finds the clock deleted
 * and removes its subscriber itself (`RegisterSubscriber`).
 */
export class ClockRemover {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly store: ClockStore,
    private readonly eraser: Eraser,
    private readonly freshness: ReadYourWrites,
  ) {}

  async remove(context: TenantContext, clockId: string): Promise<KnownClock> {
    await this.freshness.waitForWrites(scopeName(context.scope), null, VISIBILITY_TIMEOUT_MS);
    await this.removeSubscribers(context, clockId);
    const { clock, position } = await this.storeDeletion(context, clockId);
    await this.freshness.waitUntilReached(position, VISIBILITY_TIMEOUT_MS);
    await this.removeSubscribers(context, clockId);
    return clock;
  }

  private async removeSubscribers(context: TenantContext, clockId: string): Promise<void> {
    for (const id of await this.store.listSubscribers(clockId)) {
      await this.eraser.remove(context, id);
    }
  }

  /** Stores the deletion of the clock. Returns the clock and the log position. */
  private async storeDeletion(
    context: TenantContext,
    clockId: string,
  ): Promise<{ clock: KnownClock; position: bigint }> {
    let position = -1n;
    const noting: TenantContext = {
      ...context,
      wrote: (at) => {
        position = at;
        context.wrote(at);
      },
    };
    const stream = streams.clock(clockId);
    const { state } = await this.aggregates.run(clockAggregate, stream, noting, (moment) =>
      deleteClock(scopeName(context.scope))(moment.state),
    );
    if (state.status === 'absent')
      throw new Error('a test clock that was just deleted has no events');
    return { clock: state, position };
  }
}
