import { method, plan, Story, subId, subscriberId } from '../../../test/support/story';
import { type Instant, plusDays } from '../../kernel/time';
import { updateMethod } from '../subscriptions/settling.decider';
import type { KnownMotion } from './motion.decider';
import type { MotionTerms, Offer } from './motion.events';
import { isHeldOut } from './holdout.decider';
import { applyOffer, isApplicable } from './offer.decider';
import {
  accept,
  decline,
  failed,
  notEligible,
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
        found = isApplicable(draft, { offer, plan: null });
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
