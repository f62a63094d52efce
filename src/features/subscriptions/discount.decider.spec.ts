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
    left = afterPeriod({ discounts: left }, 1_000, start);
  }
  return paid;
};

const added = (...discounts: Discount[]): Discount[] =>
  discounts.reduce<Discount[]>((all, each) => withDiscount({ discounts: all }, each), []);

const forever = discount(30, 'forever');
const once = discount(50, 'once');
const little = discount(10, 'once');
const untilApril = discount(40, 'repeating', '2026-04-01T00:00:00.000Z');

describe('discounts (D-31)', () => {
  it.each([
    ['one for ever', [forever], [700, 700, 700, 700]],
    ['one for once', [once], [500, 1_000, 1_000, 1_000]],
    ['one for a time', [untilApril], [600, 600, 1_000, 1_000]],
    [
      'one for once that was not used is not lost to one for ever',
      [once, forever],
      [500, 700, 700],
    ],
    ['nor is one for a time', [untilApril, forever], [600, 600, 700]],
    ['nor is it to a better one for once: it waits', [little, once], [500, 900, 1_000]],
    ['once, then what was for ever comes back', [forever, once], [500, 700, 700]],
    ['for a time, then what was for ever', [forever, untilApril], [600, 600, 700]],
    ['once, then the rest of the time', [untilApril, once], [500, 600, 1_000]],
    ['accepting less costs nothing', [once, little], [500, 900, 1_000]],
    [
      'a new one for ever takes the place of the old',
      [forever, discount(20, 'forever')],
      [800, 800],
    ],
  ])('%s', (_, discounts, expected) => {
    expect(prices(added(...discounts), expected.length)).toEqual(expected);
  });

  it('are kept for a period that costs something', () => {
    const start = '2026-02-10T00:00:00.000Z' as Instant;
    expect(afterPeriod({ discounts: [once] }, 0, start)).toEqual([once]);
    expect(afterPeriod({ discounts: [once] }, 1_000, start)).toEqual([]);
  });
});
