import type { Movement, Series } from './daily-count';
import type { Histogram } from './histogram';

export const UNITS = ['ratio', 'count', 'minor_units', 'seconds'] as const;
export type Unit = (typeof UNITS)[number];

/** The counts of one bucket. The formula of a metric computes its value from them. */
export interface Counts {
  /** Returns the sum of what happened inside the bucket. */
  sum(series: Series, part?: string): number;
  /** Returns a gauge at the start of the bucket. */
  atStart(series: Series): number;
  /** Returns a gauge at the end of the bucket. */
  atEnd(series: Series): number;
  /** Returns the sum of each part of the series inside the bucket. */
  parts(series: Series): ReadonlyMap<string, number>;
  /** Returns the durations inside the bucket. */
  histogram(series: Series): Histogram;
}

export interface Value {
  readonly value: number;
  /** The number of things that the value is computed from. */
  readonly sampleSize: number;
  /**
   * True while the value may still change, for example because a trial of the bucket has not ended
   * yet.
   */
  readonly maturing?: boolean;
  readonly movements?: Readonly<Record<Movement, number>>;
}

/** Query parameters that a metric takes besides `window` and `granularity`. */
export type Parameter = 'measure' | 'currency' | 'by' | 'destination_id' | 'topic';

/**
 * A cut restricts a metric to a plan or a cohort, or counts by the days of another time zone. The
 * stored counts are for all subscribers in UTC, so for a cut the events are counted again.
 */
export type CutName = 'plan' | 'cohort_id' | 'timezone';

export interface Metric {
  readonly name: string;
  readonly measure?: string;
  readonly unit: Unit;
  /** The series of counts that the metric reads. */
  readonly series: readonly Series[];
  /** The series of durations that the metric reads. */
  readonly histogram?: Series;
  /**
   * The same durations with one part for each second; read only if there are at most `EXACT_MAX` of
   * them (`catalogue.ts`).
   */
  readonly exact?: Series;
  readonly parameters: readonly Parameter[];
  readonly cuts: readonly CutName[];
  readonly formula: string;
  readonly exclusions: readonly string[];
  readonly compute: (counts: Counts, filter: Filter) => Value;
}

export interface Filter {
  readonly by?: string;
  readonly topic?: string;
}
