import { buildMethod, Story, subId } from '../../../test/support/story';
import { buildTrigger, buildMotion, createRunRequest, terms } from '../../../test/support/motion';
import { plusDays } from '../../kernel/time';
import { updatePaymentMethod } from '../billing/payment-outcome';
import { isHeldOut } from './holdout';
import {
  recordAccepted,
  recordDeclined,
  expireAllRuns,
  recordPresented,
  requireRun,
  type TriggerInput,
  triggerMotion,
} from './run.decider';

const noCooldown = { ...terms.limits, cooldown_days: 0 };

const reasonOf = async (story: Story, request: TriggerInput): Promise<unknown> => {
  try {
    await story.do((draft) => triggerMotion(draft, request));
    return null;
  } catch (error) {
    return (error as { facts: { details: { reason: string } } }).facts.details.reason;
  }
};

describe('the trigger of a motion', () => {
  it('starts a run that waits for the subscriber', async () => {
    const story = await Story.active();
    const facts = await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_1')));
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
    expect(await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_1')))).toEqual([]);
  });

  it('suppresses the run for a subscriber in the holdout', async () => {
    const story = await Story.active();
    await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_1', { heldOut: true })));
    expect(story.types.at(-1)).toBe('motion.suppressed');
    expect(requireRun(story.state, 'mtr_1')).toMatchObject({
      status: 'suppressed',
      reason: 'holdout',
    });
  });

  it('is refused unless the motion is active', async () => {
    const story = await Story.active();
    const paused = { ...buildMotion(), status: 'paused' as const };
    expect(
      await story.refusal((draft) =>
        triggerMotion(draft, buildTrigger('mtr_1', { motion: paused })),
      ),
    ).toBe('motion_not_active');
  });

  it('is refused with the first reason against it', async () => {
    const story = await Story.active();
    const cohorts = buildMotion({ cohort_ids: ['cohort_1'] });
    expect(await reasonOf(story, buildTrigger('mtr_0', { motion: cohorts }))).toBe('not_in_cohort');
    expect(await reasonOf(story, buildTrigger('mtr_0', { applicable: false }))).toBe(
      'offer_not_applicable',
    );
    await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_1')));
    expect(await reasonOf(story, buildTrigger('mtr_2'))).toBe('cooldown');
    const once = buildMotion({ limits: { ...noCooldown, max_triggers_per_subscriber: 1 } });
    expect(await reasonOf(story, buildTrigger('mtr_2', { motion: once }))).toBe('max_triggers');
    const free = buildMotion({ limits: noCooldown });
    expect(await reasonOf(story, buildTrigger('mtr_2', { motion: free }))).toBe('live_run_exists');
    await story.do((draft) => recordAccepted(draft, createRunRequest('mtr_1')));
    expect(await reasonOf(story, buildTrigger('mtr_2', { motion: free }))).toBe('max_redemptions');
  });

  it('is accepted again after the cooldown', async () => {
    const story = await Story.active();
    await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_1')));
    await story.after(31);
    expect(requireRun(story.state, 'mtr_1').status).toBe('expired');
    expect(await reasonOf(story, buildTrigger('mtr_2'))).toBeNull();
  });
});

describe('a motion run', () => {
  const live = async (): Promise<Story> => {
    const story = await Story.active();
    await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_1')));
    return story;
  };
  const types = (facts: readonly { type: string }[]): string[] => facts.map(({ type }) => type);

  it('expires by the timer at its expiry time', async () => {
    const story = await live();
    await story.after(5);
    const expired = story.facts.find(({ type }) => type === 'motion.expired');
    expect(expired?.at).toBe('2026-03-13T12:00:00.000Z');
    expect(await story.refusal((draft) => recordAccepted(draft, createRunRequest('mtr_1')))).toBe(
      'invalid_state_transition',
    );
  });

  it('expires when its subscriber is gone, unless it has ended', async () => {
    const story = await live();
    const other = { ...buildMotion(), id: 'mot_2' };
    await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_2', { motion: other })));
    await story.do((draft) => recordDeclined(draft, createRunRequest('mtr_2')));
    const facts = await story.do((draft) => {
      expireAllRuns(draft);
    });
    expect(facts).toMatchObject([{ type: 'motion.expired', data: { run_id: 'mtr_1' } }]);
    expect(requireRun(story.state, 'mtr_1')).toMatchObject({ status: 'expired' });
  });

  it('counts as presented when it is accepted or declined', async () => {
    const accepted = await live();
    expect(
      types(await accepted.do((draft) => recordAccepted(draft, createRunRequest('mtr_1')))),
    ).toEqual(['motion.presented', 'motion.accepted']);
    const declined = await live();
    expect(
      types(await declined.do((draft) => recordPresented(draft, createRunRequest('mtr_1')))),
    ).toEqual(['motion.presented']);
    expect(
      types(await declined.do((draft) => recordDeclined(draft, createRunRequest('mtr_1')))),
    ).toEqual(['motion.declined']);
  });

  it('ignores a repeated report and refuses other reports after its end', async () => {
    const story = await live();
    await story.do((draft) => recordDeclined(draft, createRunRequest('mtr_1')));
    expect(await story.do((draft) => recordDeclined(draft, createRunRequest('mtr_1')))).toEqual([]);
    expect(await story.do((draft) => recordPresented(draft, createRunRequest('mtr_1')))).toEqual(
      [],
    );
    expect(await story.refusal((draft) => recordAccepted(draft, createRunRequest('mtr_1')))).toBe(
      'invalid_state_transition',
    );
  });
});

describe('a recovered payment', () => {
  /** Days count from the failure. The payment succeeds with a new method. */
  const recovered = async (acceptedAfter: number | null, paidAfter: number): Promise<unknown> => {
    const story = await Story.active('pm_test_hard_decline');
    const { end } = story.subscription.period;
    if (acceptedAfter !== null) {
      await story.until(plusDays(end, acceptedAfter));
      await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_1')));
      await story.do((draft) => recordAccepted(draft, createRunRequest('mtr_1')));
    }
    await story.until(plusDays(end, paidAfter));
    const facts = await story.do((draft, effects) =>
      updatePaymentMethod(draft, effects, {
        subscriptionId: subId,
        method: buildMethod('pm_test_ok'),
      }),
    );
    const fact = facts.find(({ type }) => type === 'payment.recovered');
    if (fact?.type !== 'payment.recovered') return null;
    const { source, motion_id, payment } = fact.data;
    expect(payment.recovery).toMatchObject({ source, motion_id });
    return [source, motion_id];
  };

  it.each<[string, number | null, number, readonly [string, string | null]]>([
    ['by a motion that was accepted shortly before', 1, 3, ['motion', 'mot_1']],
    ['by a motion that was accepted seven days before', 1, 8, ['motion', 'mot_1']],
    ['by the new method if the motion was accepted longer ago', 1, 9, ['method_update', null]],
    ['by the new method without a motion', null, 3, ['method_update', null]],
  ])('is explained %s (D-25)', async (_, acceptedAfter, paidAfter, expected) => {
    expect(await recovered(acceptedAfter, paidAfter)).toEqual(expected);
  });

  it('is not explained by an offer that was only shown', async () => {
    const story = await Story.active('pm_test_soft_decline');
    const { end } = story.subscription.period;
    await story.until(end);
    await story.do((draft) => triggerMotion(draft, buildTrigger('mtr_1')));
    await story.do((draft) => recordPresented(draft, createRunRequest('mtr_1')));
    const facts = await story.do((draft, effects) =>
      updatePaymentMethod(draft, effects, {
        subscriptionId: subId,
        method: buildMethod('pm_test_ok'),
      }),
    );
    const fact = facts.find(({ type }) => type === 'payment.recovered');
    expect(fact).toMatchObject({ data: { source: 'method_update', motion_id: null } });
  });
});

describe('the holdout of a motion', () => {
  it('contains about its share of subscribers, and always the same ones', () => {
    const held = buildMotion({ holdout_percent: 20 });
    const ids = Array.from({ length: 5_000 }, (_, i) => `subscriber_${i}`);
    const out = ids.filter((id) => isHeldOut(held, id));
    expect(out.length / ids.length).toBeGreaterThan(0.17);
    expect(out.length / ids.length).toBeLessThan(0.23);
    expect(ids.filter((id) => isHeldOut(held, id))).toEqual(out);
    expect(ids.some((id) => isHeldOut(buildMotion(), id))).toBe(false);
  });
});
