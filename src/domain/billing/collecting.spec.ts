import { noon } from '../../../test/support/given';
import {
  buildMethod,
  plan,
  Story,
  type StoryFact,
  subId,
  subscriberId,
} from '../../../test/support/story';
import { plusDays } from '../../kernel/time';
import {
  type Charge,
  type ChargeOutcome,
  collectAmount,
  type AmountDue,
  type IfDeclined,
} from './collecting';
import { grantCredit } from './credit.decider';
import type { Failure, Line, Payment } from './payment.events';

const SOFT: Failure = { code: 'insufficient_funds', message: 'No.', decline_type: 'soft' };
const HARD: Failure = { code: 'card_declined', message: 'Never.', decline_type: 'hard' };
const PERIOD = { start: noon, end: plusDays(noon, 31) };

const line = (amount: number): Line => ({
  kind: amount < 0 ? 'credit' : 'period',
  plan: 'pro',
  amount,
  period_start: PERIOD.start,
  period_end: PERIOD.end,
});

const dueOf = (amounts: readonly number[], over: Partial<AmountDue> = {}): AmountDue => ({
  subscription: { id: subId, subscriberId, method: buildMethod('pm_test_ok') },
  reason: 'renewal',
  terms: plan(),
  period: PERIOD,
  lines: amounts.map(line),
  ifDeclined: 'retry',
  ...over,
});

const withCredit = async (amount: number): Promise<Story> => {
  const story = new Story();
  await story.do((draft) => {
    grantCredit(draft, {
      id: 'crd_000000000000000000000001',
      subscriberId,
      amount,
      currency: plan().currency,
      category: 'goodwill',
      expiresAt: null,
      source: { type: 'api', id: null },
      note: null,
      motionRunId: null,
      reason: 'requested',
      actor: 'api',
    });
  });
  return story;
};

interface Collecting {
  readonly facts: StoryFact[];
  readonly charges: Charge[];
  readonly collected: Awaited<ReturnType<typeof collectAmount>>;
}

const collecting = async (
  story: Story,
  due: AmountDue,
  answer: ChargeOutcome = { kind: 'succeeded', providerRef: 'ch_1' },
): Promise<Collecting> => {
  const charges: Charge[] = [];
  const charge = (asked: Charge): Promise<ChargeOutcome> => {
    charges.push(asked);
    return Promise.resolve(answer);
  };
  const results: Collecting['collected'][] = [];
  const facts = await story.do(
    async (draft, effects) => results.push(await collectAmount(draft, effects, due)),
    { charge },
  );
  return { facts, charges, collected: results[0]! };
};

const paymentIn = ([fact]: readonly StoryFact[]): Payment =>
  (fact as unknown as { data: { payment: Payment } }).data.payment;

const declined = (failure: Failure): ChargeOutcome => ({ kind: 'declined', failure });

describe('an amount that is due', () => {
  it('is the sum of its lines and is charged to the payment method of the subscription', async () => {
    const { facts, charges, collected } = await collecting(new Story(), dueOf([2_000, -300]));
    expect(facts).toMatchObject([
      {
        type: 'payment.succeeded',
        data: {
          first_payment: true,
          payment: { amount: 1_700, credit_applied: 0, attempt_count: 1, provider_ref: 'ch_1' },
        },
      },
    ]);
    const { id } = paymentIn(facts);
    expect(charges).toEqual([
      {
        attemptId: `${id}_1`,
        attempt: 1,
        amount: 1_700,
        currency: 'USD',
        method: buildMethod('pm_test_ok'),
      },
    ]);
    expect(collected).toMatchObject({ outcome: 'succeeded', payment: { id } });
  });

  it('is paid from credits first, and the provider is charged the rest', async () => {
    const { facts, charges } = await collecting(await withCredit(500), dueOf([2_000]));
    expect(charges).toMatchObject([{ amount: 1_500 }]);
    expect(facts).toMatchObject([
      { type: 'credit.applied', data: { amount: 500, remaining: 0 } },
      { type: 'payment.succeeded', data: { payment: { amount: 2_000, credit_applied: 500 } } },
    ]);
  });

  it('is not charged if credits pay all of it', async () => {
    const { facts, charges } = await collecting(await withCredit(5_000), dueOf([2_000]));
    expect(charges).toEqual([]);
    expect(facts).toMatchObject([
      { type: 'credit.applied', data: { amount: 2_000, remaining: 3_000 } },
      { type: 'payment.succeeded', data: { payment: { credit_applied: 2_000 } } },
    ]);
  });

  it('of zero needs no payment', async () => {
    const { facts, charges, collected } = await collecting(new Story(), dueOf([300, -300]));
    expect([facts, charges]).toEqual([[], []]);
    expect(collected).toEqual({
      outcome: 'nothing_due',
      payment: null,
      unchargedLines: [line(300), line(-300)],
    });
  });

  it('below zero becomes customer credit and no refund (D-11)', async () => {
    const { facts, charges, collected } = await collecting(new Story(), dueOf([300, -1_000]));
    expect(facts).toMatchObject([
      {
        type: 'credit.granted',
        data: { amount: 700, category: 'proration', credit: { expires_at: null } },
      },
    ]);
    expect([charges, collected.outcome]).toEqual([[], 'nothing_due']);
  });
});

