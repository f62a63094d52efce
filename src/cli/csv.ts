/**
 * Matches a text that a spreadsheet would run as a formula, or whose first character a spreadsheet
 * would hide.
 */
const FORMULA_PATTERN = /^[=+\-@\t\r]/;

/**
 * Formats one cell by RFC 4180. A text that a spreadsheet would run gets an apostrophe in front. A
 * negative number gets none, because a number is no formula.
 */
export const formatCsvCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = FORMULA_PATTERN.test(text) ? `'${text}` : text;
  return /[",\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
