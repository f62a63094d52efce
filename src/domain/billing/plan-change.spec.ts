import fc from 'fast-check';
import { noon } from '../../../test/support/given';
import { buildMethod, plan, Story, subId } from '../../../test/support/story';
import { AMOUNT_MAX, type Currency } from '../../kernel/money';
import { type Instant, msBetween, plusDays, plusMs, toMillis } from '../../kernel/time';
import type { PlanTerms } from '../plans/plan.events';
import { cancelNow } from './ending';
import { pauseSubscription } from './pausing';
import { changePlan, quotePlanChange } from './plan-change';
import { updatePaymentMethod } from './payment-outcome';
import type { ProrationBehavior } from './subscription.events';
import { countRuns } from '../../../test/support/property-runs';

const basic = plan({ plan: 'basic', amount: 1000 });
const pro = plan();
const free = plan({ plan: 'free', amount: 0 });
const yearly = plan({ plan: 'yearly', amount: 20_000, interval: 'year' });
const weekly = plan({ plan: 'weekly', amount: 700, interval: 'week', interval_count: 3 });
const plans = [basic, pro, free, yearly, weekly];

const change = (terms: PlanTerms, behavior: ProrationBehavior, prorationDate?: Instant) => ({
  subscriptionId: subId,
  terms,
  behavior,
  prorationDate: prorationDate ?? null,
});

const changing = (story: Story, terms: PlanTerms, behavior: ProrationBehavior) =>
  story.do((draft, effects) => changePlan(draft, effects, change(terms, behavior)));

const refusing = (story: Story, terms: PlanTerms, behavior: ProrationBehavior) =>
  story.refusal((draft, effects) => changePlan(draft, effects, change(terms, behavior)));

/** A subscription in the middle of a period of 31 days. */
const halfWay = async (token = 'pm_test_ok', first: PlanTerms = basic): Promise<Story> => {
  const story = await Story.active(token, { plans: [first, ...plans] });
  await story.until(plusDays(noon, 15.5));
  return story;
};

const types = (facts: readonly { readonly type: string }[]) => facts.map(({ type }) => type);

