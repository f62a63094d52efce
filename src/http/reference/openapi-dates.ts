import { computePeriodEnd } from '../../kernel/period';
import type { Instant } from '../../kernel/time';

/**
 * Placeholders for dates in examples, because a fixed date would become too old. They are replaced
 * by dates relative to the time at which the document is built.
 */
export const LAST_MONTH = { start: '{start of last month}', end: '{end of last month}' } as const;
export const THIS_MONTH = { start: '{start of this month}', end: '{end of this month}' } as const;

/** Replaces the placeholders in the document. */
export const replaceDatePlaceholders = (document: unknown, now: Instant): unknown => {
  const start = `${now.slice(0, 'YYYY-MM'.length)}-01T00:00:00.000Z` as Instant;
  const addMonths = (count: number): Instant =>
    computePeriodEnd(start, { unit: 'month', count }, 1);
  return replaceDates(document, [
    [LAST_MONTH.start, addMonths(-1)],
    [LAST_MONTH.end, start],
    [THIS_MONTH.start, start],
    [THIS_MONTH.end, addMonths(1)],
  ]);
};

type Dates = readonly (readonly [name: string, date: Instant])[];

const replaceDates = (value: unknown, dates: Dates): unknown => {
  if (typeof value === 'string') {
    return dates.reduce((text, [name, date]) => text.replaceAll(name, date), value);
  }
  if (Array.isArray(value)) return value.map((item) => replaceDates(item, dates));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceDates(item, dates)]),
  );
};
