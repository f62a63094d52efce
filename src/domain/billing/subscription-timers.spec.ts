import { noon } from '../../../test/support/given';
import { listFactTimes, buildMethod, plan, Story, subId } from '../../../test/support/story';
import { type Instant, plusDays } from '../../kernel/time';
import { updatePaymentMethod } from './payment-outcome';
import { extendTrial } from './subscription-timers';

const types = (facts: readonly { readonly type: string }[]) => facts.map(({ type }) => type);

describe('the end of a trial', () => {
  it('charges the payment method and activates from the instant the trial ended', async () => {
    const story = await Story.trialing();
    const end = plusDays(noon, 14);
    const facts = await story.until(plusDays(noon, 20));
    expect(types(facts)).toEqual([
      'subscription.trial_will_end',
      'payment.succeeded',
      'subscription.activated',
    ]);
    expect(facts[0]).toMatchObject({ at: plusDays(end, -3), data: { trial_end: end } });
    expect(facts[2]).toMatchObject({
      at: end,
      data: { reason: 'trial_converted', previous: { status: 'trialing' }, period_start: end },
    });
  });

  it('with a declined card leaves the trial past due and then lapses it, without a recovery case', async () => {
    const story = await Story.trialing('pm_test_hard_decline');
    await story.until(plusDays(noon, 15));
    expect(story.subscription).toMatchObject({
      status: 'trialing',
      pastDueSince: plusDays(noon, 14),
    });
    const facts = await story.until(plusDays(noon, 28));
    expect(types(facts)).toEqual(['subscription.lapsed']);
    expect(facts[0]).toMatchObject({ data: { reason: 'payment_failed', attempts: 1 } });
  });

  it('starts the first period at the end of the trial even if a retry pays late', async () => {
    const story = await Story.trialing('pm_test_fail_1_then_ok');
    const facts = await story.until(plusDays(noon, 16));
    expect(types(facts).slice(1)).toEqual([
      'payment.failed',
      'subscription.past_due',
      'payment.succeeded',
      'subscription.activated',
    ]);
    expect(story.subscription.period.start).toBe(plusDays(noon, 14));
  });

  it.each([
    ['lapse', 'lapsed', 'subscription.lapsed'],
    ['pause', 'paused', 'subscription.paused'],
    ['cancel', 'cancelled', 'subscription.cancelled'],
  ] as const)(
    'without a payment method follows the tenant setting trial_end_behavior: %s',
    async (behavior, status, type) => {
      const story = await Story.trialing(null, { trialEndBehavior: behavior });
      const facts = await story.until(plusDays(noon, 14));
      expect(facts.at(-1)).toMatchObject({ type, data: { reason: 'trial_ended_without_payment' } });
      expect(story.subscription.status).toBe(status);
    },
  );

  it('moves with an extension and is announced again', async () => {
    const story = await Story.trialing();
    await story.after(12);
    await story.do((draft, effects) => {
      extendTrial(draft, effects, { subscriptionId: subId, days: 7 });
    });
    const facts = await story.until(plusDays(noon, 21));
    expect(listFactTimes(facts)).toEqual([
      '2026-03-28T12:00 subscription.trial_will_end',
      '2026-03-31T12:00 payment.succeeded',
      '2026-03-31T12:00 subscription.activated',
    ]);
  });
});

