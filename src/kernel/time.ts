declare const instant: unique symbol;

/**
 * An instant as ISO 8601 text in UTC with milliseconds (`2026-01-31T09:30:00.000Z`). Instants
 * compare as text.
 */
export type Instant = string & { readonly [instant]: true };

const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The range of instants: years of four digits, as in RFC 3339 and the databases. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const isInRange = (ms: number): boolean => ms >= FIRST_MS && ms <= LAST_MS;

/**
 * Converts milliseconds to an instant. Values outside of the years 1 to 9999 become the first or
 * last instant.
 */
export const fromMillis = (ms: number): Instant =>
  new Date(isInRange(ms) ? ms : ms > LAST_MS ? LAST_MS : FIRST_MS).toISOString() as Instant;
export const toMillis = (at: Instant): number => Date.parse(at);
export const plusMs = (at: Instant, ms: number): Instant => fromMillis(toMillis(at) + ms);
export const plusDays = (at: Instant, days: number): Instant => plusMs(at, days * DAY_MS);
export const msBetween = (from: Instant, to: Instant): number => toMillis(to) - toMillis(from);
export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
export const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);

const SECONDS_AT = 'YYYY-MM-DDThh:mm'.length;
const INSTANT =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)(\.\d+)?)?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/i;

/**
 * Parses a date-time as RFC 3339 defines it, rounded down to milliseconds, within the years 1 to
 * 9999 in UTC; the seconds may be left out, as ISO 8601 allows. A leap second is the first second
 * of the next minute. Returns null for any other text. A date alone, or a local time without a
 * zone, names no instant. An offset is below 16 hours, as PostgreSQL requires; no place on earth
 * has a larger one than 14.
 */
export const parseInstant = (text: string): Instant | null => {
  if (!INSTANT.test(text)) return null;
  const isLeapSecond = text.slice(SECONDS_AT, SECONDS_AT + 3) === ':60';
  const written = isLeapSecond
    ? `${text.slice(0, SECONDS_AT)}:59${text.slice(SECONDS_AT + 3)}`
    : text;
  const ms = Date.parse(written.toUpperCase()) + (isLeapSecond ? SECOND_MS : 0);
  if (Number.isNaN(ms) || !isInRange(ms)) return null;
  // Date.parse turns 31 February into a day of March, so the day must be checked.
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number];
  return day <= countDaysInMonth(year, month - 1) ? fromMillis(ms) : null;
};

/** Returns the number of days of a month. Months count from 0, as those of `Date` do. */
export const countDaysInMonth = (year: number, month: number): number => {
  const lastDay = new Date(0);
  // Date.UTC would read the years 0 to 99 as those of the twentieth century.
  lastDay.setUTCFullYear(year, month + 1, 0);
  return lastDay.getUTCDate();
};

/** The source of the current time. Tests and test clocks set it by hand. */
export abstract class Clock {
  abstract now(): Instant;

  /**
   * Returns the current time in Unix milliseconds. This is faster than `now` and is called several
   * times for each delivery.
   */
  nowMs(): number {
    return toMillis(this.now());
  }

  /**
   * Returns milliseconds since an arbitrary instant, which no correction of the system clock
   * changes. It is for pauses and rates and has no meaning in another process.
   */
  monotonicMs(): number {
    return performance.now();
  }
}
