import fc from 'fast-check';
import {
  addHistograms,
  findBin,
  type Histogram,
  createHistogram,
  computePercentile,
  computeTotal,
} from './histogram';

const seconds = fc.array(fc.double({ min: 0, max: 60 * 86_400, noNaN: true }), { maxLength: 60 });
const createHistogramOfAll = (all: readonly number[]): Histogram =>
  addHistograms(all.map((each) => createHistogram(findBin(each))));

describe('histograms', () => {
  it('add up to the same histogram in any order and grouping', () => {
    fc.assert(
      fc.property(seconds, seconds, (a, b) => {
        const together = createHistogramOfAll([...b, ...a]);
        expect(addHistograms([createHistogramOfAll(a), [], createHistogramOfAll(b)])).toEqual(
          together,
        );
        expect(computeTotal(together)).toBe(a.length + b.length);
      }),
    );
  });

  it('give a percentile exact to 2.5 % and half a millisecond', () => {
    fc.assert(
      fc.property(seconds, fc.constantFrom(0.5, 0.95), (all, share) => {
        fc.pre(all.length > 0);
        const sorted = [...all].sort((a, b) => a - b);
        const exact = sorted[Math.ceil(share * all.length) - 1] ?? 0;
        const percentile = computePercentile(createHistogramOfAll(all), share);
        expect(Math.abs(percentile - exact)).toBeLessThanOrEqual(0.026 * exact + 0.001);
      }),
    );
  });

  it('have the percentile 0 and the total 0 when they are empty', () => {
    expect(computePercentile([], 0.5)).toBe(0);
    expect(computeTotal([])).toBe(0);
  });
});
