import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { entropyOf } from '../../http/entropy';
import { scopeName, type TenantContext } from '../../kernel/scope';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { Eraser } from '../subscribers/eraser.port';
import { clockAggregate, deleteClock, type KnownClock } from './clock.decider';
import { ClockStore } from './clock.store';

const KNOWN_WITHIN_MS = 3_000;

/**
 * A test clock takes its subscribers with it: they are erased, and no tombstone stays (D-111). Cut off
 * in between, it goes on.
 */
export class ClockRemover {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly store: ClockStore,
    private readonly eraser: Eraser,
    private readonly freshness: ReadYourWrites,
  ) {}

  async remove(context: TenantContext, clockId: string): Promise<KnownClock> {
    const scope = scopeName(context.scope);
    await this.freshness.settled(scope, null, KNOWN_WITHIN_MS);
    for (const id of await this.store.subscribersOf(clockId)) {
      await this.eraser.remove(forSubscriber(context, id), id);
    }
    const stream = streams.clock(clockId);
    const { state } = await this.aggregates.run(clockAggregate, stream, context, (moment) =>
      deleteClock(scope)(moment.state),
    );
    if (state.status === 'absent') throw new Error('a deleted clock is missing in its stream');
    return state;
  }
}

/** Event ids follow from the command's: each subscriber's append is a command of its own. */
const forSubscriber = (context: TenantContext, id: string): TenantContext => {
  const commandId = `${context.commandId} ${id}`;
  const { expectedSequence: _, ...rest } = context;
  return { ...rest, commandId, entropy: entropyOf(commandId), resumed: false };
};
