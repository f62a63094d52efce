/** "12.50" in a currency as whole minor units; null where the text is not an amount of it. */
export const parseMoney = (text: string, currency: string): number | null => {
  const digits = countDigits(currency);
  const match = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > digits) return null;
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
};

/** Formats whole minor units as an amount that can be edited: 1250 as "12.50". */
export const formatMajorUnits = (amount: number, currency: string): string => {
  const digits = countDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
};

const countDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? 2;
