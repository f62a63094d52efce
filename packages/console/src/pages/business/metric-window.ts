import type { MetricSeries } from '@subscription-event-service/sdk';
import { service } from '../../api/service';
import { runInTurn } from '../../api/turns';
import { formatDay } from '../../ui/format';

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

const readWindow = (text: string | undefined): Window =>
  WINDOWS.find(([name]) => name === text)?.[0] ?? 'last_30d';

/** Returns the day of an instant in the address; nothing if the text is no instant. */
const readDay = (text = ''): string | undefined =>
  Number.isNaN(Date.parse(text)) ? undefined : text.slice(0, 10);

/** The selected period of a page of metrics, from its address. */
export interface Period {
  readonly window: Window;
  /** First and last day of a custom window; null if `window` is used. */
  readonly own: { readonly first: string; readonly last: string } | null;
  readonly granularity: Granularity;
  readonly timezone: string;
  /** The currency of amounts; null for that of the tenant. */
  readonly currency: string | null;
}

/** Maximum number of points by day. A longer window is shown by month. */
const POINTS_MAX = 120;

export const readPeriod = (
  query: Readonly<Record<string, string>>,
  today = new Date().toISOString().slice(0, 10),
): Period => {
  const window = readWindow(query.window);
  const first = readDay(query.from);
  const [begin, last = today] = [first, readDay(query.to) ?? today].sort();
  const own = begin === undefined || first === undefined ? null : { first: begin, last };
  const isLong =
    own === null
      ? window === 'last_12mo' || window === 'all_time'
      : countDays(own.first, own.last) > POINTS_MAX;
  const granularity =
    GRANULARITIES.find(([name]) => name === query.granularity)?.[0] ?? (isLong ? 'month' : 'day');
  return {
    ...{ window, own, granularity },
    timezone: query.timezone ?? 'UTC',
    currency: query.currency ?? null,
  };
};

/** Returns the parameters of a period for links and for the API, without default values. */
export const createMetricParams = ({
  window,
  own,
  timezone,
  currency,
}: Period): Record<string, string> => ({
  ...(own === null ? { window } : { from: createNoon(own.first), to: createNoon(own.last) }),
  ...(timezone === 'UTC' ? {} : { timezone }),
  ...(currency === null ? {} : { currency }),
});

/** The period in words. */
export const formatPeriod = ({ window, own }: Period): string =>
  own === null
    ? (WINDOWS.find(([name]) => name === window)?.[1] ?? '')
    : `${formatDay(own.first)} to ${formatDay(own.last)}`;

/** The series of a window, and the same number of buckets before it. */
export interface Compared {
  readonly series: MetricSeries;
  /** It has as many buckets as the window; a bucket before the beginning of the history is null. */
  readonly previous: readonly (Point | null)[];
}

/**
 * The shortest window that is at least twice as long as another one, so that one request returns
 * both periods.
 */
const DOUBLE_WINDOW: Readonly<Record<Window, Window>> = {
  last_7d: 'last_30d',
  last_30d: 'last_90d',
  last_90d: 'last_12mo',
  last_12mo: 'all_time',
  all_time: 'all_time',
};

const DAYS_OF_WINDOW: Partial<Readonly<Record<Window, number>>> = {
  last_7d: 7,
  last_30d: 30,
  last_90d: 90,
};
const DAY_MS = 86_400_000;

/** Restricts a metric to some subscribers. The default is all. */
export interface Cut {
  readonly plan?: string;
  readonly cohort_id?: string;
}

/** Loads a metric for a period and for the period before. */
export const loadCompared = async (
  name: string,
  period: Period,
  signal: AbortSignal,
  cut: Cut = {},
): Promise<Compared> => {
  const { window, own, granularity, timezone, currency } = period;
  const asked = {
    ...(own === null ? { window: DOUBLE_WINDOW[window] } : doublePeriod(own)),
    ...(timezone === 'UTC' ? {} : { timezone }),
    ...(currency === null ? {} : { currency }),
    granularity,
    ...cut,
  };
  const wide = await runInTurn(signal, () => service().metrics.get(name, asked, { signal }));
  return splitByPeriod(wide, period);
};

/**
 * Returns noon of a day in UTC, which is on the same day in nearly every time zone. The service
 * counts whole days.
 */
const createNoon = (day: string): string => `${day}T12:00:00Z`;

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const countDays = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;

const doublePeriod = ({
  first,
  last,
}: {
  first: string;
  last: string;
}): { from: string; to: string } => ({
  from: createNoon(addDays(first, -countDays(first, last))),
  to: createNoon(last),
});

/** Splits a series at the beginning of the period. */
const splitByPeriod = (wide: MetricSeries, period: Period): Compared => {
  const today = findDayIn(wide.timezone, wide.computed_at);
  const begin = findBegin(period, today);
  const days = wide.points.map(({ timestamp }) => findDayIn(wide.timezone, timestamp));
  const cut =
    begin === null
      ? 0
      : days.findIndex((day, index) => day >= begin || (days[index + 1] ?? '') > begin);
  const from = Math.max(0, cut);
  // A chosen last day may be in the future. Under test clocks, all of the time may be too.
  const points = wide.points.filter(
    (_, index) => index >= from && (period.own === null || (days[index] ?? '') <= today),
  );
  return {
    series: { ...wide, points },
    previous: points.map((_, index) => wide.points[from - points.length + index] ?? null),
  };
};

const findDayIn = (timeZone: string, iso: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(iso));

/** Returns the first day of a period; null if it begins with the first event. */
const findBegin = ({ window, own }: Period, today: string): string | null => {
  if (own !== null) return own.first;
  const days = DAYS_OF_WINDOW[window];
  if (days !== undefined) return addDays(today, 1 - days);
  if (window === 'all_time') return null;
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
};
