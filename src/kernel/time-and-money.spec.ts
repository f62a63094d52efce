import fc from 'fast-check';
import { multiplyDivide } from './money';
import { readAnchorDay, computePeriodEnd } from './period';
import { countDaysInMonth, type Instant, parseInstant, plusDays } from './time';

const at = (text: string): Instant => text as Instant;

describe('period ends', () => {
  it('keep the anchor day and clamp to the month’s end', () => {
    const month = { unit: 'month', count: 1 } as const;
    const jan31 = at('2026-01-31T10:00:00.000Z');
    const feb = computePeriodEnd(jan31, month, 31);
    expect(feb).toBe('2026-02-28T10:00:00.000Z');
    expect(computePeriodEnd(feb, month, 31)).toBe('2026-03-31T10:00:00.000Z');
  });

  it.each([
    ['day', 10, '2026-01-25T00:00:00.000Z'],
    ['week', 2, '2026-01-29T00:00:00.000Z'],
    ['month', 3, '2026-04-15T00:00:00.000Z'],
    ['year', 1, '2027-01-15T00:00:00.000Z'],
  ] as const)('of %s × %i', (unit, count, end) => {
    expect(computePeriodEnd(at('2026-01-15T00:00:00.000Z'), { unit, count }, 15)).toBe(end);
  });

  it('of a leap day return to it four years later', () => {
    const year = { unit: 'year', count: 1 } as const;
    let end = at('2024-02-29T00:00:00.000Z');
    for (let i = 0; i < 4; i += 1) end = computePeriodEnd(end, year, 29);
    expect(end).toBe('2028-02-29T00:00:00.000Z');
  });

  it('always lie after the start', () => {
    const moment = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    const unit = fc.constantFrom('day', 'week', 'month', 'year');
    fc.assert(
      fc.property(moment, unit, fc.integer({ min: 1, max: 24 }), (date, of, count) => {
        const start = at(date.toISOString());
        expect(computePeriodEnd(start, { unit: of, count }, readAnchorDay(start)) > start).toBe(
          true,
        );
      }),
    );
  });
});

describe('instants', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123Z'],
    ['2024-02-29T00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2026-01-01t00:00:00.5z', '2026-01-01T00:00:00.500Z'],
    ['2026-01-01T00:00:00.1234567890123Z', '2026-01-01T00:00:00.123Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60.25Z', '2017-01-01T00:00:00.250Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-01-01T00:00:00+15:59', '2025-12-31T08:01:00.000Z'],
  ])('%s is parsed', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    '',
    'now',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '1767225600',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00+24:00',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-01-01T00:00:00+16:00',
    '2026-01-01T00:00:00-23:59',
  ])('%j names no instant', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});

describe('an instant after the year 9999', () => {
  it('becomes the last instant of that year', () => {
    const last = '9999-12-31T23:59:59.999Z' as Instant;
    expect(plusDays(last, 1)).toBe(last);
    expect(computePeriodEnd(last, { unit: 'year', count: 365 }, 31)).toBe(last);
  });
});

describe('a·b/c', () => {
  it.each([
    [1, 1, 2, 1],
    [-1, 1, 2, -1],
    [1000, 15, 30, 500],
    [1, 1, 3, 0],
    [2, 1, 3, 1],
    [-2, 1, 3, -1],
  ])('%i · %i / %i = %i, half away from zero', (a, b, c, result) => {
    expect(multiplyDivide(a, b, c)).toBe(result);
  });

  const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  const part = fc.integer({ min: 0, max: 40_000_000 });
  const whole = fc.integer({ min: 1, max: 40_000_000 });

  it('differs from the exact value by at most one half, and changes its sign with `a`', () => {
    fc.assert(
      fc.property(amount, part, whole, (a, b, c) => {
        fc.pre((Math.abs(a) * b) / c < 2 ** 52);
        const result = BigInt(multiplyDivide(a, b, c));
        const error = 2n * (result * BigInt(c) - BigInt(a) * BigInt(b));
        expect(error <= BigInt(c) && error >= -BigInt(c)).toBe(true);
        expect(multiplyDivide(-a, b, c) + multiplyDivide(a, b, c)).toBe(0);
      }),
    );
  });

  it('refuses a result that a number cannot hold exactly', () => {
    expect(() => multiplyDivide(-272_429_751, 34_367_799, 1)).toThrow(RangeError);
  });
});

describe('the days of a month', () => {
  it.each([
    [0, 1, 29],
    [1, 1, 28],
    [4, 1, 29],
    [100, 1, 28],
    [1900, 1, 28],
    [2000, 1, 29],
    [2026, 11, 31],
    [9999, 3, 30],
  ])('in the year %i, month %i, are %i', (year, month, days) => {
    expect(countDaysInMonth(year, month)).toBe(days);
  });
});
