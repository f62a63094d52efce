import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { scopeName, type TenantContext } from '../../kernel/scope';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { Eraser } from '../erasure/eraser';
import { clockAggregate, deleteClock, type KnownClock } from '../../domain/clocks/clock.decider';
import { ClockStore } from './clock.store';

const KNOWN_WITHIN_MS = 3_000;

/**
 * A test clock takes its subscribers with it: they are erased, and no tombstone stays (D-111). Cut off
 * in between, it goes on. Who is registered meanwhile is found after the clock's end; whose stream
 * begins later than that finds the clock gone, and goes too (`RegisterSubscriber`).
 */
export class ClockRemover {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly store: ClockStore,
    private readonly eraser: Eraser,
    private readonly freshness: ReadYourWrites,
  ) {}

  async remove(context: TenantContext, clockId: string): Promise<KnownClock> {
    await this.freshness.waitForWrites(scopeName(context.scope), null, KNOWN_WITHIN_MS);
    await this.removeSubscribers(context, clockId);
    const { clock, position } = await this.end(context, clockId);
    await this.freshness.waitUntilReached(position, KNOWN_WITHIN_MS);
    await this.removeSubscribers(context, clockId);
    return clock;
  }

  private async removeSubscribers(context: TenantContext, clockId: string): Promise<void> {
    for (const id of await this.store.subscribersOf(clockId)) {
      await this.eraser.remove(context, id);
    }
  }

  /** Answers where in the log the clock ended, too. */
  private async end(
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
    if (state.status === 'absent') throw new Error('a deleted clock is missing in its stream');
    return { clock: state, position };
  }
}
