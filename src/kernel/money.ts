declare const currency: unique symbol;

/** ISO 4217 code in upper case. */
export type Currency = string & { readonly [currency]: true };

/** An integer of minor units (cents; whole units of zero-decimal currencies): D-20. Never a float. */
export type MinorUnits = number;

/** Maximum of one requested amount. Sums of a hundred thousand such amounts are still exact. */
export const AMOUNT_MAX = 100_000_000_000;

/**
 * Computes `a·b/c`, rounded half away from zero: D-10's `rhu(a·b/c) = (2ab+c)/(2c)`. The product is
 * exact for all sizes. `c` must be positive. A result that a number cannot hold exactly (2^53) is a
 * RangeError.
 */
export const multiplyDivide = (a: number, b: number, c: number): MinorUnits => {
  const product = 2n * BigInt(a) * BigInt(b);
  const divisor = 2n * BigInt(c);
  const half = BigInt(c);
  const rounded = product >= 0n ? (product + half) / divisor : -((-product + half) / divisor);
  const result = Number(rounded);
  if (!Number.isSafeInteger(result)) throw new RangeError('an amount beyond 2^53 minor units');
  return result;
};
