import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { createPeriodConditions, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { type Scope, scopeName } from '../../kernel/scope';
import { requireFreeId } from '../../kernel/required-ids';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import type { ClockResource, ListClocksQuery } from './clock.dto';
import { clockAggregate, type KnownClock, requireClock } from '../../domain/clocks/clock.decider';

export class GetClock extends Query<KnownClock> {
  constructor(
    readonly scope: Scope,
    readonly clockId: string,
  ) {
    super();
  }
}

export class ListClocks extends Query<Page<ClockResource>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListClocksQuery,
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

const COLUMNS = 'id, name, frozen_time, status, deletes_after, created_at';

@QueryHandler(ListClocks)
export class ListClocksHandler implements IQueryHandler<ListClocks> {
  constructor(private readonly database: Database) {}

  async execute({ scope, filters }: ListClocks): Promise<Page<ClockResource>> {
    return readPage<ClockResource & { readonly created_at: Instant }>(
      this.database,
      {
        from: 'test_clocks',
        columns: COLUMNS,
        scope: scopeName(scope),
        conditions: createPeriodConditions(filters),
        limits: [['status <> ?', 'deleted']],
      },
      filters,
    );
  }
}
