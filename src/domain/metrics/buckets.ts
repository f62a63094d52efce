import { DAY_MS, fromMillis, type Instant, later, plusDays, toMillis } from '../../kernel/time';

export const WINDOWS = ['last_7d', 'last_30d', 'last_90d', 'last_12mo', 'all_time'] as const;
export type Window = (typeof WINDOWS)[number];

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** A calendar day in UTC, `2026-01-31`: what everything is counted by. */
export type Day = string;

/** One point of a series. */
export interface Bucket {
  /** Natural start: midnight, Monday, or the first of the month, also where the window cuts it. */
  readonly timestamp: Instant;
  /** Its days inside the window; the last one is included. */
  readonly firstDay: Day;
  readonly lastDay: Day;
  /** The window cuts it, or it is not over. */
  readonly partial: boolean;
}

interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/** What an environment's history spans: its first event, and its last where that is in the future. */
export interface History {
  readonly first: Instant | null;
  readonly last: Instant | null;
}

export const dayOf = (at: Instant): Day => at.slice(0, 10);
const startOfDay = (at: Instant): Instant => `${dayOf(at)}T00:00:00.000Z` as Instant;

/**
 * The buckets of a window, oldest first, without gaps (decisions 1.9; UTC). `last_7d` is today and the
 * six days before, 30 and 90 likewise; `last_12mo` this month and the eleven before; `all_time` begins
 * with the environment's first event and has no bucket without one.
 */
export const bucketsOf = (
  window: Window,
  granularity: Granularity,
  now: Instant,
  history: History,
): Bucket[] => {
  const span = spanOf(window, now, history);
  if (span === null) return [];
  const buckets: Bucket[] = [];
  for (let start = startOf(granularity, span.from); start <= span.to;) {
    const end = next(granularity, start);
    buckets.push({
      timestamp: start,
      firstDay: dayOf(later(start, span.from)),
      lastDay:
        dayOf(plusDays(end, -1)) < dayOf(span.to) ? dayOf(plusDays(end, -1)) : dayOf(span.to),
      partial: start < span.from || end > span.to,
    });
    start = end;
  }
  return buckets;
};

const spanOf = (window: Window, now: Instant, { first, last }: History): Span | null => {
  switch (window) {
    case 'last_7d':
      return { from: plusDays(startOfDay(now), -6), to: now };
    case 'last_30d':
      return { from: plusDays(startOfDay(now), -29), to: now };
    case 'last_90d':
      return { from: plusDays(startOfDay(now), -89), to: now };
    case 'last_12mo':
      return { from: monthsBefore(now, 11), to: now };
    case 'all_time':
      // Under test clocks history goes on past the present.
      return first === null ? null : { from: first, to: later(now, last ?? now) };
  }
};

const startOf = (granularity: Granularity, at: Instant): Instant => {
  switch (granularity) {
    case 'day':
      return startOfDay(at);
    case 'week': {
      const daysSinceMonday = (new Date(at).getUTCDay() + 6) % 7;
      return plusDays(startOfDay(at), -daysSinceMonday);
    }
    case 'month':
      return monthsBefore(at, 0);
  }
};

const next = (granularity: Granularity, start: Instant): Instant => {
  switch (granularity) {
    case 'day':
      return fromMillis(toMillis(start) + DAY_MS);
    case 'week':
      return fromMillis(toMillis(start) + 7 * DAY_MS);
    case 'month':
      return monthsBefore(start, -1);
  }
};

/** The first of the month so many months before. */
const monthsBefore = (at: Instant, months: number): Instant => {
  const date = new Date(at);
  return fromMillis(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
};
