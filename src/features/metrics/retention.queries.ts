import { requirePresent } from '../../kernel/present';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Scope, scopeName } from '../../kernel/scope';
import { Clock } from '../../kernel/time';
import { CohortDirectory } from '../../directories/cohort.directory';
import { Database } from '../../read-models/database';
import type { Retention, RetentionQuery } from './metric.dto';
import { type RetentionGroup, listMonthsUpTo, computeRetention } from './retention';

const MONTHS_DEFAULT = 12;

export class GetRetention extends Query<Retention> {
  constructor(
    readonly scope: Scope,
    readonly request: RetentionQuery,
  ) {
    super();
  }
}

/**
 * Counts the subscribers who were first active in each month, and how many of them still have a
 * subscription in each later month.
 */
@QueryHandler(GetRetention)
export class GetRetentionHandler implements IQueryHandler<GetRetention> {
  constructor(
    private readonly database: Database,
    private readonly cohorts: CohortDirectory,
    private readonly clock: Clock,
  ) {}

  async execute({ scope, request }: GetRetention): Promise<Retention> {
    const { months: count = MONTHS_DEFAULT, cohort_id: cohortId } = request;
    if (cohortId !== undefined) this.cohorts.require(scope, cohortId, 'cohort_id');
    const now = this.clock.now();
    const months = listMonthsUpTo(now.slice(0, 7), count);
    const groups = await this.database.query<RetentionGroup>({
      name: 'retention',
      text: `with ends as (
          select subscriber_id, bool_or(status in ('active', 'trialing', 'paused')) as is_running,
            max(coalesce(resource ->> 'cancelled_at', resource ->> 'lapsed_at')::timestamptz)
              as ended_at
          from subscriptions where scope = $1 group by subscriber_id)
        select to_char(s.activated_at at time zone 'UTC', 'YYYY-MM') as began,
          case when not is_running then to_char(ended_at at time zone 'UTC', 'YYYY-MM') end as ended,
          count(*)::int as subscribers
        from subscribers s left join ends on ends.subscriber_id = s.id
        where s.scope = $1 and s.activated_at >= $2 and s.activated_at <= $3
          and ($4::text is null or s.id in
            (select m.subscriber_id from cohort_members m where m.cohort_id = $4))
        group by 1, 2`,
      values: [
        scopeName(scope),
        `${requirePresent(months[0], 'the first month')}-01T00:00:00Z`,
        now,
        cohortId ?? null,
      ],
    });
    return { computed_at: now, data: computeRetention(groups, months) };
  }
}
