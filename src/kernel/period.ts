import { type MinorUnits, multiplyDivide } from './money';
import { countDaysInMonth, fromMillis, plusDays, toMillis, type Instant } from './time';

export type IntervalUnit = 'day' | 'week' | 'month' | 'year';

/** A billing interval, for example `{unit: 'month', count: 3}`. */
export interface Interval {
  readonly unit: IntervalUnit;
  readonly count: number;
}

/**
 * Computes the end of the period that starts at `start`. Months and years keep the anchor's day of
 * the month and are cut to the end of the month: 31 Jan → 28 Feb → 31 Mar, all in UTC
 * (docs/decisions.md, "Subscriptions").
 */
export const computePeriodEnd = (
  start: Instant,
  interval: Interval,
  anchorDay: number,
): Instant => {
  switch (interval.unit) {
    case 'day':
      return plusDays(start, interval.count);
    case 'week':
      return plusDays(start, 7 * interval.count);
    case 'month':
      return plusMonths(start, interval.count, anchorDay);
    case 'year':
      return plusMonths(start, 12 * interval.count, anchorDay);
  }
};

export const readAnchorDay = (at: Instant): number => new Date(at).getUTCDate();

const plusMonths = (at: Instant, months: number, anchorDay: number): Instant => {
  const from = new Date(toMillis(at));
  const target = from.getUTCFullYear() * 12 + from.getUTCMonth() + months;
  const year = Math.floor(target / 12);
  const month = target % 12;
  const moved = new Date(from);
  moved.setUTCFullYear(year, month, Math.min(anchorDay, countDaysInMonth(year, month)));
  return fromMillis(moved.getTime());
};

/**
 * Converts a price per interval to a price per month (D-72): year ÷ 12, week × 52 ÷ 12, day × 365 ÷
 * 12.
 */
export const computeMonthlyAmount = (price: MinorUnits, { unit, count }: Interval): MinorUnits => {
  switch (unit) {
    case 'day':
      return multiplyDivide(price, 365, 12 * count);
    case 'week':
      return multiplyDivide(price, 52, 12 * count);
    case 'month':
      return multiplyDivide(price, 1, count);
    case 'year':
      return multiplyDivide(price, 1, 12 * count);
  }
};
