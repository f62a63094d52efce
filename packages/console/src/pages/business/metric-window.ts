import type { MetricSeries } from '@subscription-event-service/sdk';
import { service } from '../../api/service';
import { inTurn } from '../../api/turns';

export type Window = NonNullable<MetricSeries['window']>;
export type Granularity = MetricSeries['granularity'];
export type Point = MetricSeries['points'][number];

export const WINDOWS: readonly (readonly [Window, string])[] = [
  ['last_7d', 'Last 7 days'],
  ['last_30d', 'Last 30 days'],
  ['last_90d', 'Last 90 days'],
  ['last_12mo', 'Last 12 months'],
  ['all_time', 'All time'],
];

export const GRANULARITIES: readonly (readonly [Granularity, string])[] = [
  ['day', 'By day'],
  ['week', 'By week'],
  ['month', 'By month'],
];

export const windowOf = (text: string | undefined): Window =>
  WINDOWS.find(([name]) => name === text)?.[0] ?? 'last_30d';

/** As many points as an eye can tell apart. */
export const granularityOf = (text: string | undefined, window: Window): Granularity =>
  GRANULARITIES.find(([name]) => name === text)?.[0] ??
  (window === 'last_12mo' || window === 'all_time' ? 'month' : 'day');

export const titleOfWindow = (window: Window): string =>
  WINDOWS.find(([name]) => name === window)?.[1] ?? '';

/** A series of a window, and the buckets of the same number just before it. */
export interface Compared {
  readonly series: MetricSeries;
  /** As long as the window; a bucket is null where there is no history yet. */
  readonly previous: readonly (Point | null)[];
}

/** The shortest window that holds another one twice; one question then answers for both periods. */
const TWICE: Readonly<Record<Window, Window>> = {
  last_7d: 'last_30d',
  last_30d: 'last_90d',
  last_90d: 'last_12mo',
  last_12mo: 'all_time',
  all_time: 'all_time',
};

const DAYS: Partial<Readonly<Record<Window, number>>> = { last_7d: 7, last_30d: 30, last_90d: 90 };
const DAY_MS = 86_400_000;

/** Whom a metric is counted for; everybody where nothing is given. */
export interface Cut {
  readonly plan?: string;
  readonly cohort_id?: string;
}

/** Loads a metric with the period before. */
export const loadCompared = async (
  name: string,
  window: Window,
  granularity: Granularity,
  signal: AbortSignal,
  cut: Cut = {},
): Promise<Compared> => {
  const asked = { window: TWICE[window], granularity, ...cut };
  const wide = await inTurn(signal, () => service().metrics.get(name, asked, { signal }));
  return splitAt(wide, window, Date.parse(wide.computed_at));
};

/** Cuts a series where the window begins. */
export const splitAt = (wide: MetricSeries, window: Window, nowMs: number): Compared => {
  const begin = beginOf(window, nowMs);
  const cut =
    begin === null
      ? 0
      : wide.points.findIndex(({ timestamp }, index) => {
          const next = wide.points[index + 1];
          return (
            Date.parse(timestamp) >= begin || (next != null && Date.parse(next.timestamp) > begin)
          );
        });
  const from = Math.max(0, cut);
  const points = wide.points.slice(from);
  return {
    series: { ...wide, window, points },
    previous: points.map((_, index) => wide.points[from - points.length + index] ?? null),
  };
};

const beginOf = (window: Window, nowMs: number): number | null => {
  const days = DAYS[window];
  const midnight = Math.floor(nowMs / DAY_MS) * DAY_MS;
  if (days !== undefined) return midnight - (days - 1) * DAY_MS;
  if (window === 'all_time') return null;
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1);
};