describe('changing the plan', () => {
  it('with create_prorations changes the plan now and charges the difference at the next renewal', async () => {
    const story = await halfWay();
    const facts = await changing(story, pro, 'create_prorations');
    expect(facts).toMatchObject([
      {
        type: 'subscription.plan_changed',
        data: {
          from_plan: 'basic',
          to_plan: 'pro',
          direction: 'upgrade',
          proration: {
            net: 500,
            applied: 'next_renewal',
            lines: [
              { kind: 'credit', amount: -500 },
              { kind: 'debit', amount: 1000 },
            ],
          },
        },
      },
    ]);
    await story.until(story.subscription.period.end);
    expect(story.facts.at(-1)).toMatchObject({ data: { amount: 2500 } });
    await story.until(story.subscription.period.end);
    expect(story.facts.at(-1)).toMatchObject({ data: { amount: 2000 } });
  });

  it.each([
    ['applies to a new period', yearly, 'always_invoice', [-500, 10_000], [20_000]],
    ['waits for a whole period', pro, 'always_invoice', [-500, 1000], [1000, 2000]],
    ['waits for a whole period', pro, 'create_prorations', [-500, 1000], [1500, 2000]],
  ] as const)('a once discount %s (%#)', async (_, terms, behavior, lines, later) => {
    const story = await halfWay();
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
    const [changed] = await changing(story, terms, behavior);
    expect(changed).toMatchObject({
      data: { proration: { lines: lines.map((amount) => ({ amount })) } },
    });
    for (const amount of later) {
      await story.until(story.subscription.period.end);
      expect(story.facts.at(-1)).toMatchObject({ type: 'subscription.renewed', data: { amount } });
    }
  });

  it('with always_invoice charges the difference now, or is refused and changes nothing', async () => {
    const story = await halfWay();
    const facts = await changing(story, pro, 'always_invoice');
    expect(types(facts)).toEqual(['subscription.plan_changed', 'payment.succeeded']);
    expect(facts[1]).toMatchObject({ data: { payment: { amount: 500, reason: 'plan_change' } } });

    const poor = await halfWay('pm_test_soft_decline');
    expect(await refusing(poor, pro, 'always_invoice')).toBe('payment_failed');
    expect(poor.subscription.terms.plan).toBe('basic');
  });

  it('with always_invoice to a cheaper plan grants credit and makes no refund', async () => {
    const story = await halfWay('pm_test_ok', pro);
    const facts = await changing(story, basic, 'always_invoice');
    expect(types(facts)).toEqual(['subscription.plan_changed', 'credit.granted']);
    expect(facts[1]).toMatchObject({ data: { amount: 500, category: 'proration' } });
  });

  it('with behavior none costs nothing until the next renewal, and later prorations use the price paid', async () => {
    const story = await halfWay();
    expect(types(await changing(story, pro, 'none'))).toEqual(['subscription.plan_changed']);
    expect(story.subscription.periodPrice).toBe(1000);
    await story.until(story.subscription.period.end);
    expect(story.facts.at(-1)).toMatchObject({ data: { amount: 2000 } });
  });

  it('with behavior none to another interval is charged at any time in the period', async () => {
    const story = await Story.active('pm_test_ok', { plans: [basic, ...plans] });
    await changing(story, yearly, 'none');
    expect(story.subscription.periodPrice).toBe(20_000);
  });

  it('announces the renewal of a new period even if the old renewal was announced', async () => {
    const story = await halfWay();
    await story.until(plusDays(story.subscription.period.end, -3));
    expect(types(story.facts)).toContain('subscription.renewal_upcoming');
    await changing(story, weekly, 'create_prorations');
    await story.until(plusDays(story.subscription.period.end, -6));
    expect(types(story.facts).filter((t) => t === 'subscription.renewal_upcoming')).toHaveLength(2);
  });

  it('to another interval begins a new period that is charged now', async () => {
    const story = await halfWay();
    const facts = await changing(story, yearly, 'create_prorations');
    expect(facts[1]).toMatchObject({
      data: { payment: { amount: 19_500, lines: [{ amount: -500 }, { amount: 20_000 }] } },
    });
    expect(story.subscription.period.start).toBe(story.now);
    expect(story.subscription.period.end.slice(0, 4)).toBe('2027');
  });

  it('from free to paid begins a new period; from paid to free keeps it and credits the rest', async () => {
    const story = await halfWay('pm_test_ok', free);
    await changing(story, pro, 'none');
    expect(story.subscription.period.start).toBe(story.now);
    await story.until(plusMs(story.now, msBetween(story.now, story.subscription.period.end) / 2));
    const { period } = story.subscription;
    const facts = await changing(story, free, 'create_prorations');
    expect(types(facts)).toEqual(['subscription.plan_changed', 'credit.granted']);
    expect(facts[1]).toMatchObject({ data: { amount: 1000 } });
    expect(story.subscription.period).toEqual(period);
  });

  it('during a trial costs nothing and keeps the end of the trial', async () => {
    const story = await Story.trialing('pm_test_ok', { plans: [basic, pro] });
    const facts = await changing(story, pro, 'always_invoice');
    expect(facts).toMatchObject([{ data: { proration: { lines: [], net: 0, applied: 'none' } } }]);
    expect(story.subscription.trialEnd).toBe(plusDays(noon, 14));
  });

  /** A subscription whose renewal waits for the provider, so that the new period is not paid. */
  const unpaid = async (): Promise<Story> => {
    const story = await Story.active('pm_test_pending', { plans: [pro, ...plans] });
    await story.until(story.subscription.period.end);
    return story;
  };

  it('during an unpaid period grants no spendable credit', async () => {
    const story = await unpaid();
    expect(Object.keys(story.subscription.openPayments)).toHaveLength(1);
    expect(await refusing(story, basic, 'always_invoice')).toBe('payment_past_due');
    expect(await refusing(story, free, 'create_prorations')).toBe('payment_past_due');
    expect(types(await changing(story, pro, 'none'))).toEqual([]);
    // Amounts above the unused time are charged; lines for the renewal wait with it.
    expect(types(await changing(story, yearly, 'create_prorations'))).toEqual([
      'subscription.plan_changed',
      'payment.due',
    ]);
    const patient = await unpaid();
    expect(types(await changing(patient, basic, 'create_prorations'))).toEqual([
      'subscription.plan_changed',
    ]);
    const ended = await patient.do((draft, effects) => {
      const cancellation = { reason: 'merchant', feedback: null, comment: null } as const;
      cancelNow(draft, effects, { subscription: patient.subscription, cancellation });
    });
    expect(types(ended)).toEqual(['subscription.cancelled']);
  });

  it.each([
    [basic, 'always_invoice'],
    [free, 'create_prorations'],
    [yearly, 'create_prorations'],
    [yearly, 'none'],
  ] as const)(
    'that is charged now settles the lines of earlier changes, so that unpaid time is never credited (%#)',
    async (terms, behavior) => {
      const dear = plan({ plan: 'dear', amount: 100_000 });
      const story = await halfWay();
      await changing(story, dear, 'create_prorations');
      expect(story.subscription.pendingLines).toMatchObject([{ amount: -500 }, { amount: 50_000 }]);
      const [changed] = await changing(story, terms, behavior);
      expect(changed).toMatchObject({
        data: { proration: { lines: { 0: { amount: -500 }, 1: { amount: 50_000 } } } },
      });
      expect(story.subscription.pendingLines).toEqual([]);
      const credited = story.facts.flatMap((fact) =>
        fact.type === 'credit.granted' ? [fact.data.amount] : [],
      );
      expect(credited.reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(1000);
    },
  );

  it('to the same plan does nothing, and is refused for another currency, while past due and while paused', async () => {
    const story = await halfWay();
    expect(await changing(story, basic, 'create_prorations')).toEqual([]);
    const euro = plan({ plan: 'euro', currency: 'EUR' as Currency });
    expect(await refusing(story, euro, 'none')).toBe('currency_mismatch');
    await story.do((draft, effects) => {
      pauseSubscription(draft, effects, {
        subscriptionId: subId,
        effective: 'immediately',
        resumesAt: null,
      });
    });
    expect(await refusing(story, pro, 'create_prorations')).toBe('invalid_state_transition');
    expect(types(await changing(story, pro, 'none'))).toEqual(['subscription.plan_changed']);

    const late = await halfWay('pm_test_soft_decline');
    await late.until(late.subscription.period.end);
    expect(await refusing(late, pro, 'create_prorations')).toBe('payment_past_due');
    expect(types(await changing(late, pro, 'none'))).toEqual(['subscription.plan_changed']);
  });

  it('accepts the proration date of a preview for 15 minutes', async () => {
    const story = await halfWay();
    const quote = (at: Instant, date?: Instant) =>
      quotePlanChange(story.state, change(pro, 'create_prorations', date), at);
    const previewed = quote(story.now)?.proration;
    const soon = plusMs(story.now, 14 * 60_000);
    expect(quote(soon, previewed?.proration_date)?.proration).toEqual(previewed);
    const late = plusMs(story.now, 16 * 60_000);
    expect(() => quote(late, previewed?.proration_date)).toThrow('at most 15 minutes old');
  });
});

/** Rounds half away from zero in exact integers, as D-10 defines it. */
const rhu = (price: number, left: number, whole: number): number => {
  const [a, b, c] = [BigInt(price), BigInt(left), BigInt(whole)];
  return Number((2n * a * b + c) / (2n * c));
};

describe('proration', () => {
  it('rounds each line separately, uses whole seconds, and its lines add up', async () => {
    const amount = fc.integer({ min: 1, max: AMOUNT_MAX });
    const moment = fc.integer({ min: 0, max: 31 * 86_400_000 - 1 });
    await fc.assert(
      fc.asyncProperty(amount, amount, moment, async (before, after, passedMs) => {
        const from = plan({ plan: 'from', amount: before });
        const to = plan({ plan: 'to', amount: after });
        const story = await Story.active('pm_test_ok', { plans: [from, to] });
        const { start, end } = story.subscription.period;
        const at = plusMs(start, passedMs);
        const quoted = quotePlanChange(story.state, change(to, 'create_prorations'), at);
        const left = msBetween(start, end) - Math.floor(passedMs / 1000) * 1000;
        expect(quoted?.proration.lines.map((line) => line.amount)).toEqual([
          -rhu(before, left, msBetween(start, end)) + 0,
          rhu(after, left, msBetween(start, end)),
        ]);
        const [credit = 0, debit = 0] = quoted?.proration.lines.map((line) => line.amount) ?? [];
        expect(quoted?.proration.net).toBe(credit + debit);
        expect(-credit).toBeLessThanOrEqual(before);
        expect(debit).toBeLessThanOrEqual(after);
        expect(toMillis(quoted?.proration.proration_date ?? start) % 1000).toBe(0);
      }),
      { numRuns: countRuns(200) },
    );
  });

  it('of a change and its immediate reversal costs nothing', async () => {
    const amount = fc.integer({ min: 1, max: 10_000_000 });
    await fc.assert(
      fc.asyncProperty(amount, amount, fc.integer({ min: 0, max: 30 }), async (a, b, days) => {
        const from = plan({ plan: 'from', amount: a });
        const to = plan({ plan: 'to', amount: b });
        const story = await Story.active('pm_test_ok', { plans: [from, to] });
        await story.until(plusDays(noon, days));
        await changing(story, to, 'create_prorations');
        await changing(story, from, 'create_prorations');
        const { pendingLines } = story.subscription;
        expect(pendingLines.reduce((sum, line) => sum + line.amount, 0)).toBe(0);
      }),
      { numRuns: countRuns(100) },
    );
  });

  it('that is left when a subscription ends becomes credit', async () => {
    const story = await halfWay('pm_test_ok', pro);
    await changing(story, basic, 'create_prorations');
    await story.do((draft, effects) =>
      updatePaymentMethod(draft, effects, {
        subscriptionId: subId,
        method: buildMethod('pm_test_soft_decline'),
      }),
    );
    const facts = await story.do((draft, effects) => {
      cancelNow(draft, effects, {
        subscription: story.subscription,
        cancellation: { reason: 'merchant', feedback: null, comment: null },
      });
    });
    expect(types(facts)).toEqual(['subscription.cancelled', 'credit.granted']);
    expect(facts[1]).toMatchObject({ data: { amount: 500, category: 'proration' } });
  });
});
