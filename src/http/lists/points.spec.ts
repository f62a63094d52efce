import { eachBucket } from '../../domain/metrics/buckets';
import type { Instant } from '../../kernel/time';
import { gatherPoints } from './points';

const now = '2026-03-10T12:00:00.000Z' as Instant;
const historySince = (first: string) => ({ first: first as Instant, last: null });

describe('the points of a series', () => {
  it('are complete for a history of decades', async () => {
    const history = historySince('1955-11-05T06:15:00.000Z');
    const buckets = await gatherPoints(eachBucket('all_time', 'day', now, history));
    expect(buckets).toHaveLength(25_694);
    expect(buckets[0]).toMatchObject({ timestamp: '1955-11-05T00:00:00.000Z' });
    expect(buckets.at(-1)).toMatchObject({ timestamp: '2026-03-10T00:00:00.000Z' });
  });

  it('are refused if a history has more of them than one response may hold', async () => {
    const history = historySince('0001-01-01T00:00:00.000Z');
    await expect(gatherPoints(eachBucket('all_time', 'day', now, history))).rejects.toMatchObject({
      code: 'metric_too_large',
    });
    const months = await gatherPoints(eachBucket('all_time', 'month', now, history));
    expect(months).toHaveLength(24_303);
  });

  it('are collected without blocking the event loop', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await gatherPoints(
      eachBucket('all_time', 'day', now, historySince('2000-01-01T00:00:00.000Z')),
    );
    isDone = true;
    expect(turns).toBeGreaterThan(5);
  });
});
