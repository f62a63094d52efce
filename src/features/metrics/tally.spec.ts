import fc from 'fast-check';
import { Story, subscriberId } from '../../../test/support/story';
import {
  buildFailedPayment,
  buildPayment,
  play,
  listSeries,
  buildSubscription,
  sumSeries,
  type Told,
} from '../../../test/support/tally';
import type { StoredEvent } from '../../event-store/stored-event';
import type { Currency } from '../../kernel/money';
import { type Instant, plusDays } from '../../kernel/time';
import { grantCredit } from '../../domain/billing/credit.decider';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import { toDay } from '../../domain/metrics/buckets';
import type { DayCount } from './series';
import { MOVEMENTS } from './daily-count';
import { NEW_TALLY, tallyEvent } from './tally';

/** Returns the counts of a subscriber's history as billing decides it. */
const tallyStory = (story: Story): DayCount[] => {
  let state = story.first;
  let tallied = NEW_TALLY;
  return story.facts.flatMap((fact, i) => {
    state = subscriberAggregate.evolve(state, fact);
    const event = {
      type: fact.type,
      data: fact.data,
      revision: i,
      metadata: {
        at: fact.at,
        subscription_id: fact.subscriptionId,
        subscriber: subscriberAggregate.envelope?.(state, fact).subscriber,
      },
    } as unknown as StoredEvent;
    const { after, counts } = tallyEvent(tallied, event);
    tallied = after;
    return counts;
  });
};

describe('metrics of histories that billing decides', () => {
  it('counts a renewal that fails on 10 April and is paid by the retry on the next day', async () => {
    // The payment method succeeds at the second attempt, which is the retry one day later.
    const story = await Story.active('pm_test_fail_1_then_ok');
    await story.until('2026-04-20T12:00:00.000Z' as Instant);
    const counts = tallyStory(story);
    expect(sumSeries(counts, 'mrr')).toEqual({ '2026-03-10': 2000 });
    expect(sumSeries(counts, 'recovery_opened')).toEqual({ '2026-04-10': 1 });
    expect(sumSeries(counts, 'recovery_won')).toEqual({ '2026-04-10': 1 });
    expect(sumSeries(counts, 'recovery_open')).toEqual({});
    expect(sumSeries(counts, 'recovered_amount')).toEqual({ '2026-04-11': 2000 });
    expect(sumSeries(counts, 'past_due')).toEqual({ '2026-04-10': 1, '2026-04-11': -1 });
  });

  it('counts a renewal that is never paid as lost and churned when the grace period ends', async () => {
    const story = await Story.active('pm_test_soft_decline');
    await story.until('2026-05-01T12:00:00.000Z' as Instant);
    const counts = tallyStory(story);
    expect(sumSeries(counts, 'recovery_opened')).toEqual({ '2026-04-10': 1 });
    expect(sumSeries(counts, 'recovery_won')).toEqual({});
    expect(sumSeries(counts, 'recovery_open')).toEqual({});
    expect(sumSeries(counts, 'mrr')).toEqual({ '2026-03-10': 2000, '2026-04-24': -2000 });
    expect(sumSeries(counts, 'churned')).toEqual({ '2026-04-24': 1 });
    expect(sumSeries(counts, 'active')).toEqual({ '2026-03-10': 1, '2026-04-24': -1 });
  });

  it('counts a subscriber who cancels as churned even if another subscription is on trial', () => {
    const trial = buildSubscription({ id: 'sub_2', status: 'trialing', trial: true, mrr: 0 });
    const counts = play([
      { on: '2026-03-06', type: 'subscription.activated', running: [buildSubscription()] },
      {
        on: '2026-03-07',
        type: 'subscription.trial_started',
        running: [buildSubscription(), trial],
      },
      { on: '2026-03-08', type: 'subscription.cancelled', running: [trial] },
      { on: '2026-03-10', type: 'subscription.lapsed', running: [], id: 'sub_2' },
    ]);
    expect(sumSeries(counts, 'churned')).toEqual({ '2026-03-08': 1 });
  });

  it('counts a credit as used when it is applied, even if it expires before the payment is paid', async () => {
    const story = await Story.active('pm_test_soft_decline');
    await story.do((draft, effects) => {
      grantCredit(draft, {
        id: 'crd_1',
        subscriberId,
        amount: 400,
        currency: 'USD' as Currency,
        category: 'goodwill',
        expiresAt: plusDays(draft.now, 35),
        source: { type: 'api', id: null },
        note: null,
        motionRunId: null,
        reason: 'requested',
        actor: effects.actor,
      });
    });
    await story.until('2026-05-01T12:00:00.000Z' as Instant);
    expect(story.types).toContain('credit.expired');
    const counts = tallyStory(story);
    expect(sumSeries(counts, 'credit_outstanding')).toEqual({
      '2026-03-10': 400,
      '2026-04-10': -400,
    });
  });

  it('counts a trial that converts when it ends', async () => {
    const story = await Story.trialing('pm_test_ok');
    await story.until('2026-03-30T12:00:00.000Z' as Instant);
    const counts = tallyStory(story);
    expect(sumSeries(counts, 'trials_ended')).toEqual({ '2026-03-24': 1 });
    expect(sumSeries(counts, 'trials_converted')).toEqual({ '2026-03-24': 1 });
    expect(sumSeries(counts, 'trials_open')).toEqual({});
    expect(sumSeries(counts, 'mrr')).toEqual({ '2026-03-24': 2000 });
    expect(sumSeries(counts, 'trialing')).toEqual({ '2026-03-10': 1, '2026-03-24': -1 });
  });
});

