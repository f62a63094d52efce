import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { type Scope, scopeName } from '../../kernel/scope';
import { requireFreeId } from '../../kernel/required-ids';
import { clockAggregate, type KnownClock, requireClock } from '../../domain/clocks/clock.decider';

export class GetClock extends Query<KnownClock> {
  constructor(
    readonly scope: Scope,
    readonly clockId: string,
  ) {
    super();
  }
}

@QueryHandler(GetClock)
export class GetClockHandler implements IQueryHandler<GetClock> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ scope, clockId }: GetClock): Promise<KnownClock> {
    requireFreeId('clock', clockId, 'clockId');
    const { state } = await this.aggregates.load(clockAggregate, streams.clock(clockId));
    return requireClock(state, scopeName(scope), 'clockId');
  }
}
