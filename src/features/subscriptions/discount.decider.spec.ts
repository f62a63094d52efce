import type { Instant } from '../../kernel/time';
import { afterPeriod, discountOn, withDiscount } from './discount.decider';
import type { Discount } from './subscription.events';

const discount = (
  percent: number,
  duration: Discount['duration'],
  ends_at: string | null = null,
): Discount => ({
  percent,
  amount: null,
  currency: null,
  duration,
  ends_at: ends_at as Instant | null,
});

/** What periods that start on the tenth of each month from February on cost, of 1 000. */
const prices = (discounts: readonly Discount[], months: number): number[] => {
  const paid: number[] = [];
  let left = discounts;
  for (let month = 2; month < 2 + months; month += 1) {
    const start = `2026-0${month}-10T00:00:00.000Z` as Instant;
    paid.push(1_000 - discountOn({ discounts: left }, 1_000, start));
    left = afterPeriod({ discounts: left }, start);
  }
  return paid;
};

const added = (...discounts: Discount[]): Discount[] =>
  discounts.reduce<Discount[]>((all, each) => withDiscount({ discounts: all }, each), []);

const forever = discount(50, 'forever');
const once = discount(10, 'once');
const untilApril = discount(20, 'repeating', '2026-04-01T00:00:00.000Z');

describe('discounts (D-31)', () => {
  it.each([
    ['one for ever', [forever], [500, 500, 500, 500]],
    ['one for once', [once], [900, 1_000, 1_000, 1_000]],
    ['one for a time', [untilApril], [800, 800, 1_000, 1_000]],
    ['once, then what was for ever comes back', [forever, once], [900, 500, 500, 500]],
    ['for a time, then what was for ever', [forever, untilApril], [800, 800, 500, 500]],
    ['once, then the rest of the time', [untilApril, once], [900, 800, 1_000, 1_000]],
    ['a new one for ever ends all others', [untilApril, once, forever], [500, 500, 500, 500]],
    ['two for once, the newer first', [once, discount(30, 'once')], [700, 900, 1_000, 1_000]],
  ])('%s', (_, discounts, expected) => {
    expect(prices(added(...discounts), 4)).toEqual(expected);
  });
});
