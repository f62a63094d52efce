import type { Instant } from '../../kernel/time';
import { Story, type StoryDraft, subId } from '../../../test/support/story';
import { useUpDiscounts, computeDiscount, addDiscount } from './discount';
import { cancelSubscription, reactivateSubscription } from './ending';
import { pauseSubscription, resumeSubscription } from './pausing';
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

/**
 * The prices of periods that start on the tenth of each month from February, at a full price of 1
 * 000.
 */
const prices = (discounts: readonly Discount[], months: number): number[] => {
  const paid: number[] = [];
  let left = discounts;
  for (let month = 2; month < 2 + months; month += 1) {
    const start = `2026-0${month}-10T00:00:00.000Z` as Instant;
    paid.push(1_000 - computeDiscount({ discounts: left }, 1_000, start));
    left = useUpDiscounts({ discounts: left }, 1_000, start);
  }
  return paid;
};

const added = (...discounts: Discount[]): Discount[] =>
  discounts.reduce<Discount[]>((all, each) => addDiscount({ discounts: all }, each), []);

const forever = discount(30, 'forever');
const once = discount(50, 'once');
const little = discount(10, 'once');
const untilApril = discount(40, 'repeating', '2026-04-01T00:00:00.000Z');

describe('discounts (D-31)', () => {
  it.each([
    ['a forever discount reduces every period', [forever], [700, 700, 700, 700]],
    ['a once discount reduces one period', [once], [500, 1_000, 1_000, 1_000]],
    [
      'a repeating discount reduces the periods until its end',
      [untilApril],
      [600, 600, 1_000, 1_000],
    ],
    [
      'an unused once discount applies before a later forever discount',
      [once, forever],
      [500, 700, 700],
    ],
    [
      'a repeating discount applies before a later, smaller forever discount',
      [untilApril, forever],
      [600, 600, 700],
    ],
    [
      'a smaller once discount waits for the period after a larger one',
      [little, once],
      [500, 900, 1_000],
    ],
    ['a forever discount applies again after a larger once one', [forever, once], [500, 700, 700]],
    [
      'a forever discount applies again after a larger repeating discount',
      [forever, untilApril],
      [600, 600, 700],
    ],
    [
      'a repeating discount applies again after a larger once discount',
      [untilApril, once],
      [500, 600, 1_000],
    ],
    [
      'accepting a smaller discount does not replace a larger one',
      [once, little],
      [500, 900, 1_000],
    ],
    [
      'a new forever discount replaces the earlier one',
      [forever, discount(20, 'forever')],
      [800, 800],
    ],
  ])('%s', (_, discounts, expected) => {
    expect(prices(added(...discounts), expected.length)).toEqual(expected);
  });

  it('of duration once are kept while periods are free', () => {
    const start = '2026-02-10T00:00:00.000Z' as Instant;
    expect(useUpDiscounts({ discounts: [once] }, 0, start)).toEqual([once]);
    expect(useUpDiscounts({ discounts: [once] }, 1_000, start)).toEqual([]);
  });
});

describe('a discount that leaves nothing to pay', () => {
  const free: Discount = { ...once, percent: 100 };
  const discounted = (draft: StoryDraft): void => {
    const data = {
      discount: free,
      motion_run_id: null,
      reason: 'requested',
      actor: 'api',
    } as const;
    draft.add({ type: 'subscription.discount_applied', subscriptionId: subId, data });
  };
  const lines = [
    { kind: 'period', amount: 2000 },
    { kind: 'discount', amount: -2000 },
  ];
  const listEventLines = ({ facts }: Story): unknown[] =>
    facts.flatMap(({ type, data }) =>
      type !== 'subscription.renewal_upcoming' && 'lines' in data ? [[type, data.lines]] : [],
    );

  it('appears in the lines of a renewal without a payment', async () => {
    const story = await Story.active();
    await story.do(discounted);
    await story.after(31);
    expect(listEventLines(story)).toMatchObject([['subscription.renewed', lines]]);
    await story.after(31);
    expect(listEventLines(story)).toHaveLength(1);
  });

  it('appears in the lines of the activation after a trial', async () => {
    const story = await Story.trialing();
    await story.do(discounted);
    await story.after(15);
    expect(listEventLines(story)).toMatchObject([['subscription.activated', lines]]);
  });

  it('appears once in the lines of a new period after a pause', async () => {
    const story = await Story.trialing();
    await story.do(discounted);
    const paused = { subscriptionId: subId, effective: 'immediately', resumesAt: null } as const;
    await story.do((draft, effects) => {
      pauseSubscription(draft, effects, paused);
    });
    const resumed = { subscriptionId: subId, billing: 'new_period' } as const;
    await story.do((draft, effects) => resumeSubscription(draft, effects, resumed));
    expect(listEventLines(story)).toMatchObject([['subscription.resumed', lines]]);
  });

  it('appears in the lines of a reactivation after a cancellation', async () => {
    const story = await Story.active();
    await story.do(discounted);
    const why = { reason: 'cancellation_requested', feedback: null, comment: null } as const;
    const ended = { subscriptionId: subId, effective: 'immediately', ...why } as const;
    await story.do((draft, effects) => {
      cancelSubscription(draft, effects, ended);
    });
    const terms = story.subscription.terms;
    await story.do((draft, effects) =>
      reactivateSubscription(draft, effects, { subscriptionId: subId, terms }),
    );
    expect(listEventLines(story)).toMatchObject([['subscription.reactivated', lines]]);
  });
});
