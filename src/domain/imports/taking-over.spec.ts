import { noon } from '../../../test/support/given';
import { method, plan, Story, subId, subscriberId } from '../../../test/support/story';
import { DomainError } from '../../kernel/errors';
import type { Instant } from '../../kernel/time';
import { type SubscriptionHistory, takeOverSubscription } from './taking-over';

const day = (monthAndDay: string) => `2026-${monthAndDay}T12:00:00.000Z` as Instant;

/** A subscription as its line tells of it on 2026-03-10. */
const line = (over: Partial<SubscriptionHistory> = {}): SubscriptionHistory => ({
  id: subId,
  subscriberId,
  externalId: 's-1',
  status: 'active',
  period: { start: day('01-31'), end: day('02-28') },
  trialEnd: null,
  cancelledAt: null,
  terms: plan(),
  method: method('pm_test_ok'),
  actor: 'api',
  newId: (label) => label,
  now: noon,
  ...over,
});

/** The field the line is refused for, null where it is taken over. */
const refusedFor = (history: SubscriptionHistory): unknown => {
  try {
    takeOverSubscription(history)(new Story().state);
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

describe('a subscription of which renewals are due at the import', () => {
  it.each<[string, Partial<SubscriptionHistory>, string | null]>([
    ['none: its period runs', { period: period('03-01', '04-01') }, null],
    ['one', {}, null],
    ['one, on the last day of the next period', { now: day('03-30') }, null],
    ['two, as its anchor says', { now: day('03-31') }, 'current_period_end'],
    ['two, of a shorter plan', { terms: weekly }, 'current_period_end'],
    ['two, whoever is to pay them', { now: day('03-31'), method: null }, 'current_period_end'],
    ['two that cost nothing', { terms: free, now: day('11-22') }, null],
    ['none: it was cancelled', { status: 'cancelled', now: day('11-22') }, null],
    ['none: it is paused', { status: 'paused', now: day('11-22') }, null],
    [
      'none: its trial cannot be paid',
      { status: 'trialing', method: null, now: day('11-22') },
      null,
    ],
    ['two, after a trial', { status: 'trialing', now: day('11-22') }, 'current_period_end'],
    [
      'two, after a trial that names its end',
      { status: 'trialing', trialEnd: day('02-20'), now: day('03-20') },
      'trial_end',
    ],
    ['one, after a trial', { status: 'trialing', trialEnd: day('02-20'), now: day('03-19') }, null],
  ])('%s', (_, over, expected) => {
    expect(refusedFor(line(over))).toBe(expected);
  });

  it('is charged once where the line is taken over', async () => {
    const story = new Story({ simulated: false });
    story.now = day('03-30');
    await story.do((draft) => {
      draft.add(...takeOverSubscription(line({ now: draft.now }))(draft.state));
    });
    const facts = await story.until(story.now);
    expect(facts.filter(({ type }) => type === 'payment.succeeded')).toHaveLength(1);
  });

  it('changes nothing when it was taken over before, however long ago', async () => {
    const story = new Story({ simulated: false });
    const known = takeOverSubscription(line());
    await story.do((draft) => {
      draft.add(...known(draft.state));
    });
    expect(takeOverSubscription(line({ now: day('11-22') }))(story.state)).toEqual([]);
  });
});