describe('the renewal of a subscription', () => {
  it('charges the newest version of the plan', async () => {
    const story = await Story.active();
    story.plans.set('pro', plan({ version: 2, amount: 2500 }));
    const facts = await story.until(story.subscription.period.end);
    expect(facts.at(-1)).toMatchObject({
      type: 'subscription.renewed',
      data: { amount: 2500, renewal_count: 1 },
    });
  });

  it('makes no payment for a free plan', async () => {
    const story = await Story.active(null, { plans: [plan({ amount: 0 })] });
    const facts = await story.until(story.subscription.period.end);
    expect(types(facts)).toEqual(['subscription.renewal_upcoming', 'subscription.renewed']);
    expect(facts[1]).toMatchObject({ data: { amount: 0, payment_id: null } });
  });

  it('advances the period even if the charge fails, and states the renewal once it is paid', async () => {
    const story = await Story.active('pm_test_fail_1_then_ok');
    const { end } = story.subscription.period;
    await story.until(end);
    expect(story.subscription.period.start).toBe(end);
    expect(story.types).not.toContain('subscription.renewed');
    const facts = await story.until(plusDays(end, 1));
    expect(types(facts)).toEqual([
      'payment.succeeded',
      'payment.recovered',
      'subscription.renewed',
    ]);
  });

  it('attempts a soft decline seven times, then lapses and loses the recovery case', async () => {
    const story = await Story.active('pm_test_soft_decline');
    const { end } = story.subscription.period;
    const facts = (await story.until(plusDays(end, 20))).filter(({ at }) => at >= end);
    const failures = facts.filter(({ type }) => type === 'payment.failed');
    expect(failures.map(({ at }) => at)).toEqual(
      [0, 1, 3, 5, 7, 10, 13].map((days) => plusDays(end, days)),
    );
    expect(facts.at(-2)).toMatchObject({
      type: 'subscription.lapsed',
      at: plusDays(end, 14),
      data: { attempts: 7, voluntary: false },
    });
    expect(facts.at(-1)).toMatchObject({
      type: 'payment.recovery_lost',
      data: { outcome: 'lost_passive', attempts: 7 },
    });
  });

  it.each([
    ['no attempt during the grace period ends the payment', 14, Array<boolean>(7).fill(false)],
    ['the first attempt ends the payment if there is no grace period', 0, [true]],
  ])('%s', async (_, graceDays, expected) => {
    const story = await Story.active('pm_test_soft_decline', { graceDays });
    const facts = await story.until(plusDays(story.subscription.period.end, 20));
    const attempts = facts.flatMap((fact) => (fact.type === 'payment.failed' ? [fact.data] : []));
    expect(attempts.map(({ final }) => final)).toEqual(expected);
    expect(attempts.map(({ payment }) => payment.status === 'failed')).toEqual(expected);
    expect(attempts.at(-1)).toMatchObject({ next_attempt_at: null });
    expect(facts.find(({ type }) => type === 'subscription.lapsed')).toMatchObject({
      data: { payment_id: attempts[0]?.payment.id },
    });
  });

  it('does not retry a hard decline until there is a new method', async () => {
    const story = await Story.active('pm_test_hard_decline');
    const { end } = story.subscription.period;
    await story.until(plusDays(end, 10));
    expect(story.types.filter((type) => type === 'payment.failed')).toHaveLength(1);
    const facts = await story.do((draft, effects) =>
      updatePaymentMethod(draft, effects, {
        subscriptionId: subId,
        method: buildMethod('pm_test_ok'),
      }),
    );
    expect(types(facts)).toEqual([
      'payment.method_updated',
      'payment.succeeded',
      'payment.recovered',
      'subscription.renewed',
    ]);
    expect(facts[2]).toMatchObject({ data: { source: 'method_update', attempts: 2 } });
  });

  it('lapses at the first failure if there is no grace period', async () => {
    const story = await Story.active('pm_test_soft_decline', { graceDays: 0 });
    const facts = await story.until(story.subscription.period.end);
    expect(types(facts).slice(1)).toEqual([
      'payment.failed',
      'subscription.lapsed',
      'payment.recovery_lost',
    ]);
  });

  it('advances the period while the outcome is pending, and lapses when the grace period is over', async () => {
    const story = await Story.active('pm_test_pending');
    const { end } = story.subscription.period;
    const facts = await story.until(end);
    expect(facts.at(-1)).toMatchObject({
      type: 'payment.due',
      data: { due_at: end, grace_ends_at: plusDays(end, 14) },
    });
    expect(story.subscription).toMatchObject({ status: 'active', pastDueSince: null });
    await story.until(plusDays(end, 14));
    expect(story.subscription.status).toBe('lapsed');
  });
});

describe('after the service was down for a month', () => {
  const late = { simulated: false };

  it('renews for the missed period, starting exactly at the end of the last one', async () => {
    const story = await Story.active('pm_test_ok', late);
    const { end } = story.subscription.period;
    const facts = await story.until(plusDays(end, 29));
    expect(types(facts)).toEqual([
      'payment.succeeded',
      'subscription.renewed',
      // The next renewal is two days away.
      'subscription.renewal_upcoming',
    ]);
    expect(facts[1]).toMatchObject({ at: story.now, data: { period_start: end } });
  });

  it('gives a payment that fails late its whole grace period and does not make up for missed retries', async () => {
    const story = await Story.active('pm_test_soft_decline', late);
    const { end } = story.subscription.period;
    await story.until(plusDays(end, 29));
    expect(story.types.filter((type) => type === 'payment.failed')).toHaveLength(1);
    expect(Object.values(story.subscription.openPayments)[0]).toMatchObject({
      grace_ends_at: plusDays(story.now, 14),
      next_attempt_at: plusDays(story.now, 1),
    });
  });

  it('leaves out notices of past events, and firing twice changes nothing', async () => {
    const story = await Story.trialing('pm_test_ok', late);
    const facts = await story.until(plusDays(noon, 20));
    expect(types(facts)).toEqual(['payment.succeeded', 'subscription.activated']);
    expect(await story.until(story.now)).toEqual([]);
  });

  it('renews a subscription of the 31st on the 31st again after a short month', async () => {
    const story = await Story.active();
    const start = '2027-01-31T00:00:00.000Z' as Instant;
    const ends: Instant[] = [];
    story.state = {
      ...story.state,
      changedAt: start,
      subscriptions: {
        [subId]: {
          ...story.subscription,
          period: { start, end: '2027-02-28T00:00:00.000Z' as Instant },
          anchorDay: 31,
        },
      },
    };
    for (const at of ['2027-02-28', '2027-03-31', '2027-04-30']) {
      await story.until(`${at}T00:00:00.000Z` as Instant);
      ends.push(story.subscription.period.end);
    }
    expect(ends.map((end) => end.slice(0, 10))).toEqual(['2027-03-31', '2027-04-30', '2027-05-31']);
  });
});
