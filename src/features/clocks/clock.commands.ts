import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { newId } from '../../kernel/ids';
import { readAnchorDay, computePeriodEnd } from '../../kernel/period';
import { scopeName, type TenantContext } from '../../kernel/scope';
import { earlier, type Instant, plusDays } from '../../kernel/time';
import { requireFreeId } from '../../kernel/required-ids';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import { isRunning } from '../../domain/billing/primary';
import {
  clockAggregate,
  createClock,
  type KnownClock,
  requireClock,
  startAdvance,
  UNUSED_ADVANCE_DAYS,
} from '../../domain/clocks/clock.decider';
import type { ReservedObject } from '../../domain/quotas/quota-reservations.decider';
import { Quotas } from '../../services/quotas/quotas';
import { ClockStore } from '../../services/clock-advancing/clock.store';
import { ClockRemover } from '../../services/clock-advancing/clock.remover';

const VISIBILITY_TIMEOUT_MS = 3_000;

export class CreateClock extends Command<KnownClock> {
  constructor(
    readonly context: TenantContext,
    readonly name: string | null,
    readonly frozenTime: Instant,
  ) {
    super();
  }
}

export class AdvanceClock extends Command<KnownClock> {
  constructor(
    readonly context: TenantContext,
    readonly clockId: string,
    readonly target: Instant,
  ) {
    super();
  }
}

export class DeleteClock extends Command<KnownClock> {
  constructor(
    readonly context: TenantContext,
    readonly clockId: string,
  ) {
    super();
  }
}

@CommandHandler(CreateClock)
export class CreateClockHandler implements ICommandHandler<CreateClock> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly quotas: Quotas,
  ) {}

  async execute({ context, name, frozenTime }: CreateClock): Promise<KnownClock> {
    const id = newId('clock', context.entropy);
    await this.quotas.reserve(context, {
      quota: 'max_test_clocks',
      id,
      count: (recent) => this.quotas.countRows(context.scope, 'test_clocks', { id, recent }),
      loadObject: (clockId) => this.loadReserved(clockId),
    });
    const scope = scopeName(context.scope);
    const { state } = await this.aggregates.run(
      clockAggregate,
      streams.clock(id),
      context,
      (moment) => createClock({ id, scope, name, frozenTime }, moment.now)(moment.state),
    );
    return requireClock(state, scope, 'clockId');
  }

  private async loadReserved(clockId: string): Promise<ReservedObject> {
    const { state } = await this.aggregates.load(clockAggregate, streams.clock(clockId));
    if (state.status === 'absent') return 'absent';
    return state.status === 'deleted' ? 'gone' : 'stored';
  }
}

@CommandHandler(AdvanceClock)
export class AdvanceClockHandler implements ICommandHandler<AdvanceClock> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly store: ClockStore,
    private readonly freshness: ReadYourWrites,
  ) {}

  async execute({ context, clockId, target }: AdvanceClock): Promise<KnownClock> {
    requireFreeId('clock', clockId, 'clockId');
    const stream = streams.clock(clockId);
    const scope = scopeName(context.scope);
    const loaded = await this.aggregates.load(clockAggregate, stream);
    const clock = requireClock(loaded.state, scope, 'clockId');
    const latest = await this.loadLatest(context, clock);
    const { state } = await this.aggregates.run(clockAggregate, stream, context, (moment) =>
      startAdvance({ scope, target, latest })(moment.state),
    );
    return requireClock(state, scope, 'clockId');
  }

  /**
   * Returns the latest time to which the clock may be advanced: two intervals of its shortest
   * running subscription, or two years without one.
   */
  private async loadLatest({ scope }: TenantContext, clock: KnownClock): Promise<Instant> {
    await this.freshness.waitForWrites(scopeName(scope), null, VISIBILITY_TIMEOUT_MS);
    let latest: Instant | null = null;
    for (const id of await this.store.listSubscribers(clock.id)) {
      const stream = streams.subscriber(scope, id);
      const { state } = await this.aggregates.load(subscriberAggregate, stream);
      for (const { terms } of Object.values(state.subscriptions).filter(isRunning)) {
        const interval = { unit: terms.interval, count: 2 * terms.interval_count };
        const end = computePeriodEnd(clock.frozenTime, interval, readAnchorDay(clock.frozenTime));
        latest = latest === null ? end : earlier(latest, end);
      }
    }
    return latest ?? plusDays(clock.frozenTime, UNUSED_ADVANCE_DAYS);
  }
}

@CommandHandler(DeleteClock)
export class DeleteClockHandler implements ICommandHandler<DeleteClock> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly remover: ClockRemover,
  ) {}

  async execute({ context, clockId }: DeleteClock): Promise<KnownClock> {
    requireFreeId('clock', clockId, 'clockId');
    const { state } = await this.aggregates.load(clockAggregate, streams.clock(clockId));
    requireClock(state, scopeName(context.scope), 'clockId');
    return this.remover.remove(context, clockId);
  }
}
