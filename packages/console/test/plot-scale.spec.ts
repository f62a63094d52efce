import fc from 'fast-check';
import {
  chooseLabels,
  computeTicks,
  drawMarks,
  drawPath,
  findLonelyDots,
} from '../src/ui/plot-scale';

describe('the axis of a plot', () => {
  it('has round values', () => {
    expect(computeTicks(0, 900)).toEqual([0, 250, 500, 750, 1000]);
    expect(computeTicks(-40, 100)).toEqual([-50, 0, 50, 100]);
    expect(computeTicks(0, 0.3)).toEqual([0, 0.1, 0.2, 0.3]);
  });

  it('has no fractions for counts', () => {
    expect(computeTicks(0, 2, 1)).toEqual([0, 1, 2]);
    expect(computeTicks(0, 0.2, 1)).toEqual([0, 1]);
    expect(computeTicks(0, 10, 1)).toEqual([0, 5, 10]);
    expect(computeTicks(0, 90, 1)).toEqual([0, 25, 50, 75, 100]);
  });

  it('has one value if all values are equal', () => {
    expect(computeTicks(7, 7)).toEqual([7]);
  });

  it('covers all values with three to seven steps that rise', () => {
    const bound = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(bound, bound, fc.constantFrom(0, 1), (a, b, leastStep) => {
        fc.pre(Math.abs(a - b) > 3 * leastStep);
        const ticks = computeTicks(Math.min(a, b), Math.max(a, b), leastStep);
        if (leastStep === 1) expect(ticks.filter((each) => !Number.isInteger(each))).toEqual([]);
        expect(ticks.at(0)).toBeLessThanOrEqual(Math.min(a, b));
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(a, b));
        expect(ticks.length).toBeGreaterThanOrEqual(3);
        expect(ticks.length).toBeLessThanOrEqual(7);
        expect([...ticks].sort((x, y) => x - y)).toEqual(ticks);
      }),
    );
  });
});

describe('the labels of the time axis', () => {
  it('are counted from the newest, each with its room', () => {
    expect(chooseLabels(7, 700, 84)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(chooseLabels(7, 300, 84)).toEqual([0, 2, 4, 6]);
    expect(chooseLabels(30, 300, 84)).toEqual([2, 11, 20, 29]);
    expect(chooseLabels(0, 300, 84)).toEqual([]);
  });
});

describe('the line of a plot', () => {
  it('is interrupted where a value is missing', () => {
    expect(drawPath([[0, 1], [1, 2], null, [3, 4], [4, 5]])).toBe(
      'M0.0,1.0L1.0,2.0M3.0,4.0L4.0,5.0',
    );
  });

  it('can be a level stroke through each value', () => {
    expect(drawMarks([[5, 1], null, [9, 3]], 4)).toBe('M3.0,1.0h4M7.0,3.0h4');
  });

  it('shows a value without neighbours as a dot', () => {
    expect(findLonelyDots([[1, 1], null, [2, 3], null, [4, 5], [5, 6]])).toBe(
      'M1.0,1.0h0.01M2.0,3.0h0.01',
    );
  });
});
