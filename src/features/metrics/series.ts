import type { Bucket, Day } from '../../domain/metrics/buckets';
import type { Counts, Filter, Metric, Value } from './metric';
import { addHistograms, type Histogram } from './histogram';
import type { Series } from './daily-count';

/**
 * The count of one part of a series on a day; `day` is null for the sum of all days before the
 * window.
 */
export interface DayCount {
  readonly series: Series;
  readonly day: Day | null;
  readonly part: string;
  readonly value: number;
  readonly histogram?: Histogram;
}

/** Computes the value of a metric for each bucket from the daily counts. */
export const computeSeries = (
  metric: Metric,
  buckets: readonly Bucket[],
  rows: readonly DayCount[],
  filter: Filter,
): Value[] => [...eachValue(metric, buckets, rows, filter)];

/** Computes the same values one by one, because a long history has very many buckets. */
export function* eachValue(
  metric: Metric,
  buckets: readonly Bucket[],
  rows: readonly DayCount[],
  filter: Filter,
): Generator<Value> {
  const gauges = new Map<Series, number>();
  for (const { series, day, value } of rows) {
    if (day === null) gauges.set(series, (gauges.get(series) ?? 0) + value);
  }
  const dated = rows
    .filter((row): row is DayCount & { day: Day } => row.day !== null)
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  // The buckets are in order and without gaps, so one pass over the days is enough.
  let next = 0;
  for (const { lastDay } of buckets) {
    const first = next;
    while (next < dated.length && (dated[next]?.day ?? '') <= lastDay) next += 1;
    const inside = dated.slice(first, next);
    const value = metric.compute(sumCounts(new Map(gauges), inside), filter);
    for (const row of inside) gauges.set(row.series, (gauges.get(row.series) ?? 0) + row.value);
    yield value;
  }
}

const sumCounts = (before: ReadonlyMap<Series, number>, inside: readonly DayCount[]): Counts => {
  const sum = (wanted: Series, part?: string): number =>
    inside
      .filter((row) => row.series === wanted && (part === undefined || row.part === part))
      .reduce((total, { value }) => total + value, 0);
  const atStart = (series: Series): number => before.get(series) ?? 0;
  return {
    sum,
    atStart,
    atEnd: (series) => atStart(series) + sum(series),
    parts: (series) => {
      const parts = new Map<string, number>();
      for (const row of inside) {
        if (row.series === series) parts.set(row.part, (parts.get(row.part) ?? 0) + row.value);
      }
      return parts;
    },
    histogram: (series) =>
      addHistograms(
        inside.flatMap((row) =>
          row.series === series && row.histogram !== undefined ? [row.histogram] : [],
        ),
      ),
  };
};
