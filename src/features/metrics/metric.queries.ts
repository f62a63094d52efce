import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DomainError, type FieldError, notFound, unknownName } from '../../kernel/errors';
import { suggestNames } from '../../kernel/nearest';
import { type Scope, scopeName } from '../../kernel/scope';
import { Clock, DAY_MS, type Instant, msBetween } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { DestinationDirectory } from '../../directories/destination.directory';
import { TenantDirectory } from '../../directories/tenant.directory';
import {
  eachBucket,
  type Day,
  type Granularity,
  type History,
  type TimeRange,
  type Window,
} from '../../domain/metrics/buckets';
import { UTC, type Zone, findZone } from '../../domain/metrics/zone';
import { PERFORMANCE_NUMBERS } from '../../domain/motions/performance-numbers';
import { createRefusal, createUnknownField } from '../../http/fields/validation';
import { toInstant } from '../../http/lists/list-query';
import { DEFINITION_VERSION, EXACT_MAX, METRIC_NAMES, METRICS } from './catalogue';
import type { CutName, Metric, Parameter } from './metric';
import { CutCounts, type CutRequest } from './cut-counts';
import { ALL_DESTINATIONS } from './delivery-tally';
import { gatherPoints } from '../../http/lists/points';
import { type Histogram, computeTotal } from './histogram';
import type { MetricDefinition, MetricSeries } from './metric.dto';
import { eachValue, type DayCount } from './series';
import type { Series } from './daily-count';

