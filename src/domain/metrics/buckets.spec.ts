import fc from 'fast-check';
import { DAY_MS, fromMillis, type Instant, plusDays, toMillis } from '../../kernel/time';
import { type Bucket, eachBucket, toDay, GRANULARITIES, type History, WINDOWS } from './buckets';

/** The current time, on a Wednesday. */
const now = '2026-03-11T15:30:00.000Z' as Instant;
const none: History = { first: null, last: null };
const since = (first: string): History => ({ first: first as Instant, last: first as Instant });

const listBuckets = (...asked: Parameters<typeof eachBucket>): Bucket[] => [
  ...eachBucket(...asked),
];

const shown = (buckets: readonly Bucket[]): string[] =>
  buckets.map(
    ({ timestamp, firstDay, lastDay, partial }) =>
      `${toDay(timestamp)} ${firstDay.slice(5)}..${lastDay.slice(5)}${partial ? ' partial' : ''}`,
  );

describe('the buckets of a metric', () => {
  it('of the last 7 days are today and the six days before, and today is partial', () => {
    expect(shown(listBuckets('last_7d', 'day', now, none))).toEqual([
      '2026-03-05 03-05..03-05',
      '2026-03-06 03-06..03-06',
      '2026-03-07 03-07..03-07',
      '2026-03-08 03-08..03-08',
      '2026-03-09 03-09..03-09',
      '2026-03-10 03-10..03-10',
      '2026-03-11 03-11..03-11 partial',
    ]);
  });

  it('of weeks begin on Monday, even if the window begins later', () => {
    expect(shown(listBuckets('last_7d', 'week', now, none))).toEqual([
      '2026-03-02 03-05..03-08 partial',
      '2026-03-09 03-09..03-11 partial',
    ]);
  });

  it('of months begin on the first of the month', () => {
    expect(shown(listBuckets('last_90d', 'month', now, none))).toEqual([
      '2025-12-01 12-12..12-31 partial',
      '2026-01-01 01-01..01-31',
      '2026-02-01 02-01..02-28',
      '2026-03-01 03-01..03-11 partial',
    ]);
    expect(listBuckets('last_12mo', 'month', now, none)).toHaveLength(12);
    expect(shown(listBuckets('last_12mo', 'month', now, none))[0]).toBe('2025-04-01 04-01..04-30');
  });

  it('of all time begin with the first event, and are empty without one', () => {
    expect(listBuckets('all_time', 'day', now, none)).toEqual([]);
    expect(shown(listBuckets('all_time', 'day', now, since('2026-03-10T08:00:00.000Z')))).toEqual([
      '2026-03-10 03-10..03-10 partial',
      '2026-03-11 03-11..03-11 partial',
    ]);
  });

  it('of all time include simulated events in the future', () => {
    const history = { first: now, last: plusDays(now, 40) };
    expect(listBuckets('all_time', 'month', now, history).map((b) => toDay(b.timestamp))).toEqual([
      '2026-03-01',
      '2026-04-01',
    ]);
  });

  it('of any window have each day exactly once, oldest first, and only the ends are partial', () => {
    const moment = fc.integer({ min: 0, max: 20_000 * DAY_MS }).map(fromMillis);
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom(...WINDOWS),
        fc.constantFrom(...GRANULARITIES),
        (at, age, window, granularity) => {
          const history = since(plusDays(at, -age));
          const buckets = listBuckets(window, granularity, at, history);
          const days = buckets.flatMap(({ firstDay, lastDay }) => daysFrom(firstDay, lastDay));
          expect(days).toEqual(daysFrom(days[0]!, toDay(at)));
          expect(buckets.slice(1, -1).some(({ partial }) => partial)).toBe(false);
          for (const { timestamp, firstDay } of buckets) {
            expect(toDay(timestamp) <= firstDay).toBe(true);
            expect(timestamp.endsWith('T00:00:00.000Z')).toBe(true);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

const daysFrom = (first: string, last: string): string[] => {
  const days: string[] = [];
  const end = `${last}T00:00:00.000Z` as Instant;
  for (let at = `${first}T00:00:00.000Z` as Instant; at <= end;) {
    days.push(toDay(at));
    at = fromMillis(toMillis(at) + DAY_MS);
  }
  return days;
};
