import { periodEnd } from '../kernel/period';
import type { Instant } from '../kernel/time';

/**
 * Examples that a fixed date would spoil in time. A field names one of them as its example; in the
 * document stands the date, as of the moment the document is made.
 */
export const LAST_MONTH = { start: '{start of last month}', end: '{end of last month}' } as const;

/** The document with dates for names. */
export const withDates = (document: unknown, now: Instant): unknown => {
  const end = `${now.slice(0, 'YYYY-MM'.length)}-01T00:00:00.000Z` as Instant;
  const start = periodEnd(end, { unit: 'month', count: -1 }, 1);
  const dates = new Map<unknown, Instant>([
    [LAST_MONTH.start, start],
    [LAST_MONTH.end, end],
  ]);
  return replaced(document, dates);
};

const replaced = (value: unknown, dates: ReadonlyMap<unknown, Instant>): unknown => {
  if (Array.isArray(value)) return value.map((item) => replaced(item, dates));
  if (typeof value !== 'object' || value === null) return dates.get(value) ?? value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaced(item, dates)]),
  );
};
