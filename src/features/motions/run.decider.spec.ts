import { method, Story, type StoryDraft, subId, subscriberId } from '../../../test/support/story';
import { Drafting } from '../../kernel/draft';
import { type Instant, plusDays } from '../../kernel/time';
import { subscriberAggregate } from '../subscriber.aggregate';
import { cancel } from '../subscriptions/ending.decider';
import { updateMethod } from '../subscriptions/settling.decider';
import type { KnownMotion } from './motion.decider';
import type { MotionTerms, Offer } from './motion.events';
import { isHeldOut } from './holdout.decider';
import { applyOffer, isApplicable, isSaving } from './offer.decider';
import {
  accept,
  decline,
  expireAll,
  present,
  requireRun,
  type Trigger,
  trigger,
} from './run.decider';

const terms: MotionTerms = {
  name: 'Save',
  description: null,
  kind: 'cancel_save',
  cohort_ids: [],
  offer: { type: 'pause', days: 30 },
  trigger_mode: 'manual',
  limits: { max_triggers_per_subscriber: null, cooldown_days: 30, max_redemptions: 1 },
  offer_valid_hours: 72,
  attribution_days: 30,
  holdout_percent: 0,
};

const motion = (change: Partial<MotionTerms> = {}): KnownMotion => ({
  status: 'active',
  id: 'mot_1',
  scope: { tenantId: 'tnt_1', environment: 'test' },
  terms: { ...terms, ...change },
  createdAt: '2026-01-01T00:00:00.000Z' as Instant,
  updatedAt: '2026-01-01T00:00:00.000Z' as Instant,
});

const asked = (runId: string, change: Partial<Trigger> = {}): Trigger => ({
  motion: motion(),
  subscriberId,
  runId,
  offer: terms.offer,
  offerOverridden: false,
  cohortId: null,
  applicable: true,
  heldOut: false,
  actor: 'api',
  ...change,
});

const noCooldown = { ...terms.limits, cooldown_days: 0 };
const said = (runId: string) => ({ runId, actor: 'api' as const, reason: null });

const reasonOf = async (story: Story, request: Trigger): Promise<unknown> => {
  try {
    await story.do((draft) => trigger(draft, request));
    return null;
  } catch (error) {
    return (error as { facts: { details: { reason: string } } }).facts.details.reason;
  }
};

describe('a trigger', () => {
  it('starts a run that waits for the subscriber', async () => {
    const story = await Story.active();
    const facts = await story.do((draft) => trigger(draft, asked('mtr_1')));
    expect(facts).toMatchObject([
      {
        type: 'motion.triggered',
        data: { motion_id: 'mot_1', run_id: 'mtr_1', offer: { type: 'pause', days: 30 } },
      },
    ]);
    expect(requireRun(story.state, 'mtr_1')).toMatchObject({
      status: 'triggered',
      expires_at: '2026-03-13T12:00:00.000Z',
    });
    expect(await story.do((draft) => trigger(draft, asked('mtr_1')))).toEqual([]);
  });

  it('shows nothing to the holdout', async () => {
    const story = await Story.active();
    await story.do((draft) => trigger(draft, asked('mtr_1', { heldOut: true })));
    expect(story.types.at(-1)).toBe('motion.suppressed');
    expect(requireRun(story.state, 'mtr_1')).toMatchObject({
      status: 'suppressed',
      reason: 'holdout',
    });
  });

  it('needs an active motion', async () => {
    const story = await Story.active();
    const paused = { ...motion(), status: 'paused' as const };
    expect(await story.refusal((draft) => trigger(draft, asked('mtr_1', { motion: paused })))).toBe(
      'motion_not_active',
    );
  });

  it('is refused with the first reason that stands against it', async () => {
    const story = await Story.active();
    const cohorts = motion({ cohort_ids: ['cohort_1'] });
    expect(await reasonOf(story, asked('mtr_0', { motion: cohorts }))).toBe('not_in_cohort');
    expect(await reasonOf(story, asked('mtr_0', { applicable: false }))).toBe(
      'offer_not_applicable',
    );
    await story.do((draft) => trigger(draft, asked('mtr_1')));
    expect(await reasonOf(story, asked('mtr_2'))).toBe('cooldown');
    const once = motion({ limits: { ...noCooldown, max_triggers_per_subscriber: 1 } });
    expect(await reasonOf(story, asked('mtr_2', { motion: once }))).toBe('max_triggers');
    const free = motion({ limits: noCooldown });
    expect(await reasonOf(story, asked('mtr_2', { motion: free }))).toBe('live_run_exists');
    await story.do((draft) => accept(draft, said('mtr_1')));
    expect(await reasonOf(story, asked('mtr_2', { motion: free }))).toBe('max_redemptions');
  });

  it('is possible again when the cooldown is over', async () => {
    const story = await Story.active();
    await story.do((draft) => trigger(draft, asked('mtr_1')));
    await story.after(31);
    expect(requireRun(story.state, 'mtr_1').status).toBe('expired');
    expect(await reasonOf(story, asked('mtr_2'))).toBeNull();
  });
});

