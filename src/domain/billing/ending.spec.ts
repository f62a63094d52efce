import { buildMethod, plan, Story, subId } from '../../../test/support/story';
import type { Instant } from '../../kernel/time';
import { reactivateSubscription } from './ending';
import { changePlan } from './plan-change';
import { reportAttempt, updatePaymentMethod } from './payment-outcome';
import { extendTrial } from './subscription-timers';

const p10 = plan({ plan: 'p10', amount: 1000 });
const p20 = plan({ plan: 'p20', amount: 2000 });
const plans = [p10, p20];

const day = (monthAndDay: string) => `2026-${monthAndDay}T12:00:00.000Z` as Instant;

const change = (story: Story, terms = p20) =>
  story.do((draft, effects) =>
    changePlan(draft, effects, {
      subscriptionId: subId,
      terms,
      behavior: 'none',
      prorationDate: null,
    }),
  );

const replaceMethod = (story: Story, token: string) =>
  story.do((draft, effects) =>
    updatePaymentMethod(draft, effects, { subscriptionId: subId, method: buildMethod(token) }),
  );

const reactivated = async (story: Story) => {
  await replaceMethod(story, 'pm_test_ok');
  return story.do((draft, effects) =>
    reactivateSubscription(draft, effects, {
      subscriptionId: subId,
      terms: story.plans.get(story.subscription.terms.plan)!,
    }),
  );
};

const reportSuccess = (story: Story) =>
  story.do((draft, effects) => {
    const [payment] = [...draft.state.payments.byId.values()];
    const how = { failure: null, providerRef: null, occurredAt: null };
    reportAttempt(draft, effects, { paymentId: payment!.id, outcome: 'succeeded', ...how });
  });

const COMEBACKS = [
  ['reactivating', reactivated],
  ['a late report of success', reportSuccess],
] as const;

/** The status, plan, period and price with which a subscription continues. */
const pickTerms = ({ subscription: { status, terms, period, periodPrice } }: Story) => ({
  status,
  plan: terms.plan,
  period,
  periodPrice,
});

const charges = (facts: Story['facts']) =>
  facts.flatMap((fact) => (fact.type === 'payment.succeeded' ? [fact.data.payment.amount] : []));

describe('a plan change while an amount is unpaid (D-11 none, D-13)', () => {
  it.each(COMEBACKS)('is kept after a lapse: %s pays the old price', async (_, comeBack) => {
    const story = await Story.active('pm_test_soft_decline', { plans });
    await story.after(31);
    const { period } = story.subscription;
    await change(story);
    await story.after(15);
    expect(story.subscription).toMatchObject({ status: 'lapsed', terms: { plan: 'p20' } });
    const facts = await comeBack(story);
    expect(charges(facts)).toEqual([1000]);
    expect(facts.at(-1)).toMatchObject({
      type: 'subscription.reactivated',
      data: { plan: 'p20', period_start: period.start, period_end: period.end },
    });
    expect(pickTerms(story)).toEqual({ status: 'active', plan: 'p20', period, periodPrice: 1000 });

    await replaceMethod(story, 'pm_test_ok');
    expect(charges(await story.until(period.end))).toEqual([2000]);
  });

  it('is kept after a recovery: the retried renewal is paid at its old price', async () => {
    const story = await Story.active('pm_test_soft_decline', { plans });
    await story.after(31);
    await change(story);
    expect(charges(await replaceMethod(story, 'pm_test_ok'))).toEqual([1000]);
    expect(pickTerms(story)).toMatchObject({ status: 'active', plan: 'p20', periodPrice: 1000 });
    expect(charges(await story.until(story.subscription.period.end))).toEqual([2000]);
  });

  it('is kept when a trial converts by a late payment', async () => {
    const story = await Story.trialing('pm_test_soft_decline', { plans });
    await story.after(14);
    await change(story);
    expect(charges(await replaceMethod(story, 'pm_test_ok'))).toEqual([1000]);
    expect(pickTerms(story)).toMatchObject({ status: 'active', plan: 'p20', periodPrice: 1000 });
    expect(charges(await story.until(story.subscription.period.end))).toEqual([2000]);
  });

  it.each(COMEBACKS)('is kept after the lapse of a trial: %s', async (_, comeBack) => {
    const story = await Story.trialing('pm_test_soft_decline', { plans });
    await story.after(14);
    const trialEnd = story.now;
    await change(story);
    await story.after(15);
    expect(charges(await comeBack(story))).toEqual([1000]);
    expect(pickTerms(story)).toMatchObject({
      status: 'active',
      plan: 'p20',
      period: { start: trialEnd },
      periodPrice: 1000,
    });
  });

  it('keeps the longer period that it began and that is paid', async () => {
    const yearly = plan({ plan: 'yearly', amount: 20_000, interval: 'year' });
    const story = await Story.active('pm_test_soft_decline', { plans: [p10, yearly] });
    await story.after(31);
    // The renewal stays unpaid while the period of the new plan is paid.
    await story.do((draft, effects) =>
      changePlan(
        draft,
        { ...effects, charge: () => Promise.resolve({ kind: 'succeeded', providerRef: null }) },
        { subscriptionId: subId, terms: yearly, behavior: 'none', prorationDate: null },
      ),
    );
    const { period } = story.subscription;
    await story.after(15);
    expect(story.subscription.status).toBe('lapsed');
    expect(charges(await reactivated(story))).toEqual([1000]);
    expect(pickTerms(story)).toMatchObject({ status: 'active', plan: 'yearly', period });
  });
});

describe('a period that continues after a lapse', () => {
  it('keeps the day of the month on which the subscription renews', async () => {
    const story = await Story.trialing('pm_test_ok', { plans });
    await story.do((draft, effects) => {
      extendTrial(draft, effects, { subscriptionId: subId, days: 7 });
    });
    await story.until(day('03-31'));
    await replaceMethod(story, 'pm_test_soft_decline');
    await story.until(day('05-20'));
    expect(story.subscription).toMatchObject({ status: 'lapsed', period: { end: day('05-31') } });
    await reactivated(story);
    await story.until(day('07-01'));
    expect(story.subscription.period).toEqual({ start: day('06-30'), end: day('07-31') });
  });
});

describe('a discount accepted while the payment after a trial is open', () => {
  it('applies to the period after the one that the payment is for', async () => {
    const story = await Story.trialing('pm_test_soft_decline', { plans });
    await story.after(14);
    await story.do((draft) => {
      draft.add({
        type: 'subscription.discount_applied',
        subscriptionId: subId,
        data: {
          discount: { percent: 50, amount: null, currency: null, duration: 'once', ends_at: null },
          motion_run_id: null,
          reason: 'motion',
          actor: 'motion',
        },
      });
    });
    expect(charges(await replaceMethod(story, 'pm_test_ok'))).toEqual([1000]);
    expect(story.subscription.periodPrice).toBe(1000);
    const { end } = story.subscription.period;
    expect(charges(await story.until(end))).toEqual([500]);
    expect(charges(await story.until(story.subscription.period.end))).toEqual([1000]);
  });
});
