import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { notFound } from '../../kernel/errors';
import { isFreeId } from '../../kernel/ids';
import { type Scope, scopeName } from '../../kernel/scope';
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
    if (!isFreeId('clock', clockId)) throw notFound('test_clock', 'clockId');
    const { state } = await this.aggregates.load(clockAggregate, streams.clock(clockId));
    return requireClock(state, scopeName(scope), 'clockId');
  }
}
