import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Scope, scopeName } from '../../kernel/scope';
import { Clock, earlier, type Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import {
  type Bucket,
  type Day,
  eachBucket,
  type Granularity,
  type Window,
} from '../../domain/metrics/buckets';
import { TenantDirectory } from '../../directories/tenant.directory';
import { gatherPoints } from '../../http/lists/points';
import type { KnownMotion } from '../../domain/motions/motion.decider';
import { MotionDirectory } from '../../directories/motion.directory';
import { type MotionPerformance, NO_RUNS, type RunCounts } from './motion.dto';
import { COUNTS_SQL, type CountRow, readCounts } from './motion.queries';

export class GetPerformance extends Query<MotionPerformance> {
  constructor(
    readonly scope: Scope,
    readonly motionId: string,
    readonly asked: { readonly window: Window; readonly granularity: Granularity },
  ) {
    super();
  }
}

/** The results of the runs that were triggered on one day. */
interface DayResult {
  readonly day: Day;
  readonly counts: RunCounts;
  /** Runs that were accepted and whose subscriber is neither cancelled nor lapsed 30 days later. */
  readonly saved: number;
  /**
   * Runs that were accepted less than 30 days ago; it is not known yet whether the subscriber
   * stays.
   */
  readonly unsettled: number;
  readonly revenue: number;
  readonly cost: number;
  /** Triggered runs whose subscriber is neither cancelled nor lapsed 30 days later. */
  readonly retainedTreated: number;
  /** The same number of held-out runs. */
  readonly retainedHoldout: number;
}

type DayRow = CountRow & {
  readonly day: Day;
  readonly saved: string;
  readonly unsettled: string;
  readonly revenue: string;
  readonly cost: string;
  readonly retained_treated: string;
  readonly retained_holdout: string;
};

/**
 * Returns an SQL condition: 30 days after the instant, or now if they are not over, the run's
 * subscriber is neither cancelled nor lapsed. It reads the status from the subscriber's record in
 * their last event up to that time. So a cancellation that was undone in between does not count,
 * and a subscriber with several subscriptions is kept as long as one of them runs. Events of the
 * same instant, which a test clock can make, are ordered by sequence.
 */
const createKeptSql = (instant: string): string => `coalesce((
    select e.metadata->'subscriber'->>'status' from events e
    where e.scope = r.scope and e.subscriber_id = r.subscriber_id
      and e.created_at <= ${instant} + interval '30 days'
    order by e.created_at desc, e.sequence desc limit 1
  ), '') not in ('cancelled', 'lapsed')`;

/**
 * Selects the events of the run's subscriber in the attribution window: $3 days from the
 * acceptance, in currency $4. Events of the instant of the acceptance count if their sequence is
 * later.
 */
const IS_ATTRIBUTED = `e.scope = r.scope and e.subscriber_id = r.subscriber_id
  and e.created_at >= r.accepted_at and e.created_at < r.accepted_at + make_interval(days => $3)
  and e.sequence > acceptance.sequence`;

const ACCEPTANCE = `select e.sequence from events e
  where e.scope = r.scope and e.subscriber_id = r.subscriber_id
    and e.created_at = r.accepted_at and e.type = 'motion.accepted' and e.data->>'run_id' = r.id`;

/**
 * Selects the invoice lines that were charged. They are in the payment. If a discount leaves
 * nothing to pay, there is no payment, and they are in the event of the subscription.
 */
const CHARGED_LINES = `(select e.data->'payment'->>'currency' as currency, e.data->'payment'->'lines' as lines
      from events e where ${IS_ATTRIBUTED} and e.type = 'payment.succeeded'
    union all
    select e.data->'terms'->>'currency', e.data->'lines' from events e
      where ${IS_ATTRIBUTED} and e.type in ('subscription.renewed', 'subscription.activated',
        'subscription.resumed', 'subscription.reactivated') and e.data->'lines' is not null)`;

/**
 * True while the 30 days after the acceptance are not over at the instant $5. A test clock may be
 * ahead of $5, so a later event of the subscriber also ends them.
 */
const IS_UNSETTLED = `r.accepted_at + interval '30 days' > $5 and not exists (
    select from events e where e.scope = r.scope and e.subscriber_id = r.subscriber_id
      and e.created_at > r.accepted_at + interval '30 days')`;

/**
 * Selects the runs of a motion with their results. Revenue is money that came in, not money that
 * was expected (D-35).
 */
const RUN_SQL = `select r.*, (r.created_at at time zone 'UTC')::date as day,
    ${createKeptSql('r.accepted_at')} as saved, ${IS_UNSETTLED} as unsettled, ${createKeptSql('r.created_at')} as retained,
    (select coalesce(sum((e.data->'payment'->>'amount')::bigint
        - (e.data->'payment'->>'credit_applied')::bigint), 0) from events e
      where ${IS_ATTRIBUTED} and e.type = 'payment.succeeded'
        and e.data->'payment'->>'currency' = $4) as revenue,
    (select coalesce(sum(-(line->>'amount')::bigint), 0)
      from ${CHARGED_LINES} charged, json_array_elements(charged.lines) line
      where charged.currency = $4 and line->>'kind' = 'discount'
        and r.run->'offer'->>'type' in ('discount_percent', 'discount_amount'))
    + (select coalesce(sum((e.data->>'amount')::bigint), 0) from events e
      where ${IS_ATTRIBUTED} and e.type = 'credit.applied' and e.data->>'currency' = $4
        and e.data->>'credit_id' = r.run->'applied'->>'ref') as cost
  from motion_runs r left join lateral (${ACCEPTANCE}) acceptance on true
  where r.scope = $1 and r.motion_id = $2`;

const DAYS_SQL = `with r as (${RUN_SQL})
  select to_char(day, 'YYYY-MM-DD') as day, ${COUNTS_SQL},
    count(*) filter (where accepted_at is not null and saved) as saved,
    count(*) filter (where accepted_at is not null and unsettled) as unsettled,
    coalesce(sum(revenue) filter (where accepted_at is not null), 0) as revenue,
    coalesce(sum(cost) filter (where accepted_at is not null), 0) as cost,
    count(*) filter (where status <> 'suppressed' and retained) as retained_treated,
    count(*) filter (where status = 'suppressed' and retained) as retained_holdout
  from r group by day order by r.day`;

@QueryHandler(GetPerformance)
export class GetPerformanceHandler implements IQueryHandler<GetPerformance> {
  constructor(
    private readonly database: Database,
    private readonly directory: MotionDirectory,
    private readonly tenants: TenantDirectory,
    private readonly clock: Clock,
  ) {}

  async execute({ scope, motionId, asked }: GetPerformance): Promise<MotionPerformance> {
    const motion = this.directory.require(scope, motionId);
    const { currency } = this.tenants.require(scope.tenantId).settings;
    const now = this.clock.now();
    const days = await this.readDays(motion, currency, now);
    const history = { first: findFirst(days, motion.createdAt), last: findLast(days) };
    const buckets = eachBucket(asked.window, asked.granularity, now, history);
    const results = await gatherPoints(eachBucketRuns(buckets, days));
    const all = results.flatMap((result) => result.days);
    return {
      motion_id: motionId,
      ...asked,
      currency,
      ...summariseRuns(all),
      lift: computeLift(all),
      computed_at: now,
      points: results.map((result) => result.point),
    };
  }

  /** Reads the results of all days that have runs, oldest first. */
  private async readDays(
    { id, scope, terms }: KnownMotion,
    currency: string,
    now: Instant,
  ): Promise<DayResult[]> {
    const rows = await this.database.query<DayRow>({
      name: 'motion performance',
      text: DAYS_SQL,
      values: [scopeName(scope), id, terms.attribution_days, currency, now],
    });
    return rows.map((row) => ({
      day: row.day,
      counts: readCounts(row),
      saved: Number(row.saved),
      unsettled: Number(row.unsettled),
      revenue: Number(row.revenue),
      cost: Number(row.cost),
      retainedTreated: Number(row.retained_treated),
      retainedHoldout: Number(row.retained_holdout),
    }));
  }
}

/** Returns the start of the history. Runs under a test clock may be older than their motion. */
const findFirst = (days: readonly DayResult[], createdAt: Instant): Instant => {
  const first = days.at(0);
  return first === undefined ? createdAt : earlier(startOfDay(first), createdAt);
};

const findLast = (days: readonly DayResult[]): Instant | null => {
  const last = days.at(-1);
  return last === undefined ? null : startOfDay(last);
};

const startOfDay = ({ day }: DayResult): Instant => `${day}T00:00:00.000Z` as Instant;

/**
 * Yields the point of each bucket, with the days inside it. Both arguments are in order, oldest
 * first.
 */
function* eachBucketRuns(buckets: Iterable<Bucket>, days: readonly DayResult[]) {
  let next = 0;
  const skip = (isPassed: (day: Day) => boolean): number => {
    while (next < days.length && isPassed(days[next]?.day ?? '')) next += 1;
    return next;
  };
  for (const { timestamp, partial, firstDay, lastDay } of buckets) {
    const first = skip((day) => day < firstDay);
    const inside = days.slice(
      first,
      skip((day) => day <= lastDay),
    );
    yield { days: inside, point: { timestamp, partial, ...summariseRuns(inside) } };
  }
}

const sum = (days: readonly DayResult[], of: (day: DayResult) => number): number =>
  days.reduce((total, day) => total + of(day), 0);

const computeRatio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const summariseRuns = (days: readonly DayResult[]) => {
  const counts = Object.fromEntries(
    Object.keys(NO_RUNS).map((name) => [
      name,
      sum(days, (day) => day.counts[name as keyof RunCounts]),
    ]),
  ) as RunCounts;
  return {
    counts,
    acceptance_rate: computeRatio(counts.accepted, counts.presented),
    save_rate: computeRatio(
      sum(days, ({ saved }) => saved),
      counts.accepted,
    ),
    maturing: sum(days, ({ unsettled }) => unsettled) > 0,
    retained_revenue: sum(days, ({ revenue }) => revenue),
    offer_cost: sum(days, ({ cost }) => cost),
  };
};

/**
 * Returns the retention of triggered subscribers minus the retention of held-out subscribers; null
 * while one of the two groups is empty, because there is nothing to compare.
 */
const computeLift = (days: readonly DayResult[]): number | null => {
  const treated = sum(days, ({ counts }) => counts.triggered);
  const heldOut = sum(days, ({ counts }) => counts.suppressed);
  if (treated === 0 || heldOut === 0) return null;
  return (
    computeRatio(
      sum(days, (day) => day.retainedTreated),
      treated,
    ) -
    computeRatio(
      sum(days, (day) => day.retainedHoldout),
      heldOut,
    )
  );
};
