import {
  formatClock,
  formatDuration,
  formatPoints,
  formatRelative,
  formatShare,
  formatTime,
  formatUtc,
} from '../src/ui/format';

describe('formats for people', () => {
  it('give a duration its unit', () => {
    expect(formatDuration(340.4)).toBe('340 ms');
    expect(formatDuration(1_250)).toBe('1.3 s');
    expect(formatDuration(75_000)).toBe('1 min 15 s');
    expect(formatDuration(180_000)).toBe('3 min');
    expect(formatDuration(1_815_000)).toBe('30 min');
    expect(formatDuration(5_400_000)).toBe('1.5 h');
  });

  it('give a share in per cent, and a difference of two in points', () => {
    expect([0, 1, 0.125].map(formatShare)).toEqual(['0 %', '100 %', '12.5 %']);
    expect([0.025, -0.025, 0].map(formatPoints)).toEqual(['+2.5 pts', '-2.5 pts', '0.0 pts']);
  });

  it('give a time in UTC with milliseconds', () => {
    expect(formatUtc('2026-03-10T13:00:00.250+01:00')).toBe('2026-03-10 12:00:00.250 UTC');
  });

  it('give a local time its zone', () => {
    const at = '2026-03-10T12:00:00Z';
    const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts(
      new Date(at),
    );
    const zone = parts.find(({ type }) => type === 'timeZoneName')?.value;
    expect(formatTime(at)).toContain(` ${String(zone)}`);
    expect(formatClock(at)).toContain(` ${String(zone)}`);
  });

  it('give a near time relative to now, and a far one as a date', () => {
    const now = Date.parse('2026-03-10T12:00:00Z');
    expect(formatRelative('2026-03-10T11:57:00Z', now)).toMatch(/3 min.* ago/);
    expect(formatRelative('2026-03-12T12:00:00Z', now)).toBe('in 2 days');
    expect(formatRelative('2027-03-10T12:00:00Z', now)).toMatch(/2027/);
  });
});
