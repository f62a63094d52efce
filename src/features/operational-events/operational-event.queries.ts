import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { createPeriodConditions, equalTo, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { type Scope, scopeName } from '../../kernel/scope';
import { Database } from '../../read-models/database';
import type { ListOperationalEventsQuery, OperationalEvent } from './operational-event.dto';

export class ListOperationalEvents extends Query<Page<OperationalEvent>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListOperationalEventsQuery,
  ) {
    super();
  }
}

@QueryHandler(ListOperationalEvents)
export class ListOperationalEventsHandler implements IQueryHandler<ListOperationalEvents> {
  constructor(private readonly database: Database) {}

  execute({ scope, filters }: ListOperationalEvents): Promise<Page<OperationalEvent>> {
    return readPage<OperationalEvent>(
      this.database,
      {
        from: 'operational_events',
        columns: 'id, type, created_at, data',
        scope: scopeName(scope),
        conditions: [...equalTo(filters, 'type'), ...createPeriodConditions(filters)],
      },
      filters,
    );
  }
}
