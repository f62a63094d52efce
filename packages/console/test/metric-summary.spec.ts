import type { MetricSeries } from '@subscription-event-service/sdk';
import { findHeadline } from '../src/pages/business/metric-summary';
import type { Compared, Point } from '../src/pages/business/metric-window';

const point = (value: number, sampleSize: number, partial = false): Point => ({
  timestamp: '2026-03-10T00:00:00.000Z',
  value,
  sample_size: sampleSize,
  partial,
  maturing: false,
});

const compare = (points: readonly Point[], previous: readonly (Point | null)[] = []): Compared => ({
  series: { points } as unknown as MetricSeries,
  previous,
});

describe('the number of a metric for a window', () => {
  it('is the end of a level and the sum of a flow', () => {
    const compared = compare([point(10, 1), point(14, 1)], [point(7, 1), point(8, 1)]);
    expect(findHeadline(compared, 'level')).toEqual({ value: 14, before: 8, bucket: null });
    expect(findHeadline(compared, 'total')).toEqual({ value: 24, before: 15, bucket: null });
  });

  it('weighs shares by their samples', () => {
    const compared = compare([point(0.5, 10), point(1, 30)]);
    expect(findHeadline(compared, 'share').value).toBe(0.875);
  });

  it('relates losses to the start of the window', () => {
    const compared = compare([point(0.1, 100), point(0.1, 90)]);
    expect(findHeadline(compared, 'loss').value).toBeCloseTo(0.19);
  });

  it('is the newest bucket that has ended and has a sample', () => {
    const last = point(5, 2);
    const compared = compare([point(4, 2), last, point(9, 0), point(8, 1, true)]);
    expect(findHeadline(compared, 'latest')).toEqual({ value: 5, before: null, bucket: last });
  });

  it('is missing, and not zero, if there is no sample', () => {
    for (const summary of ['level', 'total', 'share', 'loss', 'latest'] as const)
      expect(findHeadline(compare([]), summary).value).toBeNull();
    expect(findHeadline(compare([point(0, 0)], [null]), 'share')).toEqual({
      value: null,
      before: null,
      bucket: null,
    });
  });
});
