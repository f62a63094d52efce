import { noon } from '../../../test/support/given';
import { Story, subId } from '../../../test/support/story';
import { plusDays } from '../../kernel/time';
import { cancelSubscription } from './ending';
import { pauseSubscription, type PauseRequest, resumeSubscription } from './pausing';

const now: PauseRequest = { subscriptionId: subId, effective: 'immediately', resumesAt: null };
const atPeriodEnd: PauseRequest = { ...now, effective: 'period_end' };
const continued = { subscriptionId: subId, billing: 'continue' } as const;

const pausing = (story: Story, request: PauseRequest) =>
  story.do((draft, effects) => {
    pauseSubscription(draft, effects, request);
  });
const resuming = (story: Story, billing: 'continue' | 'new_period' = 'continue') =>
  story.do((draft, effects) => resumeSubscription(draft, effects, { ...continued, billing }));

describe('pausing a subscription (D-05)', () => {
  it('freezes the rest of the period if the pause is immediate', async () => {
    const story = await Story.active();
    await story.after(10);
    expect(await pausing(story, now)).toMatchObject([
      {
        type: 'subscription.paused',
        data: {
          effective: 'immediately',
          effective_at: story.now,
          remaining_seconds: 21 * 86_400,
          actor: 'api',
        },
      },
    ]);
    expect(story.subscription.status).toBe('paused');
  });

  it('takes effect at the end of the period if the pause is scheduled', async () => {
    const story = await Story.active();
    const { end } = story.subscription.period;
    expect(await pausing(story, atPeriodEnd)).toMatchObject([
      { type: 'subscription.pause_scheduled', data: { effective_at: end } },
    ]);
    expect(story.subscription.status).toBe('active');
    expect(await story.until(end)).toMatchObject([
      {
        type: 'subscription.paused',
        at: end,
        data: { effective: 'period_end', remaining_seconds: 0, actor: 'system' },
      },
    ]);
  });

  it('does nothing if the subscription is paused or the same pause is scheduled', async () => {
    const story = await Story.active();
    await pausing(story, atPeriodEnd);
    expect(await pausing(story, atPeriodEnd)).toEqual([]);
    await pausing(story, now);
    expect(await pausing(story, now)).toEqual([]);
  });

  it('is refused with a scheduled cancellation, while past due, or if resumes_at is before the pause', async () => {
    const leaving = await Story.active();
    await leaving.do((draft, effects) => {
      cancelSubscription(draft, effects, {
        subscriptionId: subId,
        effective: 'period_end',
        reason: 'cancellation_requested',
        feedback: null,
        comment: null,
      });
    });
    const attempt = (story: Story, request = now) =>
      story.refusal((draft, effects) => {
        pauseSubscription(draft, effects, request);
      });
    expect(await attempt(leaving)).toBe('invalid_state_transition');

    const late = await Story.active('pm_test_soft_decline');
    await late.after(31);
    expect(await attempt(late)).toBe('payment_past_due');

    const early = await Story.active();
    expect(await attempt(early, { ...now, resumesAt: noon })).toBe('parameter_invalid');
    const beforeTheEnd = { ...atPeriodEnd, resumesAt: plusDays(noon, 10) };
    expect(await attempt(early, beforeTheEnd)).toBe('parameter_invalid');
  });
});

