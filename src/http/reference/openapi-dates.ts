import { computePeriodEnd } from '../../kernel/period';
import type { Instant } from '../../kernel/time';

/**
 * Examples that a fixed date would spoil in time. An example names one of them, alone or in its text;
 * in the document stands the date, as of the moment the document is made.
 */
export const LAST_MONTH = { start: '{start of last month}', end: '{end of last month}' } as const;
export const THIS_MONTH = { start: '{start of this month}', end: '{end of this month}' } as const;

/** The document with dates for names. */
export const withDates = (document: unknown, now: Instant): unknown => {
  const start = `${now.slice(0, 'YYYY-MM'.length)}-01T00:00:00.000Z` as Instant;
  const monthsFrom = (count: number): Instant =>
    computePeriodEnd(start, { unit: 'month', count }, 1);
  return replaced(document, [
    [LAST_MONTH.start, monthsFrom(-1)],
    [LAST_MONTH.end, start],
    [THIS_MONTH.start, start],
    [THIS_MONTH.end, monthsFrom(1)],
  ]);
};

type Dates = readonly (readonly [name: string, date: Instant])[];

const replaced = (value: unknown, dates: Dates): unknown => {
  if (typeof value === 'string') {
    return dates.reduce((text, [name, date]) => text.replaceAll(name, date), value);
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, dates));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaced(item, dates)]),
  );
};