describe('metrics are consistent with each other', () => {
  const states = fc.record({
    status: fc.constantFrom('active' as const, 'trialing' as const, 'paused' as const),
    mrr: fc.integer({ min: 0, max: 5000 }),
    past_due: fc.boolean(),
  });
  const types = fc.constantFrom(
    'subscription.activated',
    'subscription.renewed',
    'subscription.plan_changed',
    'subscription.paused',
    'subscription.resumed',
    'subscription.cancelled',
    'payment.succeeded',
  );
  const steps = fc.array(
    fc.record({
      type: types,
      days: fc.integer({ min: 0, max: 6 }),
      who: fc.constantFrom('ada', 'bob'),
      state: fc.option(states),
    }),
    { maxLength: 40 },
  );
  const story = (
    all: { type: string; days: number; who: string; state: object | null }[],
  ): Told[] =>
    all.map(({ type, days, who, state }) => ({
      on: toDay(plusDays('2026-03-05T00:00:00.000Z' as Instant, days)),
      type,
      who,
      data: { payment: buildPayment('p') },
      running: state === null ? [] : [buildSubscription(state)],
    }));

  it('the MRR movements of each bucket, and their parts, add up to its change of MRR', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const counts = play(story(all));
        const mrr = listSeries(counts, 'mrr') as number[];
        const moved = listSeries(counts, 'mrr_movements') as number[];
        expect(moved).toEqual(mrr.map((value, i) => value - (mrr[i - 1] ?? 0)));
        const byPart = MOVEMENTS.reduce(
          (sum, part) =>
            sum + total(counts.filter((row) => row.series === 'mrr_movement' && row.part === part)),
          0,
        );
        expect(byPart).toBe(total(counts.filter((row) => row.series === 'mrr')));
      }),
    );
  });

  it('recovered, lost and open cases add up to the opened cases of each bucket', () => {
    const cases = fc.array(
      fc.record({
        opened: fc.integer({ min: 0, max: 6 }),
        closes: fc.constantFrom('payment.recovered', 'payment.recovery_lost', null),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(cases, (all) => {
        const day = (n: number): string =>
          toDay(plusDays('2026-03-05T00:00:00.000Z' as Instant, n));
        const counts = play(
          all.flatMap(({ opened, closes }, i) => [
            {
              on: day(opened),
              type: 'payment.failed',
              data: buildFailedPayment(`p${i}`, day(opened)),
            },
            ...(closes === null
              ? []
              : [
                  {
                    on: day(6),
                    type: closes,
                    data: { payment_id: `p${i}`, amount: 1, currency: 'USD' },
                  },
                ]),
          ]),
        );
        for (let n = 0; n < 7; n += 1) {
          const on = counts.filter((row) => row.day === day(n));
          const of = (series: string): number => total(on.filter((row) => row.series === series));
          const lost = all.filter(
            (c) => c.opened === n && c.closes === 'payment.recovery_lost',
          ).length;
          expect(of('recovery_won') + lost + of('recovery_open')).toBe(of('recovery_opened'));
        }
      }),
    );
  });
});

const total = (rows: readonly DayCount[]): number =>
  rows.reduce((sum, { value }) => sum + value, 0);
