import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DomainError, notFound } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import { Clock, type Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { DestinationDirectory } from '../destinations/destination.directory';
import { TenantDirectory } from '../tenants/tenant.directory';
import {
  type Bucket,
  bucketsOf,
  type Day,
  type Granularity,
  type History,
  type Window,
} from './buckets.decider';
import { DEFINITION_VERSION, EXACT_MAX, type Metric, METRICS, type Parameter } from './catalogue';
import type { MetricDefinition, MetricSeries } from './metric.dto';
import { computeSeries, type DayCount } from './series';
import type { Series } from './tally';

export interface MetricRequest {
  readonly window?: Window;
  readonly granularity?: Granularity;
  readonly measure?: string;
  readonly currency?: string;
  readonly by?: string;
  readonly destination_id?: string;
  readonly topic?: string;
}

export class GetMetric extends Query<MetricSeries> {
  constructor(
    readonly scope: Scope,
    readonly name: string,
    readonly request: MetricRequest,
  ) {
    super();
  }
}

const ANY_CURRENCY = null;

@QueryHandler(GetMetric)
export class GetMetricHandler implements IQueryHandler<GetMetric> {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDirectory,
    private readonly destinations: DestinationDirectory,
    private readonly clock: Clock,
  ) {}

  async execute({ scope, name, request }: GetMetric): Promise<MetricSeries> {
    const metric = find(name, request);
    if (request.destination_id !== undefined) {
      this.destinations.require(scope, request.destination_id, 'destination_id');
    }
    const { window = 'last_30d', granularity = 'day' } = request;
    const now = this.clock.now();
    const history = window === 'all_time' ? await this.history(scope) : NO_HISTORY;
    const buckets = bucketsOf(window, granularity, now, history);
    const currency = metric.parameters.includes('currency')
      ? (request.currency ?? this.tenants.require(scope.tenantId).settings.currency)
      : ANY_CURRENCY;
    const rows = await this.read(scope, metric, { buckets, currency, request });
    const values = computeSeries(metric, buckets, rows, request);
    return {
      metric: name,
      window,
      granularity,
      unit: metric.unit,
      currency,
      measure: metric.measure ?? null,
      computed_at: now,
      points: buckets.map(({ timestamp, partial }, i) => {
        const { value = 0, sampleSize = 0, maturing = false, movements } = values[i] ?? {};
        return {
          timestamp,
          value,
          partial,
          sample_size: sampleSize,
          maturing,
          ...(movements === undefined ? {} : { movements }),
        };
      }),
    };
  }

  /** Days inside the window one by one, everything before it as one sum. */
  private async read(scope: Scope, metric: Metric, { buckets, currency, request }: Reading) {
    const [first, last] = [buckets.at(0), buckets.at(-1)];
    if (first === undefined || last === undefined) return [];
    const rows = await this.database.query<{
      series: DayCount['series'];
      day: Day | null;
      part: string;
      value: string;
    }>({
      name: 'metric days',
      text: `select series, to_char(day, 'YYYY-MM-DD') as day, part, value from (
          select series, case when day >= $3 then day end as day, part, sum(value)::bigint as value
          from metric_days
          where scope = $1 and series = any($2) and day <= $4
            and (currency = '' or $5::text is null or currency = $5)
            and ($6::text is null or part = $6 or starts_with(part, $6 || ' '))
          group by 1, 2, 3) counted`,
      values: [
        scopeName(scope),
        metric.series,
        first.firstDay,
        last.lastDay,
        currency,
        request.destination_id ?? null,
      ],
    });
    const counts = rows.map((row): DayCount => ({ ...row, value: Number(row.value) }));
    const inside = counts.reduce((sum, { day, value }) => (day === null ? sum : sum + value), 0);
    if (metric.exact === undefined || inside > EXACT_MAX) return counts;
    const days = { first: first.firstDay, last: last.lastDay };
    return [...counts, ...(await this.readExactly(scope, metric.exact, days))];
  }

  private async readExactly(
    scope: Scope,
    series: Series,
    { first, last }: { first: Day; last: Day },
  ): Promise<DayCount[]> {
    const rows = await this.database.query<{ day: Day; part: string; value: string }>({
      name: 'metric days, exactly',
      text: `select to_char(day, 'YYYY-MM-DD') as day, part, value from metric_days
        where scope = $1 and series = $2 and day between $3 and $4`,
      values: [scopeName(scope), series, first, last],
    });
    return rows.map(({ day, part, value }) => ({ series, day, part, value: Number(value) }));
  }

  private async history(scope: Scope): Promise<History> {
    const [row] = await this.database.query<{ first: Instant | null; last: Instant | null }>({
      name: 'history',
      text: `select min(created_at) as first, max(created_at) as last from events where scope = $1`,
      values: [scopeName(scope)],
    });
    return row ?? NO_HISTORY;
  }
}

const NO_HISTORY: History = { first: null, last: null };

interface Reading {
  readonly buckets: readonly Bucket[];
  readonly currency: string | null;
  readonly request: MetricRequest;
}

/** Parameters that only some metrics take. */
const SPECIAL: readonly Exclude<Parameter, 'currency'>[] = [
  'measure',
  'by',
  'destination_id',
  'topic',
];

const find = (name: string, request: MetricRequest): Metric => {
  const candidates = METRICS.filter((metric) => metric.name === name);
  const metric = candidates.find(({ measure }) => measure === request.measure) ?? candidates[0];
  if (metric === undefined) throw notFound('metric', 'metric');
  const foreign = SPECIAL.find(
    (each) => request[each] !== undefined && !metric.parameters.includes(each),
  );
  if (foreign === undefined) return metric;
  throw new DomainError('parameter_unknown', `${name} takes no ${foreign}.`, { param: foreign });
};

/** D-79: how a number is made, so that it can be compared with others'. */
export const definitionOf = (name: string): MetricDefinition => {
  const variants = METRICS.filter((metric) => metric.name === name);
  const [metric] = variants;
  if (metric === undefined) throw notFound('metric', 'metric');
  return {
    metric: name,
    version: DEFINITION_VERSION,
    unit: metric.unit,
    parameters: ['window', 'granularity', ...new Set(variants.flatMap((each) => each.parameters))],
    formula: metric.formula,
    exclusions: [...metric.exclusions],
    measures: variants.flatMap(({ measure, unit, formula }) =>
      measure === undefined ? [] : [{ measure, unit, formula }],
    ),
  };
};