describe('resuming a subscription (D-06)', () => {
  it('continues the frozen period without a charge', async () => {
    const story = await Story.active();
    await story.after(10);
    await pausing(story, now);
    await story.after(100);
    expect(await resuming(story)).toMatchObject([
      {
        type: 'subscription.resumed',
        data: {
          resulting_status: 'active',
          billing: 'continue',
          period_shifted_seconds: 100 * 86_400,
          period_start: plusDays(noon, 100),
          period_end: plusDays(story.now, 21),
          payment_id: null,
        },
      },
    ]);
  });

  it('continues a frozen trial as a trial', async () => {
    const story = await Story.trialing();
    await story.after(4);
    await pausing(story, now);
    await story.after(50);
    await resuming(story);
    expect(story.subscription).toMatchObject({
      status: 'trialing',
      trialEnd: plusDays(story.now, 10),
      period: { end: plusDays(story.now, 10) },
    });
  });

  it('charges a new period if no frozen time is left', async () => {
    const story = await Story.active();
    await pausing(story, atPeriodEnd);
    await story.after(60);
    expect(await resuming(story)).toMatchObject([
      { type: 'payment.succeeded', data: { payment: { amount: 2000, reason: 'resume' } } },
      {
        type: 'subscription.resumed',
        data: { resulting_status: 'active', billing: 'new_period', period_start: story.now },
      },
    ]);
  });

  it('records the attempt and keeps the pause if the charge is declined', async () => {
    const story = await Story.active('pm_test_hard_decline');
    await pausing(story, atPeriodEnd);
    await story.after(60);
    expect(await resuming(story)).toMatchObject([
      {
        type: 'payment.failed',
        data: { final: true, payment: { status: 'failed' }, next_attempt_at: null },
      },
    ]);
    expect(story.subscription.status).toBe('paused');
  });

  it('credits the frozen time to a requested new period', async () => {
    const story = await Story.active();
    await story.until(plusDays(noon, 15.5));
    await pausing(story, now);
    await story.after(3);
    const [paid] = await resuming(story, 'new_period');
    expect(paid).toMatchObject({
      type: 'payment.succeeded',
      data: {
        payment: {
          amount: 1000,
          lines: [
            { kind: 'credit', amount: -1000 },
            { kind: 'period', amount: 2000 },
          ],
        },
      },
    });
  });

  it('credits no frozen time of a period whose payment is still open', async () => {
    const story = await Story.active('pm_test_pending');
    await story.until(story.subscription.period.end);
    await story.after(10);
    await pausing(story, now);
    const refused = await story.refusal((draft, effects) =>
      resumeSubscription(draft, effects, { subscriptionId: subId, billing: 'new_period' }),
    );
    expect(refused).toBe('payment_past_due');
    expect(await resuming(story, 'continue')).toMatchObject([{ type: 'subscription.resumed' }]);
  });

  it.each([
    ['at the end of the trial', atPeriodEnd, 'continue'],
    ['at once, with a new period', now, 'new_period'],
  ] as const)('activates a trial that was paused %s', async (_, request, billing) => {
    const story = await Story.trialing();
    await pausing(story, request);
    await story.after(20);
    expect(await resuming(story, billing)).toMatchObject([
      { type: 'payment.succeeded', data: { payment: { reason: 'resume' } } },
      {
        type: 'subscription.activated',
        data: { reason: 'trial_converted', previous: { status: 'paused' } },
      },
      { type: 'subscription.resumed', data: { resulting_status: 'active' } },
    ]);
    const { status, pause: paused, trialEnd, period } = story.subscription;
    expect({ status, paused }).toEqual({ status: 'active', paused: { kind: 'none' } });
    expect(period.start).toBe(story.now);
    expect(trialEnd! <= story.now).toBe(true);
  });

  it('removes a scheduled pause', async () => {
    const story = await Story.active();
    await pausing(story, atPeriodEnd);
    expect((await resuming(story)).map(({ type }) => type)).toEqual([
      'subscription.pause_unscheduled',
    ]);
    expect(story.subscription.pause).toEqual({ kind: 'none' });
    expect(
      await story.refusal((draft, effects) => resumeSubscription(draft, effects, continued)),
    ).toBe('invalid_state_transition');
  });

  it('happens by the timer at resumes_at, and a decline then leads to active and past due', async () => {
    const story = await Story.active('pm_test_soft_decline');
    const { end } = story.subscription.period;
    await pausing(story, { ...atPeriodEnd, resumesAt: plusDays(end, 5) });
    const facts = await story.until(plusDays(end, 5));
    expect(facts.map(({ type }) => type)).toEqual([
      'subscription.paused',
      'payment.failed',
      'subscription.resumed',
      'subscription.past_due',
    ]);
    expect(story.subscription.status).toBe('active');
  });
});
