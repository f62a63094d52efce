import { plan, Story, type StoryDraft, subId, subscriberId } from '../../../test/support/story';
import { CommandDraft } from '../../kernel/draft';
import { buildTrigger, createRunRequest } from '../../../test/support/motion';
import type { Instant } from '../../kernel/time';
import { subscriberAggregate } from '../subscriber-stream/subscriber.aggregate';
import { cancelSubscription } from '../billing/ending';
import type { Offer } from './motion.events';
import { applyOffer, isApplicable, mustUndoCancellation } from './offer';
import {
  recordAccepted,
  recordFailed,
  notEligibleError,
  requireRun,
  triggerMotion,
} from './run.decider';

describe('a motion offer', () => {
  const usd = 'USD' as never;
  const given = async (story: Story, offer: Offer): Promise<unknown> => {
    const facts = await story.do((draft, effects) =>
      applyOffer(
        draft,
        { ...effects, actor: 'motion', motionRunId: 'mtr_1' },
        {
          offer,
          subscriberId,
          undoesCancellation: false,
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
  ])('%j is applied by an ordinary billing decision', async (offer, type) => {
    expect(await given(await Story.active(), offer)).toEqual([[type, 'mtr_1']]);
  });

  it('to switch to a plan that does not exist names the field of the plan', async () => {
    const terms = { subscriberId, undoesCancellation: false, plan: null };
    const offer: Offer = {
      type: 'plan_switch',
      to_plan: 'gone',
      proration_behavior: 'create_prorations',
    };
    const story = await Story.active();
    const applied = story.do((draft, effects) =>
      applyOffer(draft, { ...effects, motionRunId: 'mtr_1' }, { ...terms, offer }),
    );
    await expect(applied).rejects.toMatchObject({ facts: { param: 'offer.to_plan' } });
  });

  it('extends a trial', async () => {
    const story = await Story.trialing();
    await given(story, { type: 'trial_extension', days: 7 });
    expect(story.subscription.trialEnd).toBe('2026-03-31T12:00:00.000Z');
  });

  it('of a once discount reduces only the next renewal', async () => {
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
  ])('of a discount for %d months reduces as many monthly renewals', async (count, expected) => {
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
    ['that lasts until it renews', 0, months(12), true],
    ['that ends after a yearly plan renews', 330, months(3), true],
    ['of duration forever', 0, { type: 'discount_percent', percent: 5, duration: 'forever' }, true],
  ])('can be applied if it can reduce a period: a discount %s', async (_, days, offer, fits) => {
    const yearly = plan({ plan: 'yearly', interval: 'year' });
    const story = await Story.active('pm_test_ok', { plans: [yearly] });
    await story.after(days);
    expect(await applicable(story, offer)).toBe(fits);
  });

  it('is not applicable if a forever discount is at least as large', async () => {
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

  it('that was accepted and could not be applied leaves its reason in the run', async () => {
    const story = await Story.active();
    await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_1')));
    await story.do((draft) => {
      const run = recordAccepted(draft, createRunRequest('mtr_1'));
      recordFailed(draft, run!, notEligibleError('offer_not_applicable'));
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
        found = isApplicable(draft, { offer, plan: null, undoesCancellation: false });
        throw new Error('only tried');
      })
      .catch(() => undefined);
    return found;
  };

  it.each<[string, Offer, boolean]>([
    [
      'to extend a trial is not applicable without a trial',
      { type: 'trial_extension', days: 7 },
      false,
    ],
    ['to pause is applicable to an active subscription', { type: 'pause', days: 7 }, true],
    [
      'of a discount in another currency is not applicable',
      { type: 'discount_amount', amount: 1, currency: 'EUR' as never, duration: 'once' },
      false,
    ],
    [
      'to redirect is always applicable',
      { type: 'redirect', url: 'https://x.example', label: 'x' },
      true,
    ],
  ])('%s', async (_, offer, expected) => {
    const story = await Story.active();
    expect(await applicable(story, offer)).toBe(expected);
    expect(subId).toBe(story.subscription.id);
  });
});

describe('an accepted offer of a cancel_save motion', () => {
  const leaving = async (): Promise<Story> => {
    const story = await Story.active();
    const why = { reason: 'cancellation_requested', feedback: 'unused', comment: null } as const;
    await story.do((draft, effects) => {
      cancelSubscription(draft, effects, {
        subscriptionId: subId,
        effective: 'period_end',
        ...why,
      });
    });
    return story;
  };
  const pausing: Offer = { type: 'pause', days: 30 };

  it('removes the scheduled cancellation before it applies the offer', async () => {
    const story = await leaving();
    const facts = await story.do((draft, effects) => {
      const acting = { ...effects, actor: 'motion', motionRunId: 'mtr_1' } as const;
      return applyOffer(draft, acting, {
        offer: pausing,
        subscriberId,
        plan: null,
        undoesCancellation: true,
      });
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

  it('is applicable although the scheduled cancellation would refuse it', async () => {
    const { state, now } = await leaving();
    const applicable = (undoesCancellation: boolean) => {
      const draft: StoryDraft = new CommandDraft(subscriberAggregate, state, now);
      return isApplicable(draft, { offer: pausing, plan: null, undoesCancellation });
    };
    expect([applicable(true), applicable(false)]).toEqual([true, false]);
  });

  it.each<[Offer | null, boolean]>([
    [pausing, true],
    [null, true],
    [{ type: 'redirect', url: 'https://x.example', label: 'x' }, false],
  ])('removes the cancellation unless it is a redirect: %j', (offer, expected) => {
    expect(mustUndoCancellation('cancel_save', offer)).toBe(expected);
    expect(mustUndoCancellation('upsell', offer)).toBe(false);
  });
});
