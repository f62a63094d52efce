import { noon } from '../../../test/support/given';
import { Story, subscriberId } from '../../../test/support/story';
import { plusDays } from '../../kernel/time';
import { cancelNow } from './ending';
import { grantCredit, voidCredit } from './credit.decider';
import type { CreditCategory } from './credit.events';

const crd = (n: number) => `crd_00000000000000000000000${n}`;

interface Given {
  readonly n: number;
  readonly amount: number;
  readonly category?: CreditCategory;
  readonly expiresInDays?: number;
}

const granting = (story: Story, { n, amount, category = 'goodwill', expiresInDays }: Given) =>
  story.do((draft, effects) => {
    grantCredit(draft, {
      id: crd(n),
      subscriberId,
      amount,
      currency: 'USD' as never,
      category,
      expiresAt: expiresInDays === undefined ? null : plusDays(draft.now, expiresInDays),
      source: { type: 'api', id: null },
      note: null,
      motionRunId: null,
      reason: 'requested',
      actor: effects.actor,
    });
  });

const types = (facts: readonly { readonly type: string }[]) => facts.map(({ type }) => type);

describe('credits', () => {
  it('pay before any charge, soonest expiry first, then promotional before paid, then oldest', async () => {
    const story = await Story.active();
    await granting(story, { n: 1, amount: 300, category: 'paid' });
    await granting(story, { n: 2, amount: 400, category: 'promotional' });
    await granting(story, { n: 3, amount: 500, expiresInDays: 90 });
    await granting(story, { n: 4, amount: 600, expiresInDays: 60 });
    const facts = await story.until(story.subscription.period.end);
    const applied = facts.flatMap((fact) =>
      fact.type === 'credit.applied' ? [[fact.data.credit_id, fact.data.amount]] : [],
    );
    expect(applied).toEqual([
      [crd(4), 600],
      [crd(3), 500],
      [crd(2), 400],
      [crd(1), 300],
    ]);
    expect(facts.find(({ type }) => type === 'payment.succeeded')).toMatchObject({
      data: { payment: { amount: 2000, credit_applied: 1800 } },
    });
  });

  it('of one instant are used in the order of their grants', async () => {
    const story = await Story.active();
    for (const n of [5, 3, 4]) await granting(story, { n, amount: 100 });
    const facts = await story.until(story.subscription.period.end);
    const applied = facts.filter(({ type }) => type === 'credit.applied');
    expect(applied.map(({ data }) => 'credit_id' in data && data.credit_id)).toEqual([
      crd(5),
      crd(3),
      crd(4),
    ]);
  });

  it('that cover the whole amount need no charge, even with a declining card', async () => {
    const story = await Story.active('pm_test_hard_decline');
    await granting(story, { n: 1, amount: 2500 });
    await story.until(story.subscription.period.end);
    expect(story.types.at(-1)).toBe('subscription.renewed');
    expect(story.state.credits.get(crd(1))).toMatchObject({ remaining: 500, status: 'active' });
    expect(story.state.payments.paid.byCurrency).toEqual({ USD: 0 });
  });

  it('of another currency are not used', async () => {
    const story = await Story.active();
    await granting(story, { n: 1, amount: 2500 });
    const euro = { ...story.state.credits.get(crd(1))!, currency: 'EUR' as never };
    story.state = { ...story.state, credits: story.state.credits.set(crd(1), euro) };
    await story.until(story.subscription.period.end);
    expect(story.types).not.toContain('credit.applied');
  });

  it('are given back when the payment they were applied to ends unpaid', async () => {
    const story = await Story.active('pm_test_hard_decline');
    await granting(story, { n: 1, amount: 500 });
    await story.until(story.subscription.period.end);
    expect(story.state.credits.get(crd(1))).toMatchObject({ remaining: 0, status: 'depleted' });
    await story.do((draft, effects) => {
      cancelNow(draft, effects, {
        subscription: story.subscription,
        cancellation: { reason: 'cancellation_requested', feedback: null, comment: null },
      });
    });
    expect(story.types.slice(-2)).toEqual(['subscription.cancelled', 'payment.recovery_lost']);
    expect(story.facts.at(-1)).toMatchObject({ data: { outcome: 'lost_active' } });
    expect(story.state.credits.get(crd(1))).toMatchObject({ remaining: 500, status: 'active' });
  });

  it('that expired while a payment held them are given back and then expire, each by an event', async () => {
    const story = await Story.active('pm_test_hard_decline');
    await granting(story, { n: 1, amount: 400, expiresInDays: 35 });
    await story.until(story.subscription.period.end);
    expect(story.types).not.toContain('credit.expired');
    const facts = await story.after(20);
    expect(types(facts)).toEqual([
      'subscription.lapsed',
      'credit.expired',
      'payment.recovery_lost',
    ]);
    expect(facts).toMatchObject([
      {
        data: {
          credits_reinstated: [{ amount: 400, remaining: 400 }],
          closing: { reinstated: [{ amount: 400, credit: { remaining: 400 } }] },
        },
      },
      { data: { credit_id: crd(1), amount: 400, remaining: 0, actor: 'system' } },
      {},
    ]);
    expect(story.state.credits.get(crd(1))).toMatchObject({ remaining: 0, status: 'expired' });
  });

  it('granted while the subscription is past due reduce the next attempt', async () => {
    const story = await Story.active('pm_test_soft_decline');
    await story.until(story.subscription.period.end);
    await granting(story, { n: 1, amount: 2000 });
    await story.after(1);
    expect(story.types.slice(-3)).toEqual([
      'payment.succeeded',
      'payment.recovered',
      'subscription.renewed',
    ]);
  });

  it('expire by the timer, before a renewal of the same instant', async () => {
    const story = await Story.active();
    await granting(story, { n: 1, amount: 500, expiresInDays: 31 });
    const facts = await story.until(plusDays(noon, 31));
    expect(types(facts).slice(1)).toEqual([
      'credit.expired',
      'payment.succeeded',
      'subscription.renewed',
    ]);
  });

  it('are granted once and voided once when the command repeats', async () => {
    const story = await Story.active();
    await granting(story, { n: 1, amount: 500 });
    expect(await granting(story, { n: 1, amount: 500 })).toEqual([]);
    const voiding = () =>
      story.do((draft) => {
        voidCredit(draft, crd(1), 'api');
      });
    expect(await voiding()).toMatchObject([
      { type: 'credit.voided', data: { amount: 500, remaining: 0 } },
    ]);
    expect(await voiding()).toEqual([]);
  });
});