export interface MetricRequest {
  readonly window?: Window;
  readonly from?: string;
  readonly to?: string;
  readonly plan?: string;
  readonly cohort_id?: string;
  readonly timezone?: string;
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
    private readonly cuts: CutCounts,
    private readonly clock: Clock,
  ) {}

  async execute({ scope, name, request }: GetMetric): Promise<MetricSeries> {
    const metric = findMetric(name, request);
    if (request.destination_id !== undefined) {
      this.destinations.require(scope, request.destination_id, 'destination_id');
    }
    const cutting = await this.findCut(scope, metric, request);
    const { granularity = 'day' } = request;
    const now = this.clock.now();
    const window = readWindow(request, now);
    const history = window === 'all_time' ? await this.readHistory(scope) : NO_HISTORY;
    const buckets = await gatherPoints(
      eachBucket(window, granularity, now, history, cutting?.zone),
    );
    const currency = metric.parameters.includes('currency')
      ? (request.currency ?? this.tenants.require(scope.tenantId).settings.currency)
      : ANY_CURRENCY;
    const [first, last] = [buckets.at(0)?.firstDay, buckets.at(-1)?.lastDay];
    const rows =
      first === undefined || last === undefined
        ? []
        : await this.read(scope, metric, { first, last, currency, request, cutting });
    const values = await gatherPoints(eachValue(metric, buckets, rows, request));
    const own = typeof window === 'string' ? null : window;
    return {
      metric: name,
      window: typeof window === 'string' ? window : null,
      from: own?.from ?? null,
      to: own?.to ?? null,
      timezone: cutting?.zone.name ?? UTC.name,
      plan: request.plan ?? null,
      cohort_id: request.cohort_id ?? null,
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

  /**
   * Returns the cut that the request asks for; null if the stored counts are enough. Throws if the
   * metric does not support the cut.
   */
  private async findCut(
    scope: Scope,
    metric: Metric,
    request: MetricRequest,
  ): Promise<CutRequest | null> {
    const { plan, cohort_id: cohortId } = request;
    const zone = readZone(request.timezone);
    const asked: [CutName, boolean][] = [
      ['plan', plan !== undefined],
      ['cohort_id', cohortId !== undefined],
      ['timezone', zone !== UTC],
    ];
    const cuts = asked.flatMap(([cut, isAsked]) => (isAsked ? [cut] : []));
    const foreign = cuts.find((cut) => !metric.cuts.includes(cut));
    if (foreign !== undefined) throw cannotBeCutError(metric, foreign);
    const cutting = { plan: plan ?? null, cohortId: cohortId ?? null, zone };
    await this.cuts.requireKnown(scope, cutting);
    return cuts.length === 0 ? null : cutting;
  }

  private async read(scope: Scope, metric: Metric, reading: Reading): Promise<DayCount[]> {
    if (reading.cutting !== null) return this.readCut(scope, metric, reading, reading.cutting);
    const [counts, histograms] = await Promise.all([
      this.readCounts(scope, metric, reading),
      this.readHistograms(scope, metric, reading),
    ]);
    const durations = histograms.reduce((sum, { value }) => sum + value, 0);
    const exact =
      metric.exact === undefined || durations > EXACT_MAX
        ? []
        : await this.readSingleDurations(scope, metric.exact, reading);
    return [...counts, ...histograms, ...exact];
  }

  private async readCut(
    scope: Scope,
    metric: Metric,
    { first, last, currency }: Reading,
    cutting: CutRequest,
  ): Promise<DayCount[]> {
    const { series, histogram, exact } = metric;
    const wanted = [...series, histogram, exact].filter((each) => each !== undefined);
    const counts = await this.cuts.read(scope, cutting, {
      ...{ first, last, currency },
      series: new Set(wanted),
    });
    const durations = counts
      .filter((count) => count.series === histogram && count.day !== null)
      .reduce((sum, { value }) => sum + value, 0);
    return durations > EXACT_MAX ? counts.filter((count) => count.series !== exact) : counts;
  }

  /** Reads one sum for each day of the window and one sum for all days before it. */
  private async readCounts(scope: Scope, metric: Metric, reading: Reading): Promise<DayCount[]> {
    if (metric.series.length === 0) return [];
    const rows = await this.database.query<Omit<DayCount, 'value'> & { value: string }>({
      name: 'metric days',
      text: `select series, to_char(day, 'YYYY-MM-DD') as day, part, value from (
          select series, case when day >= $3 then day end as day, part, sum(value)::bigint as value
          from metric_days
          where scope = $1 and series = any($2) and day <= $4
            and (currency = '' or $5::text is null or currency = $5)
            and ($6::text is null or part = $6)
          group by 1, 2, 3) counted`,
      values: [
        scopeName(scope),
        metric.series,
        reading.first,
        reading.last,
        reading.currency,
        choosePart(metric, reading),
      ],
    });
    return rows.map((row) => ({ ...row, value: Number(row.value) }));
  }

  private async readHistograms(
    scope: Scope,
    metric: Metric,
    reading: Reading,
  ): Promise<DayCount[]> {
    const { histogram: series } = metric;
    if (series === undefined) return [];
    const rows = await this.database.query<{ day: Day; part: string; bins: Histogram }>({
      name: 'metric histograms of a window',
      text: `select to_char(day, 'YYYY-MM-DD') as day, part, bins from metric_histograms
        where scope = $1 and series = $2 and day between $3 and $4
          and ($5::text is null or part = $5)`,
      values: [scopeName(scope), series, reading.first, reading.last, choosePart(metric, reading)],
    });
    return rows.map(({ day, part, bins }) => {
      return { series, day, part, value: computeTotal(bins), histogram: bins };
    });
  }

  private async readSingleDurations(
    scope: Scope,
    series: Series,
    reading: Reading,
  ): Promise<DayCount[]> {
    const rows = await this.database.query<{ day: Day; part: string; value: string }>({
      name: 'metric days, exactly',
      text: `select to_char(day, 'YYYY-MM-DD') as day, part, value from metric_days
        where scope = $1 and series = $2 and day between $3 and $4`,
      values: [scopeName(scope), series, reading.first, reading.last],
    });
    return rows.map(({ day, part, value }) => ({ series, day, part, value: Number(value) }));
  }

  private async readHistory(scope: Scope): Promise<History> {
    const [row] = await this.database.query<{ first: Instant | null; last: Instant | null }>({
      name: 'history',
      text: `select min(created_at) as first, max(created_at) as last from events where scope = $1`,
      values: [scopeName(scope)],
    });
    return row ?? NO_HISTORY;
  }
}

const NO_HISTORY: History = { first: null, last: null };

/** Returns the part of the series to read; null means all parts. */
const choosePart = (metric: Metric, { request }: Reading): string | null =>
  metric.parameters.includes('destination_id')
    ? (request.destination_id ?? ALL_DESTINATIONS)
    : null;

interface Reading {
  /** First and last day of the window, both included. */
  readonly first: Day;
  readonly last: Day;
  readonly currency: string | null;
  readonly request: MetricRequest;
  readonly cutting: CutRequest | null;
}

/** Parameters that only some metrics take. */
const OPTIONAL_PARAMETERS: readonly Parameter[] = [
  'currency',
  'measure',
  'by',
  'destination_id',
  'topic',
];

const unknownMetric = (name: string): DomainError =>
  PERFORMANCE_NUMBERS.includes(name)
    ? notFound('metric', 'metric', ` GET /v1/motions/{motionId}/performance has ${name}.`)
    : unknownName('metric', 'metric', { name, known: METRIC_NAMES });

const findMetric = (name: string, request: MetricRequest): Metric => {
  const candidates = METRICS.filter((metric) => metric.name === name);
  const metric = candidates.find(({ measure }) => measure === request.measure) ?? candidates[0];
  if (metric === undefined) throw unknownMetric(name);
  const foreign = OPTIONAL_PARAMETERS.find(
    (each) => request[each] !== undefined && !metric.parameters.includes(each),
  );
  if (foreign === undefined) return metric;
  throw new DomainError('parameter_unknown', describeUnknownParameter(metric, foreign), {
    param: foreign,
  });
};

/**
 * Describes how a metric is computed, so that its values can be compared with those of other
 * systems (D-79).
 */
export const createDefinition = (name: string): MetricDefinition => {
  const variants = METRICS.filter((metric) => metric.name === name);
  const [metric] = variants;
  if (metric === undefined) throw unknownMetric(name);
  return {
    metric: name,
    version: DEFINITION_VERSION,
    unit: metric.unit,
    parameters: [
      ...['window', 'from', 'to', 'granularity'],
      ...new Set(variants.flatMap((each) => each.parameters)),
      ...metric.cuts,
    ],
    formula: metric.formula,
    exclusions: [...metric.exclusions],
    measures: variants.flatMap(({ measure, unit, formula }) =>
      measure === undefined ? [] : [{ measure, unit, formula }],
    ),
  };
};

const describeUnknownParameter = (metric: Metric, foreign: Parameter): string => {
  const { name, measure } = metric;
  const subject = measure === undefined ? name : `${name} with measure=${measure}`;
  const reason = foreign === 'currency' ? `${subject} is not an amount of money, so it` : subject;
  const own = listParameters(name).filter((each) => each !== foreign);
  return `${reason} has no parameter ${foreign}. Its parameters are ${own.join(', ')}.`;
};

/** Returns the names of all query parameters of a metric. */
const listParameters = (name: string): string[] => [
  ...createDefinition(name).parameters,
  'csv_columns',
];

/** Cuts have an error of their own: it names the cuts that the metric supports. */
const CUTS: readonly string[] = ['plan', 'cohort_id', 'timezone'];

/**
 * Refuses query parameters that a metric does not have, with the names of those that it has. The
 * class of the query (`MetricQuery`) has the names of all metrics.
 */
export const requireKnownParameters = (name: string, query: object): void => {
  const metric = METRICS.find((each) => each.name === name);
  if (metric === undefined) return;
  const known = listParameters(name);
  const unknown = Object.keys(query).filter(
    (each) => !known.includes(each) && !CUTS.includes(each),
  );
  if (unknown.length === 0) return;
  throw createRefusal(unknown.map((each) => createUnknownParameter(metric, each, known)));
};

const createUnknownParameter = (
  metric: Metric,
  param: string,
  known: readonly string[],
): FieldError => {
  const ofAnother = OPTIONAL_PARAMETERS.find((each) => each === param);
  if (ofAnother !== undefined) {
    const message = describeUnknownParameter(metric, ofAnother);
    return { param, code: 'parameter_unknown', message };
  }
  const naming = { kind: 'query parameter', namesMax: Infinity };
  return createUnknownField(param, suggestNames(param, known, naming), 'query parameter');
};

export const listDefinitions = (): MetricDefinition[] => METRIC_NAMES.map(createDefinition);

const cannotBeCutError = ({ name, cuts }: Metric, cut: CutName): DomainError => {
  const others = cuts.length === 0 ? '' : `; it supports ${cuts.join(' and ')}`;
  return new DomainError('parameter_unknown', `${name} does not support ${cut}${others}.`, {
    param: cut,
  });
};

const readZone = (name: string | undefined): Zone => {
  const zone = name === undefined ? UTC : findZone(name);
  if (zone !== null) return zone;
  throw new DomainError(
    'parameter_invalid',
    'timezone must be the name of a time zone, such as Europe/Berlin.',
    { param: 'timezone' },
  );
};

/**
 * Longest window from `from` to `to`: ten years. This limits the number of points in a response.
 */
const CUSTOM_WINDOW_DAYS_MAX = 3_660;

const readWindow = ({ window, from, to }: MetricRequest, now: Instant): Window | TimeRange => {
  if (from === undefined && to === undefined) return window ?? 'last_30d';
  if (window !== undefined) throw invalidWindowError('window', 'Send window, or from and to.');
  if (from === undefined) throw invalidWindowError('from', 'to needs from.');
  const own = { from: toInstant(from, 'from'), to: to === undefined ? now : toInstant(to, 'to') };
  if (own.from >= own.to)
    throw invalidWindowError(to === undefined ? 'from' : 'to', 'from must be before to.');
  if (msBetween(own.from, own.to) > CUSTOM_WINDOW_DAYS_MAX * DAY_MS) {
    throw invalidWindowError('from', 'from and to must not be more than ten years apart.');
  }
  return own;
};

const invalidWindowError = (param: string, message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param });
