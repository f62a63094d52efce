import { type MinorUnits, multiplyDivide } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { Discount } from './subscription.events';

/** What discounts take off a subscription's periods (D-31). */

interface Discounted {
  /** The newest first: while it lasts, it stands before the others. */
  readonly discounts: readonly Discount[];
}

/** One that lasts for ever leaves nothing to come back; others give way to what was there before. */
export const withDiscount = ({ discounts }: Discounted, added: Discount): Discount[] =>
  added.duration === 'forever' ? [added] : [added, ...discounts];

/** The discount of a period that starts at an instant. */
const discountAt = ({ discounts }: Discounted, start: Instant): Discount | null =>
  discounts.find(({ ends_at }) => ends_at === null || ends_at > start) ?? null;

/** What is left of the discounts when a period has begun: `once` has had its period. */
export const afterPeriod = (discounted: Discounted, start: Instant): Discount[] => {
  const used = discountAt(discounted, start);
  return discounted.discounts.filter(
    (each) => (each !== used || each.duration !== 'once') && (each.ends_at ?? start) >= start,
  );
};

/** What the discount takes off a period that starts at an instant. */
export const discountOn = (
  discounted: Discounted,
  amount: MinorUnits,
  start: Instant,
): MinorUnits => {
  const discount = discountAt(discounted, start);
  if (discount === null) return 0;
  if (discount.percent === null) return Math.min(amount, discount.amount ?? 0);
  return multiplyDivide(amount, Math.round(discount.percent * PERCENT_SCALE), 100 * PERCENT_SCALE);
};

/** Percentages are kept to four decimals. */
const PERCENT_SCALE = 10_000;
