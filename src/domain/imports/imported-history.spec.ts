import { noon } from '../../../test/support/given';
import { buildMethod, plan, Story, subId, subscriberId } from '../../../test/support/story';
import { DomainError } from '../../kernel/errors';
import type { Instant } from '../../kernel/time';
import { type SubscriptionHistory, importSubscription } from './imported-history';

const day = (monthAndDay: string) => `2026-${monthAndDay}T12:00:00.000Z` as Instant;

/** The import line of a subscription, read on 2026-03-10. */
const line = (over: Partial<SubscriptionHistory> = {}): SubscriptionHistory => ({
  id: subId,
  subscriberId,
  externalId: 's-1',
  status: 'active',
  period: { start: day('01-31'), end: day('02-28') },
  trialEnd: null,
  cancelledAt: null,
  terms: plan(),
  method: buildMethod('pm_test_ok'),
  actor: 'api',
  newId: (label) => label,
  now: noon,
  ...over,
});

/** Returns the field for which the line is refused, or null if it is imported. */
const refusedFor = (history: SubscriptionHistory): unknown => {
  try {
    importSubscription(history)(new Story().state);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('parameter_invalid');
    return error.facts.param;
  }
};

const period = (start: string, end: string) => ({ start: day(start), end: day(end) });
const weekly = plan({ interval: 'week' });
const free = plan({ amount: 0 });

describe('an imported subscription', () => {
  it.each<[string, Partial<SubscriptionHistory>, string | null]>([
    [
      'is accepted with none due because its period still runs',
      { period: period('03-01', '04-01') },
      null,
    ],
    ['is accepted with one due', {}, null],
    ['is accepted with one due on the last day of the next period', { now: day('03-30') }, null],
    ['is refused with two due by its anchor day', { now: day('03-31') }, 'current_period_end'],
    ['is refused with two due of a weekly plan', { terms: weekly }, 'current_period_end'],
    [
      'is refused with two due even without a payment method',
      { now: day('03-31'), method: null },
      'current_period_end',
    ],
    ['is accepted with two due of a free plan', { terms: free, now: day('11-22') }, null],
    [
      'is accepted with none due because it was cancelled',
      { status: 'cancelled', now: day('11-22') },
      null,
    ],
    [
      'is accepted with none due because it is paused',
      { status: 'paused', now: day('11-22') },
      null,
    ],
    [
      'is accepted with none due because its trial has no payment method',
      { status: 'trialing', method: null, now: day('11-22') },
      null,
    ],
    [
      'is refused with two due after a trial',
      { status: 'trialing', now: day('11-22') },
      'current_period_end',
    ],
    [
      'is refused with two due after a trial with a trial_end',
      { status: 'trialing', trialEnd: day('02-20'), now: day('03-20') },
      'trial_end',
    ],
    [
      'is accepted with one due after a trial',
      { status: 'trialing', trialEnd: day('02-20'), now: day('03-19') },
      null,
    ],
  ])('%s', (_, over, expected) => {
    expect(refusedFor(line(over))).toBe(expected);
  });

  it('with one renewal due is charged once after the import', async () => {
    const story = new Story({ simulated: false });
    story.now = day('03-30');
    await story.do((draft) => {
      draft.add(...importSubscription(line({ now: draft.now }))(draft.state));
    });
    const facts = await story.until(story.now);
    expect(facts.filter(({ type }) => type === 'payment.succeeded')).toHaveLength(1);
  });

  it('changes nothing if it was imported before, even with many renewals due', async () => {
    const story = new Story({ simulated: false });
    const known = importSubscription(line());
    await story.do((draft) => {
      draft.add(...known(draft.state));
    });
    expect(importSubscription(line({ now: day('11-22') }))(story.state)).toEqual([]);
  });
});
