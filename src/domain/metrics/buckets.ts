import { DAY_MS, fromMillis, type Instant, later, plusMs, toMillis } from '../../kernel/time';
import { UTC, type Zone } from './zone';

export const WINDOWS = ['last_7d', 'last_30d', 'last_90d', 'last_12mo', 'all_time'] as const;
export type Window = (typeof WINDOWS)[number];

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** A calendar day such as `2026-01-31`, the unit of all counts. In UTC unless a zone is named. */
export type Day = string;

/** One point of a series. */
export interface Bucket {
  /**
   * Natural start of the bucket: midnight, Monday or the first of the month, even if the window
   * begins later.
   */
  readonly timestamp: Instant;
  /** First and last day of the bucket inside the window, both inclusive. */
  readonly firstDay: Day;
  readonly lastDay: Day;
  /** True if the window cuts the bucket or the bucket is not over. */
  readonly partial: boolean;
}

/** A custom window. `from` is inclusive and `to` is exclusive. */
export interface TimeRange {
  readonly from: Instant;
  readonly to: Instant;
}

/** The time of an environment's first event, and of its last event, which may be in the future. */
export interface History {
  readonly first: Instant | null;
  readonly last: Instant | null;
}

export const toDay = (at: Instant): Day => UTC.dayOf(at);

interface DayRange extends TimeRange {
  /** The last day of the window, inclusive. */
  readonly lastDay: Day;
}

/**
 * Yields the buckets of a window one by one, oldest first, without gaps. `last_7d`
 * is today and the six days before; 30 and 90 work likewise. `last_12mo` is this month and the
 * eleven before. `all_time` begins with the environment's first event and is empty without one.
 * Counts are daily, so a custom window covers the whole days of its two instants.
 */
export function* eachBucket(
  window: Window | TimeRange,
  granularity: Granularity,
  now: Instant,
  history: History,
  zone: Zone = UTC,
): Generator<Bucket> {
  const span = resolveWindow(window, now, history, zone);
  if (span === null) return;
  const firstDay = zone.dayOf(span.from);
  for (let day = findBucketStart(granularity, firstDay); day <= span.lastDay;) {
    const end = findNextBucket(granularity, day);
    const [from, to] = [zone.startOf(day), zone.startOf(end)];
    yield {
      timestamp: from,
      firstDay: chooseLaterDay(day, firstDay),
      lastDay: chooseEarlierDay(addDays(end, -1), span.lastDay),
      partial: from < span.from || to > span.to,
    };
    day = end;
  }
}

const resolveWindow = (
  window: Window | TimeRange,
  now: Instant,
  history: History,
  zone: Zone,
): DayRange | null => {
  if (typeof window !== 'string') return resolveCustomWindow(window, now, zone);
  const span = computeDays(window, now, history, zone);
  return span === null ? null : { ...span, lastDay: zone.dayOf(span.to) };
};

/**
 * Returns a custom window in whole days. It ends now at the latest, so a bucket in the future is
 * partial.
 */
const resolveCustomWindow = (window: TimeRange, now: Instant, zone: Zone): DayRange => {
  const lastDay = zone.dayOf(plusMs(window.to, -1));
  const end = zone.startOf(addDays(lastDay, 1));
  return {
    from: zone.startOf(zone.dayOf(window.from)),
    to: end < now ? end : now,
    lastDay,
  };
};

const computeDays = (
  window: Window,
  now: Instant,
  { first, last }: History,
  zone: Zone,
): TimeRange | null => {
  const today = zone.dayOf(now);
  switch (window) {
    case 'last_7d':
      return { from: zone.startOf(addDays(today, -6)), to: now };
    case 'last_30d':
      return { from: zone.startOf(addDays(today, -29)), to: now };
    case 'last_90d':
      return { from: zone.startOf(addDays(today, -89)), to: now };
    case 'last_12mo':
      return { from: zone.startOf(addMonths(today, -11)), to: now };
    case 'all_time':
      // Under test clocks, history continues past the present.
      return first === null ? null : { from: first, to: later(now, last ?? now) };
  }
};

const findBucketStart = (granularity: Granularity, day: Day): Day => {
  switch (granularity) {
    case 'day':
      return day;
    case 'week': {
      const daysSinceMonday = (new Date(day).getUTCDay() + 6) % 7;
      return addDays(day, -daysSinceMonday);
    }
    case 'month':
      return addMonths(day, 0);
  }
};

const findNextBucket = (granularity: Granularity, start: Day): Day => {
  switch (granularity) {
    case 'day':
      return addDays(start, 1);
    case 'week':
      return addDays(start, 7);
    case 'month':
      return addMonths(start, 1);
  }
};

/** Adds days to a day. Days are midnights in UTC, which has no daylight saving time. */
export const addDays = (day: Day, days: number): Day =>
  fromMillis(toMillis(`${day}T00:00:00.000Z` as Instant) + days * DAY_MS).slice(0, 10);

/** Returns the first day of the month that is so many months later. */
const addMonths = (day: Day, months: number): Day => {
  const date = new Date(day);
  // Date.UTC would read the years 0 to 99 as those of the twentieth century.
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  return fromMillis(date.getTime()).slice(0, 10);
};

const chooseLaterDay = (a: Day, b: Day): Day => (a > b ? a : b);
const chooseEarlierDay = (a: Day, b: Day): Day => (a < b ? a : b);
