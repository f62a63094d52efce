import fc from 'fast-check';
import type { StoredEvent } from '../../event-store/stored-event';
import { type Instant, plusDays } from '../../kernel/time';
import { Story } from '../../../test/support/story';
import { subscriberAggregate } from '../subscriber.aggregate';
import type { SubscriptionSummary } from '../subscriptions/summary.decider';
import { bucketsOf, dayOf } from './buckets.decider';
import { METRICS } from './catalogue';
import { computeSeries, type DayCount } from './series';
import { type Count, MOVEMENTS, NEW_TALLY, tally, type Tally } from './tally';

const sub = (fields: Partial<SubscriptionSummary> = {}): SubscriptionSummary => ({
  id: 'sub_1',
  status: 'active',
  past_due: false,
  trial: false,
  trial_end: null,
  mrr: 1000,
  currency: 'USD',
  ...fields,
});

interface Told {
  readonly on: string;
  readonly type: string;
  readonly data?: object;
  /** The subscriber's running subscriptions after the event; as before without it. */
  readonly running?: readonly SubscriptionSummary[];
  readonly who?: string;
  readonly id?: string;
}

/** Plays events of any number of subscribers and answers the counts they amount to. */
const play = (story: readonly Told[]): DayCount[] => {
  const tallies = new Map<string, Tally>();
  const counts: Count[] = [];
  story.forEach(({ on, type, data = {}, running, who = 'ada', id = 'sub_1' }, i) => {
    const before = tallies.get(who) ?? NEW_TALLY;
    const now = running ?? before.running;
    const event = {
      type,
      data,
      revision: i,
      metadata: {
        at: `${on}T12:00:00.000Z`,
        subscription_id: id,
        subscriber: { running: now, status: now[0]?.status ?? 'cancelled' },
      },
    } as unknown as StoredEvent;
    const counted = tally(before, event);
    // Delivered twice, counted once.
    expect(tally(counted.after, event).counts).toEqual([]);
    tallies.set(who, counted.after);
    counts.push(...counted.counts);
  });
  return counts;
};

const now = '2026-03-11T15:00:00.000Z' as Instant;

/** The last days of a metric, `[value, sample size, maturing]` from `from` on. */
const series = (
  counts: readonly DayCount[],
  name: string,
  options: { measure?: string; by?: string; topic?: string } = {},
): unknown[] => {
  const metric = METRICS.find((each) => each.name === name && each.measure === options.measure)!;
  const buckets = bucketsOf('last_7d', 'day', now, { first: null, last: null });
  const before = counts.map((row) =>
    row.day! < buckets[0]!.firstDay ? { ...row, day: null } : row,
  );
  return computeSeries(metric, buckets, before, options).map(({ value }) => value);
};

const payment = (id: string, fields: object = {}) => ({
  id,
  amount: 2000,
  currency: 'USD',
  reason: 'renewal',
  recovery: null,
  ...fields,
});

const failed = (id: string, on: string) => ({
  payment: payment(id, { recovery: { outcome: 'open', first_failed_at: `${on}T12:00:00.000Z` } }),
});

