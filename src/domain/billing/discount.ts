import { requirePresent } from '../../kernel/present';
import { type MinorUnits, multiplyDivide } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { Discount } from './subscription.events';

/**
 * Discounts on the periods of a subscription (D-31). Only the largest one applies to a period. The
 * others are not lost: they wait until no larger one applies.
 */

interface DiscountState {
  /** The newest discount comes first. */
  readonly discounts: readonly Discount[];
}

/** Adds a discount. A new `forever` discount replaces the earlier `forever` one. */
export const addDiscount = ({ discounts }: DiscountState, added: Discount): Discount[] =>
  added.duration === 'forever'
    ? [added, ...discounts.filter(({ duration }) => duration !== 'forever')]
    : [added, ...discounts];

/** Returns the discounts that also apply to a part of a period. `once` waits for a whole period. */
export const selectForPartOfPeriod = (discounts: readonly Discount[]): Discount[] =>
  discounts.filter(({ duration }) => duration !== 'once');

/**
 * Returns the largest discount for a period that starts at an instant, the newest of equal ones.
 */
const chooseDiscount = (
  { discounts }: DiscountState,
  amount: MinorUnits,
  start: Instant,
): Discount | null =>
  discounts
    .filter(({ ends_at }) => ends_at === null || ends_at >= start)
    .reduce<Discount | null>(
      (best, each) =>
        computeReduction(each, amount) > computeReduction(best, amount) ? each : best,
      null,
    );

/** Returns the discounts that are left once a period has begun. An applied `once` is used up. */
export const useUpDiscounts = (
  discounted: DiscountState,
  amount: MinorUnits,
  start: Instant,
): Discount[] => {
  const used = chooseDiscount(discounted, amount, start);
  return discounted.discounts.filter(
    (each) => (each !== used || each.duration !== 'once') && (each.ends_at ?? start) >= start,
  );
};

/** Returns the amount that the discount takes off a period that starts at an instant. */
export const computeDiscount = (
  discounted: DiscountState,
  amount: MinorUnits,
  start: Instant,
): MinorUnits => computeReduction(chooseDiscount(discounted, amount, start), amount);

/** True if an added discount could reduce a period that starts at `from` or later. */
export const canReduce = (
  { discounts }: DiscountState,
  { added, amount, from }: { added: Discount; amount: MinorUnits; from: Instant },
): boolean => {
  if (added.ends_at !== null && added.ends_at < from) return false;
  const forever = discounts.find(({ duration }) => duration === 'forever');
  return (
    forever === undefined ||
    added.duration === 'forever' ||
    computeReduction(added, amount) > computeReduction(forever, amount)
  );
};

const computeReduction = (discount: Discount | null, amount: MinorUnits): MinorUnits => {
  if (discount === null) return 0;
  if (discount.percent === null)
    return Math.min(amount, requirePresent(discount.amount, 'the amount of a discount'));
  return multiplyDivide(amount, Math.round(discount.percent * PERCENT_SCALE), 100 * PERCENT_SCALE);
};

/** Percentages have up to four decimals. */
const PERCENT_SCALE = 10_000;
