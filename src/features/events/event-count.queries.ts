import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventCatalogue } from '../../event-store/catalogue';
import { toInstant } from '../../http/lists/list-query';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import type { CountEventsQuery, EventCounts } from './event.dto';

export class CountEvents extends Query<EventCounts> {
  constructor(
    readonly scope: Scope,
    readonly filters: CountEventsQuery,
  ) {
    super();
  }
}

/** Counts the events of each hour, day or month in UTC. Periods without events are left out. */
@QueryHandler(CountEvents)
export class CountEventsHandler implements IQueryHandler<CountEvents> {
  constructor(
    private readonly database: Database,
    private readonly catalogue: EventCatalogue,
  ) {}

  async execute({ scope, filters }: CountEvents): Promise<EventCounts> {
    const { granularity = 'day', created_after: from, created_before: to } = filters;
    const types =
      filters.event_types === undefined
        ? null
        : this.catalogue.expandPatterns(filters.event_types, 'event_types');
    const rows = await this.database.query<{ timestamp: Instant; count: string }>({
      name: 'count events',
      text: `select date_trunc($2, created_at at time zone 'utc') at time zone 'utc' as timestamp,
          count(*) as count
        from events where scope = $1
          and ($3::timestamptz is null or created_at >= $3)
          and ($4::timestamptz is null or created_at < $4)
          and ($5::text[] is null or type = any($5))
        group by 1 order by 1`,
      values: [
        scopeName(scope),
        granularity,
        from === undefined ? null : toInstant(from, 'created_after'),
        to === undefined ? null : toInstant(to, 'created_before'),
        types,
      ],
    });
    return {
      granularity,
      points: rows.map(({ timestamp, count }) => ({ timestamp, count: Number(count) })),
    };
  }
}
