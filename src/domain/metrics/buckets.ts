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
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/** The time of an environment's first event, and of its last event, which may be in the future. */
export interface History {
  readonly first: Instant | null;
  readonly last: Instant | null;
}

export const dayOf = (at: Instant): Day => UTC.dayOf(at);

interface Windowed extends Span {
  /** The last day of the window, inclusive. */
  readonly lastDay: Day;
}

/**
 * Returns the buckets of a window, oldest first, without gaps (decisions 1.9). `last_7d` is today
 * and the six days before; 30 and 90 work likewise. `last_12mo` is this month and the eleven
 * before. `all_time` begins with the environment's first event and is empty without one. Counts are
 * daily, so a custom window covers the whole days of its two instants.
 */
export const bucketsOf = (
  window: Window | Span,
  granularity: Granularity,
  now: Instant,
  history: History,
  zone: Zone = UTC,
): Bucket[] => {
  const span = windowOf(window, now, history, zone);
  if (span === null) return [];
  const firstDay = zone.dayOf(span.from);
  const buckets: Bucket[] = [];
  for (let day = startOf(granularity, firstDay); day <= span.lastDay;) {
    const end = next(granularity, day);
    const [from, to] = [zone.startOf(day), zone.startOf(end)];
    buckets.push({
      timestamp: from,
      firstDay: laterDay(day, firstDay),
      lastDay: earlierDay(addDays(end, -1), span.lastDay),
      partial: from < span.from || to > span.to,
    });
    day = end;
  }
  return buckets;
};

const windowOf = (
  window: Window | Span,
  now: Instant,
  history: History,
  zone: Zone,
): Windowed | null => {
  if (typeof window !== 'string') return ownWindow(window, now, zone);
  const span = spanOf(window, now, history, zone);
  return span === null ? null : { ...span, lastDay: zone.dayOf(span.to) };
};

/**
 * Returns a custom window in whole days. It ends now at the latest, so a bucket in the future is
 * partial.
 */
const ownWindow = (window: Span, now: Instant, zone: Zone): Windowed => {
  const lastDay = zone.dayOf(plusMs(window.to, -1));
  const end = zone.startOf(addDays(lastDay, 1));
  return {
    from: zone.startOf(zone.dayOf(window.from)),
    to: end < now ? end : now,
    lastDay,
  };
};

const spanOf = (
  window: Window,
  now: Instant,
  { first, last }: History,
  zone: Zone,
): Span | null => {
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

const startOf = (granularity: Granularity, day: Day): Day => {
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

const next = (granularity: Granularity, start: Day): Day => {
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
  return fromMillis(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)).slice(0, 10);
};

const laterDay = (a: Day, b: Day): Day => (a > b ? a : b);
const earlierDay = (a: Day, b: Day): Day => (a < b ? a : b);
