declare const instant: unique symbol;

/** A moment as ISO 8601 in UTC with milliseconds (`2026-01-31T09:30:00.000Z`); compares as text. */
export type Instant = string & { readonly [instant]: true };

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What an instant can be: years of four digits, as RFC 3339 and the databases have them. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const isInRange = (ms: number): boolean => ms >= FIRST_MS && ms <= LAST_MS;

/** Time ends with the year 9999: what is reckoned beyond it is its last moment. */
export const fromMillis = (ms: number): Instant =>
  new Date(isInRange(ms) ? ms : ms > LAST_MS ? LAST_MS : FIRST_MS).toISOString() as Instant;
export const toMillis = (at: Instant): number => Date.parse(at);
export const plusMs = (at: Instant, ms: number): Instant => fromMillis(toMillis(at) + ms);
export const plusDays = (at: Instant, days: number): Instant => plusMs(at, days * DAY_MS);
export const msBetween = (from: Instant, to: Instant): number => toMillis(to) - toMillis(from);
export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
export const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);

/**
 * An ISO 8601 date-time with zone, at most millisecond precision kept, or null; also where it is in
 * no year from 1 to 9999 of UTC. A date alone and a
 * local time without zone are refused: they name no moment.
 */
export const parseInstant = (text: string): Instant | null => {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)) {
    return null;
  }
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || !isInRange(ms)) return null;
  // Date.parse rolls 31 February over into March: accept a day only if it exists.
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number];
  return day <= daysInMonth(year, month - 1) ? fromMillis(ms) : null;
};

export const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** Where "now" comes from. Real in the process, set by hand in tests and test clocks. */
export abstract class Clock {
  abstract now(): Instant;

  /** The same as a number, which costs less: some ask several times for each delivery. */
  nowMs(): number {
    return toMillis(this.now());
  }

  /**
   * Milliseconds since some moment or other, which no correction of the system's clock moves: for
   * pauses and rates. It means nothing to another process.
   */
  monotonicMs(): number {
    return performance.now();
  }
}
