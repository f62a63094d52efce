import { plan, Story, type StoryDraft, subId, subscriberId } from '../../../test/support/story';
import { CommandDraft } from '../../kernel/draft';
import { asked, said } from '../../../test/support/motion';
import type { Instant } from '../../kernel/time';
import { subscriberAggregate } from '../subscriber-stream/subscriber.aggregate';
import { cancel } from '../billing/ending';
import type { Offer } from './motion.events';
import { applyOffer, isApplicable, isSaving } from './offer';
import { accept, failed, notEligible, requireRun, trigger } from './run.decider';

describe('an offer', () => {
  const usd = 'USD' as never;
  const given = async (story: Story, offer: Offer): Promise<unknown> => {
    const facts = await story.do((draft, world) =>
      applyOffer(
        draft,
        { ...world, actor: 'motion', motionRunId: 'mtr_1' },
        {
          offer,
          subscriberId,
          saves: false,
          plan: { ...story.subscription.terms, plan: 'team', amount: 5000 },
        },
      ),
    );
    return facts.map(({ type, data }) => [
      type,
      (data as { motion_run_id?: string }).motion_run_id,
    ]);
  };

  it.each<[Offer, string]>([
    [{ type: 'pause', days: 30 }, 'subscription.paused'],
    [
      { type: 'discount_percent', percent: 20, duration: 'forever' },
      'subscription.discount_applied',
    ],
    [
      { type: 'discount_amount', amount: 500, currency: usd, duration: 'repeating', months: 3 },
      'subscription.discount_applied',
    ],
    [{ type: 'credit', amount: 300, currency: usd }, 'credit.granted'],
    [
      { type: 'plan_switch', to_plan: 'team', proration_behavior: 'create_prorations' },
      'subscription.plan_changed',
    ],
  ])('%j is an ordinary decision', async (offer, type) => {
    expect(await given(await Story.active(), offer)).toEqual([[type, 'mtr_1']]);
  });

  it('extends a trial', async () => {
    const story = await Story.trialing();
    await given(story, { type: 'trial_extension', days: 7 });
    expect(story.subscription.trialEnd).toBe('2026-03-31T12:00:00.000Z');
  });

  it('makes the next renewal cheaper', async () => {
    const story = await Story.active();
    await given(story, { type: 'discount_percent', percent: 25, duration: 'once' });
    await story.until('2026-05-11T00:00:00.000Z' as Instant);
    const paid = story.facts.flatMap((fact) =>
      fact.type === 'payment.succeeded' ? [fact.data.payment.amount] : [],
    );
    expect(paid).toEqual([1500, 2000]);
  });

  const months = (count: number): Offer => ({
    type: 'discount_percent',
    percent: 50,
    duration: 'repeating',
    months: count,
  });

  it.each([
    [1, [1000, 2000, 2000]],
    [2, [1000, 1000, 2000]],
  ])('counts %d months from the start of a period as so many renewals', async (count, expected) => {
    const story = await Story.active();
    await given(story, months(count));
    await story.until('2026-06-11T00:00:00.000Z' as Instant);
    const paid = story.facts.flatMap((fact) =>
      fact.type === 'payment.succeeded' ? [fact.data.payment.amount] : [],
    );
    expect(paid).toEqual(expected);
  });

  it.each<[string, number, Offer, boolean]>([
    ['that ends before a yearly plan renews', 0, months(3), false],
    ['that lasts until it does', 0, months(12), true],
    ['that ends soon when it renews sooner', 330, months(3), true],
    ['for ever', 0, { type: 'discount_percent', percent: 5, duration: 'forever' }, true],
  ])('is applicable where a period can cost less: a discount %s', async (_, days, offer, fits) => {
    const yearly = plan({ plan: 'yearly', interval: 'year' });
    const story = await Story.active('pm_test_ok', { plans: [yearly] });
    await story.after(days);
    expect(await applicable(story, offer)).toBe(fits);
  });

  it('is not applicable: a discount that a better one for ever stands before', async () => {
    const story = await Story.active();
    await given(story, { type: 'discount_percent', percent: 20, duration: 'forever' });
    const once = (percent: number): Offer => ({
      type: 'discount_percent',
      percent,
      duration: 'once',
    });
    expect(await applicable(story, once(20))).toBe(false);
    expect(await applicable(story, once(21))).toBe(true);
  });

  it('says why an accepted offer came to nothing', async () => {
    const story = await Story.active();
    await story.do((draft) => trigger(draft, asked('mtr_1')));
    await story.do((draft) => {
      const run = accept(draft, said('mtr_1'));
      failed(draft, run!, notEligible('offer_not_applicable'));
    });
    expect(requireRun(story.state, 'mtr_1')).toMatchObject({
      status: 'failed',
      reason: 'offer_not_applicable',
    });
  });

  const applicable = async (story: Story, offer: Offer): Promise<boolean | undefined> => {
    let found: boolean | undefined;
    await story
      .do((draft) => {
        found = isApplicable(draft, { offer, plan: null, saves: false });
        throw new Error('only tried');
      })
      .catch(() => undefined);
    return found;
  };

  it.each<[string, Offer, boolean]>([
    ['a trial cannot be extended when there is none', { type: 'trial_extension', days: 7 }, false],
    ['an active subscription can pause', { type: 'pause', days: 7 }, true],
    [
      'a discount in another currency is none',
      { type: 'discount_amount', amount: 1, currency: 'EUR' as never, duration: 'once' },
      false,
    ],
    [
      'a page can always be shown',
      { type: 'redirect', url: 'https://x.example', label: 'x' },
      true,
    ],
  ])('%s', async (_, offer, expected) => {
    const story = await Story.active();
    expect(await applicable(story, offer)).toBe(expected);
    expect(subId).toBe(story.subscription.id);
  });
});

describe('who accepts to stay', () => {
  const leaving = async (): Promise<Story> => {
    const story = await Story.active();
    const why = { reason: 'cancellation_requested', feedback: 'unused', comment: null } as const;
    await story.do((draft, world) => {
      cancel(draft, world, { subscriptionId: subId, effective: 'period_end', ...why });
    });
    return story;
  };
  const pausing: Offer = { type: 'pause', days: 30 };

  it('has the cancellation undone before the offer, which it would have stood against', async () => {
    const story = await leaving();
    const facts = await story.do((draft, world) => {
      const acting = { ...world, actor: 'motion', motionRunId: 'mtr_1' } as const;
      return applyOffer(draft, acting, { offer: pausing, subscriberId, plan: null, saves: true });
    });
    expect(facts).toMatchObject([
      {
        type: 'subscription.cancellation_unscheduled',
        data: { feedback: 'unused', actor: 'motion' },
      },
      { type: 'subscription.paused' },
    ]);
    expect(story.subscription).toMatchObject({ status: 'paused', cancelAt: null });
  });

  it('can be offered what an offer of another kind could not', async () => {
    const { state, now } = await leaving();
    const applicable = (saves: boolean) => {
      const draft: StoryDraft = new CommandDraft(subscriberAggregate, state, now);
      return isApplicable(draft, { offer: pausing, plan: null, saves });
    };
    expect([applicable(true), applicable(false)]).toEqual([true, false]);
  });

  it.each<[Offer | null, boolean]>([
    [pausing, true],
    [null, true],
    [{ type: 'redirect', url: 'https://x.example', label: 'x' }, false],
  ])('is who accepts %j of a cancel_save motion', (offer, expected) => {
    expect(isSaving('cancel_save', offer)).toBe(expected);
    expect(isSaving('upsell', offer)).toBe(false);
  });
});