describe('a run', () => {
  const live = async (): Promise<Story> => {
    const story = await Story.active();
    await story.do((draft) => trigger(draft, asked('mtr_1')));
    return story;
  };
  const types = (facts: readonly { type: string }[]): string[] => facts.map(({ type }) => type);

  it('expires by itself, at its instant', async () => {
    const story = await live();
    await story.after(5);
    const expired = story.facts.find(({ type }) => type === 'motion.expired');
    expect(expired?.at).toBe('2026-03-13T12:00:00.000Z');
    expect(await story.refusal((draft) => accept(draft, said('mtr_1')))).toBe(
      'invalid_state_transition',
    );
  });

  it('ends when its subscriber is gone, unless it has', async () => {
    const story = await live();
    const other = { ...motion(), id: 'mot_2' };
    await story.do((draft) => trigger(draft, asked('mtr_2', { motion: other })));
    await story.do((draft) => decline(draft, said('mtr_2')));
    const facts = await story.do((draft) => {
      expireAll(draft);
    });
    expect(facts).toMatchObject([{ type: 'motion.expired', data: { run_id: 'mtr_1' } }]);
    expect(requireRun(story.state, 'mtr_1')).toMatchObject({ status: 'expired' });
  });

  it('was presented when it is accepted or declined', async () => {
    const accepted = await live();
    expect(types(await accepted.do((draft) => accept(draft, said('mtr_1'))))).toEqual([
      'motion.presented',
      'motion.accepted',
    ]);
    const declined = await live();
    expect(types(await declined.do((draft) => present(draft, said('mtr_1'))))).toEqual([
      'motion.presented',
    ]);
    expect(types(await declined.do((draft) => decline(draft, said('mtr_1'))))).toEqual([
      'motion.declined',
    ]);
  });

  it('hears the same twice without effect, and nothing else after its end', async () => {
    const story = await live();
    await story.do((draft) => decline(draft, said('mtr_1')));
    expect(await story.do((draft) => decline(draft, said('mtr_1')))).toEqual([]);
    expect(await story.do((draft) => present(draft, said('mtr_1')))).toEqual([]);
    expect(await story.refusal((draft) => accept(draft, said('mtr_1')))).toBe(
      'invalid_state_transition',
    );
  });
});

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
    let found: boolean | undefined;
    await story
      .do((draft) => {
        found = isApplicable(draft, { offer, plan: null, saves: false });
      })
      .catch(() => undefined);
    expect(found).toBe(expected);
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
      const draft: StoryDraft = new Drafting(subscriberAggregate, state, now);
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

describe('a recovered payment', () => {
  /** Days count from the failure; the payment succeeds with a new method. */
  const recovered = async (acceptedAfter: number | null, paidAfter: number): Promise<unknown> => {
    const story = await Story.active('pm_test_hard_decline');
    const { end } = story.subscription.period;
    if (acceptedAfter !== null) {
      await story.until(plusDays(end, acceptedAfter));
      await story.do((draft) => trigger(draft, asked('mtr_1')));
      await story.do((draft) => accept(draft, said('mtr_1')));
    }
    await story.until(plusDays(end, paidAfter));
    const facts = await story.do((draft, world) =>
      updateMethod(draft, world, { subscriptionId: subId, method: method('pm_test_ok') }),
    );
    const fact = facts.find(({ type }) => type === 'payment.recovered');
    if (fact?.type !== 'payment.recovered') return null;
    const { source, motion_id, payment } = fact.data;
    expect(payment.recovery).toMatchObject({ source, motion_id });
    return [source, motion_id];
  };

  it.each<[string, number | null, number, readonly [string, string | null]]>([
    ['by the motion accepted shortly before', 1, 3, ['motion', 'mot_1']],
    ['by the motion accepted seven days before', 1, 8, ['motion', 'mot_1']],
    ['not by a motion accepted longer ago', 1, 9, ['method_update', null]],
    ['without a motion by what else explains it', null, 3, ['method_update', null]],
  ])('is explained %s (D-25)', async (_, acceptedAfter, paidAfter, expected) => {
    expect(await recovered(acceptedAfter, paidAfter)).toEqual(expected);
  });

  it('is not explained by an offer that was only shown', async () => {
    const story = await Story.active('pm_test_soft_decline');
    const { end } = story.subscription.period;
    await story.until(end);
    await story.do((draft) => trigger(draft, asked('mtr_1')));
    await story.do((draft) => present(draft, said('mtr_1')));
    const facts = await story.do((draft, world) =>
      updateMethod(draft, world, { subscriptionId: subId, method: method('pm_test_ok') }),
    );
    const fact = facts.find(({ type }) => type === 'payment.recovered');
    expect(fact).toMatchObject({ data: { source: 'method_update', motion_id: null } });
  });
});

describe('a holdout', () => {
  it('holds about its share, and always the same subscribers', () => {
    const held = motion({ holdout_percent: 20 });
    const ids = Array.from({ length: 5_000 }, (_, i) => `subscriber_${i}`);
    const out = ids.filter((id) => isHeldOut(held, id));
    expect(out.length / ids.length).toBeGreaterThan(0.17);
    expect(out.length / ids.length).toBeLessThan(0.23);
    expect(ids.filter((id) => isHeldOut(held, id))).toEqual(out);
    expect(ids.some((id) => isHeldOut(motion(), id))).toBe(false);
  });
});
