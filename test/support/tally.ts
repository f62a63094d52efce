import type { StoredEvent } from '../../src/event-store/stored-event';
import { eachBucket } from '../../src/domain/metrics/buckets';
import { METRICS } from '../../src/features/metrics/catalogue';
import { computeSeries, type DayCount } from '../../src/features/metrics/series';
import type { Count } from '../../src/features/metrics/daily-count';
import { NEW_TALLY, tallyEvent, type Tally } from '../../src/features/metrics/tally';
import type { SubscriptionSummary } from '../../src/domain/billing/subscription-summary';
import type { Value } from '../../src/features/metrics/metric';
import type { Instant } from '../../src/kernel/time';

export const buildSubscription = (
  fields: Partial<SubscriptionSummary> = {},
): SubscriptionSummary => ({
  id: 'sub_1',
  status: 'active',
  past_due: false,
  trial: false,
  trial_end: null,
  mrr: 1000,
  currency: 'USD',
  ...fields,
});

export interface Told {
  readonly on: string;
  readonly type: string;
  readonly data?: object;
  /** The subscriber's running subscriptions after the event. If absent, they do not change. */
  readonly running?: readonly SubscriptionSummary[];
  readonly who?: string;
  readonly id?: string;
}

/** Tallies events of any number of subscribers and returns the resulting counts. */
export const play = (story: readonly Told[]): DayCount[] => {
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
    const counted = tallyEvent(before, event);
    // An event that is delivered twice is counted once.
    expect(tallyEvent(counted.after, event).counts).toEqual([]);
    tallies.set(who, counted.after);
    counts.push(...counted.counts);
  });
  return counts;
};

const now = '2026-03-11T15:00:00.000Z' as Instant;

/** Returns the days of a metric from `from` on, as `[value, sample size, maturing]`. */
interface SeriesOptions {
  readonly measure?: string;
  readonly by?: string;
  readonly topic?: string;
}

/** Lists the values of a metric, one for each of the last seven days. */
export const listSeries = (
  counts: readonly DayCount[],
  name: string,
  options: SeriesOptions = {},
): unknown[] => computePoints(counts, name, options).map(({ value }) => value);

export const listSampleSizes = (counts: readonly DayCount[], name: string): unknown[] =>
  computePoints(counts, name, {}).map(({ sampleSize }) => sampleSize);

const computePoints = (
  counts: readonly DayCount[],
  name: string,
  options: SeriesOptions,
): readonly Value[] => {
  const metric = METRICS.find((each) => each.name === name && each.measure === options.measure)!;
  const buckets = [...eachBucket('last_7d', 'day', now, { first: null, last: null })];
  const before = counts.map((row) =>
    row.day! < buckets[0]!.firstDay ? { ...row, day: null } : row,
  );
  return computeSeries(metric, buckets, before, options);
};

export const buildPayment = (id: string, fields: object = {}) => ({
  id,
  amount: 2000,
  currency: 'USD',
  reason: 'renewal',
  recovery: null,
  ...fields,
});

export const buildFailedPayment = (id: string, on: string) => ({
  payment: buildPayment(id, {
    recovery: { outcome: 'open', first_failed_at: `${on}T12:00:00.000Z` },
  }),
});

export const sumSeries = (rows: readonly DayCount[], series: string): Record<string, number> => {
  const days: Record<string, number> = {};
  for (const row of rows) {
    if (row.series === series) days[row.day!] = (days[row.day!] ?? 0) + row.value;
  }
  return Object.fromEntries(Object.entries(days).filter(([, value]) => value !== 0));
};
