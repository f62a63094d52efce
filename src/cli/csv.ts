/** Spreadsheets run a text that begins so as a formula, or hide the beginning from the reader. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One cell as RFC 4180 writes it. A text that a spreadsheet would run gets an apostrophe in front;
 * a number runs nothing, so a negative one stays a number.
 */
export const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
