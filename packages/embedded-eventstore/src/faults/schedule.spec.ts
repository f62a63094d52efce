import { Faults, parseFault } from './faults';
import { parseSchedule } from './schedule';

describe('the schedule of a fault', () => {
  const strikesOf = (text: string, opportunities: number): readonly boolean[] => {
    const faults = new Faults(new Map([parseFault(`drop-group=${text}`)]), 7);
    return Array.from({ length: opportunities }, () => faults.strikes('drop-group'));
  };

  it('strikes at every Nth opportunity', () => {
    expect(strikesOf('2', 4)).toEqual([false, true, false, true]);
  });

  it('strikes at the next N opportunities and never again', () => {
    expect(strikesOf('next:2', 4)).toEqual([true, true, false, false]);
  });

  it('strikes at a percentage of opportunities, the same ones for the same seed', () => {
    const first = strikesOf('30%', 1_000);
    expect(first).toEqual(strikesOf('30%', 1_000));
    const struck = first.filter(Boolean).length;
    expect(struck).toBeGreaterThan(250);
    expect(struck).toBeLessThan(350);
  });

  it('strikes for a period after it was set', () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const faults = new Faults();
    faults.inject('not-ready', { forMs: 4_000 });
    jest.advanceTimersByTime(3_999);
    expect(faults.strikes('not-ready')).toBe(true);
    jest.advanceTimersByTime(1);
    expect(faults.strikes('not-ready')).toBe(false);
    jest.useRealTimers();
  });

  it('is counted until all faults are ended', () => {
    const faults = new Faults();
    faults.inject('double-answer', { every: 2 });
    for (let i = 0; i < 5; i += 1) faults.strikes('double-answer');
    expect([faults.clear(), faults.clear()]).toEqual([2, 0]);
  });

  it.each(['', '0', '-1', '1.5', 'next:', 'next:2%', '101%', 'next:4s', '3x'])(
    'is refused when it is written as "%s"',
    (text) => {
      expect(parseSchedule(text)).toBeUndefined();
    },
  );

  it('is refused for an unknown fault, and for a silence without a duration', () => {
    expect(() => parseFault('fire=1')).toThrow('drop-connection');
    expect(() => parseFault('silence=3')).toThrow('silence needs a duration');
  });
});
