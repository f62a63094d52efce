import {
  buildFailedPayment,
  buildPayment,
  play,
  listSampleSizes,
  listSeries,
  buildSubscription,
  sumSeries,
  type Told,
} from '../../../test/support/tally';
import type { Instant } from '../../kernel/time';
import type { DayCount } from './series';

describe('metrics, compared with values worked out by hand', () => {
  /*
   * Days:              5      6      7      8      9     10     11
   * opened             -    p1 p2   p3      -     p4      -      -
   * recovered          -      -     p1      -      -     p3      -     (p2 lost on the 8th, p4 open)
   * rate by opening    0    1/2     1/1     0     0/1     0      0
   * amount by day      0      0    2000     0      0   2000      0
   */
  it('gives the recovery rate, amounts and number of payments by day', () => {
    const counts = play([
      { on: '2026-03-06', type: 'payment.failed', data: buildFailedPayment('p1', '2026-03-06') },
      {
        on: '2026-03-06',
        type: 'payment.failed',
        data: buildFailedPayment('p2', '2026-03-06'),
        who: 'bob',
      },
      { on: '2026-03-07', type: 'payment.failed', data: buildFailedPayment('p1', '2026-03-06') },
      {
        on: '2026-03-07',
        type: 'payment.recovered',
        data: { payment_id: 'p1', amount: 2000, currency: 'USD' },
      },
      { on: '2026-03-07', type: 'payment.failed', data: buildFailedPayment('p3', '2026-03-07') },
      { on: '2026-03-08', type: 'payment.recovery_lost', data: { payment_id: 'p2' }, who: 'bob' },
      {
        on: '2026-03-09',
        type: 'payment.failed',
        data: buildFailedPayment('p4', '2026-03-09'),
        who: 'eve',
      },
      {
        on: '2026-03-10',
        type: 'payment.recovered',
        data: { payment_id: 'p3', amount: 2000, currency: 'USD' },
      },
    ]);
    expect(listSeries(counts, 'recovery', { measure: 'rate' })).toEqual([0, 0.5, 1, 0, 0, 0, 0]);
    expect(listSeries(counts, 'recovery', { measure: 'amount' })).toEqual([
      0, 0, 2000, 0, 0, 2000, 0,
    ]);
    expect(listSeries(counts, 'recovery', { measure: 'payments' })).toEqual([0, 0, 1, 0, 0, 1, 0]);
    expect(listSeries(counts, 'recovery', { measure: 'failed_amount' })).toEqual([
      0, 4000, 2000, 0, 2000, 0, 0,
    ]);
  });

  it('counts a payment on the day it succeeded, even if the provider reports it later', () => {
    const succeeded_at = '2026-03-08T06:00:00.000Z';
    const counts = play([
      { on: '2026-03-06', type: 'payment.failed', data: buildFailedPayment('p1', '2026-03-06') },
      {
        on: '2026-03-10',
        type: 'payment.succeeded',
        data: { payment: buildPayment('p1', { succeeded_at }) },
      },
      {
        on: '2026-03-10',
        type: 'payment.recovered',
        data: {
          payment_id: 'p1',
          amount: 2000,
          currency: 'USD',
          payment: buildPayment('p1', { succeeded_at }),
        },
      },
    ]);
    expect(listSeries(counts, 'recovery', { measure: 'amount' })).toEqual([0, 0, 0, 2000, 0, 0, 0]);
    expect(listSeries(counts, 'recovery', { measure: 'payments' })).toEqual([0, 0, 0, 1, 0, 0, 0]);
    expect(sumSeries(counts, 'paid')).toEqual({ '2026-03-08': 2000 });
  });

  it('leaves first payments and payments after a trial out of recovery', () => {
    const counts = play([
      { on: '2026-03-06', type: 'payment.failed', data: { payment: buildPayment('p1') } },
    ]);
    expect(listSeries(counts, 'recovery', { measure: 'rate' })).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  /*
   * Days:             5      6      7      8      9     10     11
   * ada (1000)      +1000         +500                 pause  resume
   * bob (3000)             +3000         -1000  churn
   * MRR             1000   4000   4500   3500   1500     0    1500
   */
  const revenue = (): DayCount[] =>
    play([
      { on: '2026-03-05', type: 'subscription.activated', running: [buildSubscription()] },
      {
        on: '2026-03-06',
        type: 'subscription.activated',
        running: [buildSubscription({ id: 'sub_2', mrr: 3000 })],
        who: 'bob',
        id: 'sub_2',
      },
      {
        on: '2026-03-07',
        type: 'subscription.plan_changed',
        running: [buildSubscription({ mrr: 1500 })],
      },
      {
        on: '2026-03-08',
        type: 'subscription.plan_changed',
        running: [buildSubscription({ id: 'sub_2', mrr: 2000 })],
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
        running: [buildSubscription({ status: 'paused', mrr: 0 })],
      },
      {
        on: '2026-03-11',
        type: 'subscription.resumed',
        running: [buildSubscription({ mrr: 1500 })],
      },
    ]);

  it('gives MRR, its movements, its churn and ARPU', () => {
    const counts = revenue();
    expect(listSeries(counts, 'mrr')).toEqual([1000, 4000, 4500, 3500, 1500, 0, 1500]);
    expect(listSeries(counts, 'mrr_movements')).toEqual([
      1000, 3000, 500, -1000, -2000, -1500, 1500,
    ]);
    expect(listSeries(counts, 'mrr_churn_gross')).toEqual([
      0,
      0,
      0,
      1000 / 4500,
      2000 / 3500,
      0,
      0,
    ]);
    expect(listSeries(counts, 'mrr_churn_net')).toEqual([
      0,
      0,
      -500 / 4000,
      1000 / 4500,
      2000 / 3500,
      0,
      0,
    ]);
    expect(listSeries(counts, 'arpu')).toEqual([1000, 2000, 2250, 1750, 1500, 0, 1500]);
    expect(listSampleSizes(counts, 'mrr_movements')).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(listSampleSizes(counts, 'mrr_churn_gross')).toEqual([0, 1, 2, 2, 2, 1, 0]);
  });

  it('gives active and paused subscribers and the churn rate', () => {
    const counts = revenue();
    expect(listSeries(counts, 'active_subscribers')).toEqual([1, 2, 2, 2, 1, 0, 1]);
    expect(listSeries(counts, 'paused')).toEqual([0, 0, 0, 0, 0, 1, 0]);
    expect(listSeries(counts, 'churn_rate')).toEqual([0, 0, 0, 0, 0.5, 0, 0]);
    expect(listSeries(counts, 'churn_rate', { by: 'voluntary' })).toEqual([0, 0, 0, 0, 0.5, 0, 0]);
    expect(listSeries(counts, 'churn_rate', { by: 'involuntary' })).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  /*
   * Three trials end on the 8th: ada converts and pays on time, bob pays late on the 10th, eve
   * cancels on the 6th. The trial of joe is extended from the 8th to the 20th, which is not in the
   * window.
   */
  it('counts a trial conversion on the day the trial ends', () => {
    const trial = (end = '2026-03-08') =>
      buildSubscription({
        status: 'trialing',
        trial: true,
        mrr: 0,
        trial_end: `${end}T00:00:00.000Z` as Instant,
      });
    const paid = { payment: buildPayment('p', { reason: 'trial_conversion' }) };
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
        running: [buildSubscription()],
        who: 'ada',
      },
    ];
    const late: Told[] = [
      { on: '2026-03-10', type: 'payment.succeeded', data: paid, who: 'bob' },
      {
        on: '2026-03-10',
        type: 'subscription.activated',
        data: { payment_id: 'p' },
        running: [buildSubscription()],
        who: 'bob',
      },
    ];
    expect(listSeries(play([...started, ...settled]), 'trial_conversion')[3]).toBe(1 / 2);
    const all = play([...started, ...settled, ...late]);
    expect(listSeries(all, 'trial_conversion')).toEqual([0, 0, 0, 2 / 3, 0, 0, 0]);
    // The end of a trial is not the loss of a subscriber.
    expect(listSeries(all, 'churn_rate')).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  /*
   * A trial that would end on the 10th is paused on the 6th. On the 8th a new period is requested
   * and paid, so the trial ends and converts on the 8th, and its MRR is new.
   */
  it('counts a paused trial as converted when it is resumed into a paid period', () => {
    const trial = (status: string) =>
      buildSubscription({
        status,
        trial: true,
        mrr: 0,
        trial_end: '2026-03-10T00:00:00.000Z' as Instant,
      } as never);
    const active = buildSubscription({ trial_end: '2026-03-08T00:00:00.000Z' as Instant });
    const counts = play([
      { on: '2026-03-05', type: 'subscription.trial_started', running: [trial('trialing')] },
      { on: '2026-03-06', type: 'subscription.paused', running: [trial('paused')] },
      {
        on: '2026-03-08',
        type: 'payment.succeeded',
        data: { payment: buildPayment('p', { reason: 'resume' }) },
        running: [trial('paused')],
      },
      {
        on: '2026-03-08',
        type: 'subscription.activated',
        data: { payment_id: 'p' },
        running: [active],
      },
      { on: '2026-03-08', type: 'subscription.resumed', running: [active] },
    ]);
    expect(listSeries(counts, 'trial_conversion')).toEqual([0, 0, 0, 1, 0, 0, 0]);
    expect(sumSeries(counts, 'trials_open')).toEqual({});
    expect(listSeries(counts, 'mrr_movements')).toEqual([0, 0, 0, 1000, 0, 0, 0]);
    expect(counts.filter(({ part }) => part === 'new').map(({ value }) => value)).toEqual([1000]);
  });

  it('gives the refund rate and the outstanding credit', () => {
    const credit = (remaining: number) => ({ credit_id: 'c', remaining, currency: 'USD' });
    const counts = play([
      { on: '2026-03-05', type: 'payment.succeeded', data: { payment: buildPayment('p1') } },
      { on: '2026-03-05', type: 'credit.granted', data: credit(700) },
      { on: '2026-03-06', type: 'payment.succeeded', data: { payment: buildPayment('p2') } },
      {
        on: '2026-03-06',
        type: 'payment.refunded',
        data: { refund: { amount: 500, currency: 'USD' } },
      },
      { on: '2026-03-07', type: 'credit.applied', data: credit(200) },
      { on: '2026-03-08', type: 'credit.voided', data: credit(200) },
    ]);
    expect(listSeries(counts, 'refund_rate')).toEqual([0, 0.25, 0, 0, 0, 0, 0]);
    expect(listSeries(counts, 'credit_outstanding')).toEqual([700, 700, 200, 0, 0, 0, 0]);
    expect(listSampleSizes(counts, 'credit_outstanding')).toEqual([1, 1, 1, 0, 0, 0, 0]);
  });

  it('gives ticket volume, median resolution time and the acceptance of offers', () => {
    const run = (id: string) => ({ run_id: id });
    const counts = play([
      { on: '2026-03-05', type: 'ticket.submitted', data: { ticket: { topic: 'cancel' } } },
      { on: '2026-03-05', type: 'ticket.submitted', data: { ticket: { topic: 'other' } } },
      { on: '2026-03-06', type: 'ticket.resolved', data: { resolution_seconds: 5400 } },
      { on: '2026-03-07', type: 'ticket.resolved', data: { resolution_seconds: 86_400 } },
      { on: '2026-03-07', type: 'ticket.resolved', data: { resolution_seconds: 3600 } },
      { on: '2026-03-07', type: 'ticket.resolved', data: { resolution_seconds: 7200 } },
      { on: '2026-03-07', type: 'ticket.resolved', data: { resolution_seconds: 7200 } },
      { on: '2026-03-08', type: 'ticket.resolved', data: { resolution_seconds: 60 } },
      { on: '2026-03-08', type: 'ticket.resolved', data: { resolution_seconds: 61 } },
      { on: '2026-03-06', type: 'motion.presented', data: run('r1') },
      { on: '2026-03-06', type: 'motion.presented', data: run('r2') },
      { on: '2026-03-08', type: 'motion.accepted', data: run('r1') },
      { on: '2026-03-09', type: 'motion.declined', data: run('r2') },
    ]);
    expect(listSeries(counts, 'ticket_volume')).toEqual([2, 0, 0, 0, 0, 0, 0]);
    expect(listSeries(counts, 'ticket_volume', { topic: 'cancel' })).toEqual([1, 0, 0, 0, 0, 0, 0]);
    expect(listSeries(counts, 'ticket_resolution_p50')).toEqual([0, 5400, 7200, 60.5, 0, 0, 0]);
    // With many durations the exact series is not read, and the value is computed from the bins.
    const binned = counts.filter((count) => count.series !== 'ticket_resolution_seconds');
    const [, ...medians] = listSeries(binned, 'ticket_resolution_p50') as number[];
    for (const [i, exact] of [5400, 7200, 60].entries())
      expect(Math.abs(medians[i]! / exact - 1)).toBeLessThan(0.026);
    expect(listSeries(counts, 'motion_acceptance')).toEqual([0, 0.5, 0, 0, 0, 0, 0]);
  });
});
