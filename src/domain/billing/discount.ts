import { type MinorUnits, multiplyDivide } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { Discount } from './subscription.events';

/**
 * What discounts take off a subscription's periods (D-31). One counts at a time, the one that takes
 * the most off: what was accepted is not lost to what is accepted after it, it waits.
 */

interface Discounted {
  /** The newest first. */
  readonly discounts: readonly Discount[];
}

/** Of those that last for ever the newest is the one; all others wait for their period. */
export const withDiscount = ({ discounts }: Discounted, added: Discount): Discount[] =>
  added.duration === 'forever'
    ? [added, ...discounts.filter(({ duration }) => duration !== 'forever')]
    : [added, ...discounts];

/** Those that count for what is left of a period as well: `once` waits for a whole one. */
export const lasting = (discounts: readonly Discount[]): Discount[] =>
  discounts.filter(({ duration }) => duration !== 'once');

/** The discount of a period that starts at an instant: of equal ones the newest. */
const discountFor = (
  { discounts }: Discounted,
  amount: MinorUnits,
  start: Instant,
): Discount | null =>
  discounts
    .filter(({ ends_at }) => ends_at === null || ends_at >= start)
    .reduce<Discount | null>(
      (best, each) => (takenOff(each, amount) > takenOff(best, amount) ? each : best),
      null,
    );

/** What is left of the discounts when a period has begun: `once` has had its period. */
export const afterPeriod = (
  discounted: Discounted,
  amount: MinorUnits,
  start: Instant,
): Discount[] => {
  const used = discountFor(discounted, amount, start);
  return discounted.discounts.filter(
    (each) => (each !== used || each.duration !== 'once') && (each.ends_at ?? start) >= start,
  );
};

/** What the discount takes off a period that starts at an instant. */
export const discountOn = (
  discounted: Discounted,
  amount: MinorUnits,
  start: Instant,
): MinorUnits => takenOff(discountFor(discounted, amount, start), amount);

/** Whether a period that starts at an instant or later could ever cost less by an added discount. */
export const canCount = (
  { discounts }: Discounted,
  { added, amount, from }: { added: Discount; amount: MinorUnits; from: Instant },
): boolean => {
  if (added.ends_at !== null && added.ends_at < from) return false;
  const forever = discounts.find(({ duration }) => duration === 'forever');
  return (
    forever === undefined ||
    added.duration === 'forever' ||
    takenOff(added, amount) > takenOff(forever, amount)
  );
};

const takenOff = (discount: Discount | null, amount: MinorUnits): MinorUnits => {
  if (discount === null) return 0;
  if (discount.percent === null) return Math.min(amount, discount.amount ?? 0);
  return multiplyDivide(amount, Math.round(discount.percent * PERCENT_SCALE), 100 * PERCENT_SCALE);
};

/** Percentages are kept to four decimals. */
const PERCENT_SCALE = 10_000;