describe('metrics, computed by hand', () => {
  /*
   * Days:              5      6      7      8      9     10     11
   * opened             -    p1 p2   p3      -     p4      -      -
   * recovered          -      -     p1      -      -     p3      -     (p2 lost on the 8th, p4 open)
   * rate by opening    0    1/2     1/1     0     0/1     0      0
   * amount by day      0      0    2000     0      0   2000      0
   */
  it('recovery', () => {
    const counts = play([
      { on: '2026-03-06', type: 'payment.failed', data: failed('p1', '2026-03-06') },
      { on: '2026-03-06', type: 'payment.failed', data: failed('p2', '2026-03-06'), who: 'bob' },
      { on: '2026-03-07', type: 'payment.failed', data: failed('p1', '2026-03-06') },
      {
        on: '2026-03-07',
        type: 'payment.recovered',
        data: { payment_id: 'p1', amount: 2000, currency: 'USD' },
      },
      { on: '2026-03-07', type: 'payment.failed', data: failed('p3', '2026-03-07') },
      { on: '2026-03-08', type: 'payment.recovery_lost', data: { payment_id: 'p2' }, who: 'bob' },
      { on: '2026-03-09', type: 'payment.failed', data: failed('p4', '2026-03-09'), who: 'eve' },
      {
        on: '2026-03-10',
        type: 'payment.recovered',
        data: { payment_id: 'p3', amount: 2000, currency: 'USD' },
      },
    ]);
    expect(series(counts, 'recovery', { measure: 'rate' })).toEqual([0, 0.5, 1, 0, 0, 0, 0]);
    expect(series(counts, 'recovery', { measure: 'amount' })).toEqual([0, 0, 2000, 0, 0, 2000, 0]);
    expect(series(counts, 'recovery', { measure: 'payments' })).toEqual([0, 0, 1, 0, 0, 1, 0]);
    expect(series(counts, 'recovery', { measure: 'failed_amount' })).toEqual([
      0, 4000, 2000, 0, 2000, 0, 0,
    ]);
  });

  it('leaves first payments and trials’ payments out of recovery', () => {
    const counts = play([
      { on: '2026-03-06', type: 'payment.failed', data: { payment: payment('p1') } },
    ]);
    expect(series(counts, 'recovery', { measure: 'rate' })).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  /*
   * Days:             5      6      7      8      9     10     11
   * ada (1000)      +1000         +500                 pause  resume
   * bob (3000)             +3000         -1000  churn
   * MRR             1000   4000   4500   3500   1500     0    1500
   */
  const revenue = (): DayCount[] =>
    play([
      { on: '2026-03-05', type: 'subscription.activated', running: [sub()] },
      {
        on: '2026-03-06',
        type: 'subscription.activated',
        running: [sub({ id: 'sub_2', mrr: 3000 })],
        who: 'bob',
        id: 'sub_2',
      },
      { on: '2026-03-07', type: 'subscription.plan_changed', running: [sub({ mrr: 1500 })] },
      {
        on: '2026-03-08',
        type: 'subscription.plan_changed',
        running: [sub({ id: 'sub_2', mrr: 2000 })],
        who: 'bob',
        id: 'sub_2',
      },
      {
        on: '2026-03-09',
        type: 'subscription.cancelled',
        data: { voluntary: true },
        running: [],
        who: 'bob',
        id: 'sub_2',
      },
      {
        on: '2026-03-10',
        type: 'subscription.paused',
        running: [sub({ status: 'paused', mrr: 0 })],
      },
      { on: '2026-03-11', type: 'subscription.resumed', running: [sub({ mrr: 1500 })] },
    ]);

  it('MRR and what moved it', () => {
    const counts = revenue();
    expect(series(counts, 'mrr')).toEqual([1000, 4000, 4500, 3500, 1500, 0, 1500]);
    expect(series(counts, 'mrr_movements')).toEqual([1000, 3000, 500, -1000, -2000, -1500, 1500]);
    expect(series(counts, 'mrr_churn_gross')).toEqual([0, 0, 0, 1000 / 4500, 2000 / 3500, 0, 0]);
    expect(series(counts, 'mrr_churn_net')).toEqual([
      0,
      0,
      -500 / 4000,
      1000 / 4500,
      2000 / 3500,
      0,
      0,
    ]);
    expect(series(counts, 'arpu')).toEqual([1000, 2000, 2250, 1750, 1500, 0, 1500]);
  });

  it('subscribers and churn', () => {
    const counts = revenue();
    expect(series(counts, 'active_subscribers')).toEqual([1, 2, 2, 2, 1, 0, 1]);
    expect(series(counts, 'paused')).toEqual([0, 0, 0, 0, 0, 1, 0]);
    expect(series(counts, 'churn_rate')).toEqual([0, 0, 0, 0, 0.5, 0, 0]);
    expect(series(counts, 'churn_rate', { by: 'voluntary' })).toEqual([0, 0, 0, 0, 0.5, 0, 0]);
    expect(series(counts, 'churn_rate', { by: 'involuntary' })).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  /*
   * Three trials end on the 8th: ada converts and pays on time, bob pays on the 10th (late), eve
   * cancels on the 6th. A fourth (joe) is extended from the 8th to the 20th: not in the window.
   */
  it('trial conversion, by the day the trial ends', () => {
    const trial = (end = '2026-03-08') =>
      sub({
        status: 'trialing',
        trial: true,
        mrr: 0,
        trial_end: `${end}T00:00:00.000Z` as Instant,
      });
    const paid = { payment: payment('p', { reason: 'trial_conversion' }) };
    const started = ['ada', 'bob', 'eve', 'joe'].map((who) => ({
      on: '2026-03-05',
      type: 'subscription.trial_started',
      running: [trial()],
      who,
    }));
    const settled: Told[] = [
      { on: '2026-03-06', type: 'subscription.cancelled', running: [], who: 'eve' },
      {
        on: '2026-03-06',
        type: 'subscription.trial_extended',
        running: [trial('2026-03-20')],
        who: 'joe',
      },
      { on: '2026-03-08', type: 'payment.succeeded', data: paid, who: 'ada' },
      {
        on: '2026-03-08',
        type: 'subscription.activated',
        data: { payment_id: 'p' },
        running: [sub()],
        who: 'ada',
      },
    ];
    const late: Told[] = [
      { on: '2026-03-10', type: 'payment.succeeded', data: paid, who: 'bob' },
      {
        on: '2026-03-10',
        type: 'subscription.activated',
        data: { payment_id: 'p' },
        running: [sub()],
        who: 'bob',
      },
    ];
    expect(series(play([...started, ...settled]), 'trial_conversion')[3]).toBe(1 / 2);
    const all = play([...started, ...settled, ...late]);
    expect(series(all, 'trial_conversion')).toEqual([0, 0, 0, 2 / 3, 0, 0, 0]);
    // Trials that end are no lost subscribers.
    expect(series(all, 'churn_rate')).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('money: refunds and credits', () => {
    const credit = (remaining: number) => ({ credit_id: 'c', remaining, currency: 'USD' });
    const counts = play([
      { on: '2026-03-05', type: 'payment.succeeded', data: { payment: payment('p1') } },
      { on: '2026-03-05', type: 'credit.granted', data: credit(700) },
      { on: '2026-03-06', type: 'payment.succeeded', data: { payment: payment('p2') } },
      {
        on: '2026-03-06',
        type: 'payment.refunded',
        data: { refund: { amount: 500, currency: 'USD' } },
      },
      { on: '2026-03-07', type: 'credit.applied', data: credit(200) },
      { on: '2026-03-08', type: 'credit.voided', data: credit(200) },
    ]);
    expect(series(counts, 'refund_rate')).toEqual([0, 0.25, 0, 0, 0, 0, 0]);
    expect(series(counts, 'credit_outstanding')).toEqual([700, 700, 200, 0, 0, 0, 0]);
  });

  it('tickets and offers', () => {
    const run = (id: string) => ({ run_id: id });
    const counts = play([
      { on: '2026-03-05', type: 'ticket.submitted', data: { ticket: { topic: 'cancel' } } },
      { on: '2026-03-05', type: 'ticket.submitted', data: { ticket: { topic: 'other' } } },
      { on: '2026-03-06', type: 'ticket.resolved', data: { resolution_seconds: 5400 } },
      { on: '2026-03-06', type: 'motion.presented', data: run('r1') },
      { on: '2026-03-06', type: 'motion.presented', data: run('r2') },
      { on: '2026-03-08', type: 'motion.accepted', data: run('r1') },
      { on: '2026-03-09', type: 'motion.declined', data: run('r2') },
    ]);
    expect(series(counts, 'ticket_volume')).toEqual([2, 0, 0, 0, 0, 0, 0]);
    expect(series(counts, 'ticket_volume', { topic: 'cancel' })).toEqual([1, 0, 0, 0, 0, 0, 0]);
    const [, median] = series(counts, 'ticket_resolution_p50') as number[];
    expect(Math.abs(median! / 5400 - 1)).toBeLessThan(0.026);
    expect(series(counts, 'motion_acceptance')).toEqual([0, 0.5, 0, 0, 0, 0, 0]);
  });
});

/** The counts of a subscriber's life as billing decides it. */
const countsOfStory = (story: Story): DayCount[] => {
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
    const { after, counts } = tally(tallied, event);
    tallied = after;
    return counts;
  });
};

const sumOf = (rows: readonly DayCount[], series: string): Record<string, number> => {
  const days: Record<string, number> = {};
  for (const row of rows) {
    if (row.series === series) days[row.day!] = (days[row.day!] ?? 0) + row.value;
  }
  return Object.fromEntries(Object.entries(days).filter(([, value]) => value !== 0));
};

describe('metrics of real courses', () => {
  it('a renewal that fails on 10 April and is paid by the retry of the next day', async () => {
    // The retry of one day later is made with a method whose second attempt of a payment succeeds.
    const story = await Story.active('pm_test_fail_1_then_ok');
    await story.until('2026-04-20T12:00:00.000Z' as Instant);
    const counts = countsOfStory(story);
    expect(sumOf(counts, 'mrr')).toEqual({ '2026-03-10': 2000 });
    expect(sumOf(counts, 'recovery_opened')).toEqual({ '2026-04-10': 1 });
    expect(sumOf(counts, 'recovery_won')).toEqual({ '2026-04-10': 1 });
    expect(sumOf(counts, 'recovery_open')).toEqual({});
    expect(sumOf(counts, 'recovered_amount')).toEqual({ '2026-04-11': 2000 });
    expect(sumOf(counts, 'past_due')).toEqual({ '2026-04-10': 1, '2026-04-11': -1 });
  });

  it('a renewal that is never paid: lost and churned when the grace is over', async () => {
    const story = await Story.active('pm_test_soft_decline');
    await story.until('2026-05-01T12:00:00.000Z' as Instant);
    const counts = countsOfStory(story);
    expect(sumOf(counts, 'recovery_opened')).toEqual({ '2026-04-10': 1 });
    expect(sumOf(counts, 'recovery_won')).toEqual({});
    expect(sumOf(counts, 'recovery_open')).toEqual({});
    expect(sumOf(counts, 'mrr')).toEqual({ '2026-03-10': 2000, '2026-04-24': -2000 });
    expect(sumOf(counts, 'churned')).toEqual({ '2026-04-24': 1 });
    expect(sumOf(counts, 'active')).toEqual({ '2026-03-10': 1, '2026-04-24': -1 });
  });

  it('a trial that converts when it ends', async () => {
    const story = await Story.trialing('pm_test_ok');
    await story.until('2026-03-30T12:00:00.000Z' as Instant);
    const counts = countsOfStory(story);
    expect(sumOf(counts, 'trials_ended')).toEqual({ '2026-03-24': 1 });
    expect(sumOf(counts, 'trials_converted')).toEqual({ '2026-03-24': 1 });
    expect(sumOf(counts, 'trials_open')).toEqual({});
    expect(sumOf(counts, 'mrr')).toEqual({ '2026-03-24': 2000 });
    expect(sumOf(counts, 'trialing')).toEqual({ '2026-03-10': 1, '2026-03-24': -1 });
  });
});

describe('metrics hang together', () => {
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
      on: dayOf(plusDays('2026-03-05T00:00:00.000Z' as Instant, days)),
      type,
      who,
      data: { payment: payment('p') },
      running: state === null ? [] : [sub(state)],
    }));

  it('the movements of each bucket are its change of MRR, and the parts their sum', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const counts = play(story(all));
        const mrr = series(counts, 'mrr') as number[];
        const moved = series(counts, 'mrr_movements') as number[];
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

  it('recovered + lost + open = opened, in every bucket', () => {
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
          dayOf(plusDays('2026-03-05T00:00:00.000Z' as Instant, n));
        const counts = play(
          all.flatMap(({ opened, closes }, i) => [
            { on: day(opened), type: 'payment.failed', data: failed(`p${i}`, day(opened)) },
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