describe('a charge without an outcome yet', () => {
  it('leaves the payment open for the grace period and holds its credits', async () => {
    const { facts, collected } = await collecting(await withCredit(500), dueOf([2_000]), {
      kind: 'pending',
    });
    expect(facts).toMatchObject([
      { type: 'credit.applied', data: { amount: 500 } },
      {
        type: 'payment.due',
        data: {
          due_at: noon,
          grace_ends_at: plusDays(noon, 14),
          payment: { status: 'pending', attempt_count: 0, next_attempt_at: null, failure: null },
        },
      },
    ]);
    expect(collected.outcome).toBe('pending');
  });
});

describe('a declined charge', () => {
  const outcomeOf = (
    ifDeclined: IfDeclined,
    failure: Failure,
    reason: AmountDue['reason'] = 'renewal',
  ) => collecting(new Story(), dueOf([2_000], { ifDeclined, reason }), declined(failure));

  it('is refused and changes nothing with `refuse`', async () => {
    const story = await withCredit(500);
    const due = dueOf([2_000], { ifDeclined: 'refuse' });
    const before = story.state;
    await expect(collecting(story, due, declined(SOFT))).rejects.toMatchObject({
      code: 'payment_failed',
      facts: { details: { code: 'insufficient_funds', decline_type: 'soft' } },
    });
    expect(story.state).toBe(before);
  });

  it('fails the payment and uses no credit with `record`', async () => {
    const story = await withCredit(500);
    const due = dueOf([2_000], { ifDeclined: 'record' });
    const { facts } = await collecting(story, due, declined(SOFT));
    expect(facts).toMatchObject([
      {
        type: 'payment.failed',
        data: {
          final: true,
          next_attempt_at: null,
          payment: { status: 'failed', credit_applied: 0, grace_ends_at: null, recovery: null },
        },
      },
    ]);
  });

  it('keeps the payment open with `retry` and tries a soft decline again a day later', async () => {
    const { facts } = await outcomeOf('retry', SOFT);
    expect(facts).toMatchObject([
      {
        type: 'payment.failed',
        data: {
          attempt: 1,
          final: false,
          next_attempt_at: plusDays(noon, 1),
          payment: {
            status: 'pending',
            grace_ends_at: plusDays(noon, 14),
            first_failed_at: noon,
            recovery: { outcome: 'open', attempts: 1, first_failed_at: noon },
          },
        },
      },
    ]);
  });

  it('is not tried again by itself after a hard decline', async () => {
    const { facts } = await outcomeOf('retry', HARD);
    expect(facts).toMatchObject([{ data: { final: false, next_attempt_at: null } }]);
  });

  it('is final at once without a grace period', async () => {
    const story = new Story({ graceDays: 0 });
    const { facts } = await collecting(story, dueOf([2_000]), declined(SOFT));
    expect(facts).toMatchObject([{ data: { final: true, payment: { status: 'failed' } } }]);
  });

  it.each([
    ['renewal', 'open'],
    ['resume', 'open'],
    ['subscription_start', undefined],
    ['trial_conversion', undefined],
    ['plan_change', undefined],
  ] as const)('of reason %s has the recovery case: %s (D-25)', async (reason, outcome) => {
    const { facts } = await outcomeOf('retry', SOFT, reason);
    expect(paymentIn(facts).recovery?.outcome).toBe(outcome);
  });
});

describe('the retries of a soft decline (D-03)', () => {
  const retriesWithin = async (graceDays: number): Promise<number[]> => {
    const story = await Story.active('pm_test_soft_decline', { graceDays });
    const first = story.subscription.period.end;
    const facts = await story.until(plusDays(first, 40));
    return facts
      .filter(({ type }) => type === 'payment.failed')
      .map(({ at }) => (Date.parse(at) - Date.parse(first)) / 86_400_000);
  };

  it('are made 1, 3, 5, 7, 10 and 13 days after the first failure', async () => {
    expect(await retriesWithin(14)).toEqual([0, 1, 3, 5, 7, 10, 13]);
  });

  it('end with the grace period', async () => {
    expect(await retriesWithin(5)).toEqual([0, 1, 3]);
  });
});
