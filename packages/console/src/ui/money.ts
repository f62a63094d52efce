/**
 * Parses an amount such as "12.50" to minor units; null if the text is no amount of the currency.
 */
export const parseMoney = (text: string, currency: string): number | null => {
  const digits = countDigits(currency);
  const match = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > digits) return null;
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
};

/** Formats minor units for an input field: 1250 becomes "12.50". */
export const formatMajorUnits = (amount: number, currency: string): string => {
  const digits = countDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
};

/** Returns an amount as an example for a field: "5.00", or "5" in a currency without parts. */
export const createExample = (currency: string): string => (5).toFixed(countDigits(currency));

export const countDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? 2;
