import type { MetricSeries } from '@subscription-event-service/sdk';
import { findHeadline, formatChange, isEmpty } from '../src/pages/business/metric-summary';
import type { Compared, Point } from '../src/pages/business/metric-window';

const point = (value: number, sampleSize: number, partial = false): Point => ({
  timestamp: '2026-03-10T00:00:00.000Z',
  value,
  sample_size: sampleSize,
  partial,
  maturing: false,
});

const NO_MOVEMENTS = {
  new: 0,
  expansion: 0,
  contraction: 0,
  churn: 0,
  reactivation: 0,
  paused: 0,
  resumed: 0,
};

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

describe('a metric is empty', () => {
  const movement = (parts: Partial<NonNullable<Point['movements']>>, sampleSize = 5): Point => ({
    ...point(0, sampleSize),
    movements: { ...NO_MOVEMENTS, ...parts },
  });

  it('if no bucket of the window, and none before it, has a sample or a value', () => {
    expect(isEmpty(compare([point(0, 0)], [null, point(0, 0)]))).toBe(true);
    expect(isEmpty(compare([]))).toBe(true);
    expect(isEmpty(compare([point(3, 0)]))).toBe(false);
    expect(isEmpty(compare([point(0, 0)], [point(1, 1)]))).toBe(false);
  });

  it('not if zero was measured', () => {
    expect(isEmpty(compare([point(0, 12)]))).toBe(false);
  });

  it('if nothing moved; movements that cancel each other out count', () => {
    expect(isEmpty(compare([movement({})]))).toBe(true);
    expect(isEmpty(compare([movement({ new: 900, churn: -900 })]))).toBe(false);
  });
});

describe('the change of a metric', () => {
  it('is in per cent, and an amount if a value is below zero', () => {
    const unit = { unit: 'minor_units', currency: 'USD' } as const;
    expect(formatChange(1200, 1000, unit)).toBe('20.0 %');
    expect(formatChange(-100, 900, unit)).toBe('$10.00');
    expect(formatChange(900, -100, unit)).toBe('$10.00');
    expect(formatChange(900, 0, unit)).toBe('from 0');
    expect(formatChange(-0.01, 0.02, { unit: 'ratio', currency: null })).toBe('3.0 pts');
  });
});
