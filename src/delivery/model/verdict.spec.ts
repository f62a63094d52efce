import { judgeAttempt } from './verdict';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const SCHEDULED_MS = 30_000;

/** Returns the milliseconds until the next attempt after a response with this header. */
const waitedFor = (retryAfter: string, statusCode = 429): number => {
  const result = { statusCode, error: null, retryAfter, body: '', durationMs: 1 };
  const schedule = [0, SCHEDULED_MS / 1000];
  const verdict = judgeAttempt(result, { attempts: 1, schedule, nowMs: NOW, chance: 0.5 });
  if (verdict.kind !== 'retry') throw new Error(verdict.kind);
  return verdict.afterMs;
};

describe('Retry-After', () => {
  it.each([
    ['3600', 3_600_000],
    ['Tue, 10 Mar 2026 13:00:00 GMT', 3_600_000],
    ['Tuesday, 10-Mar-26 13:00:00 GMT', 3_600_000],
    ['Tue Mar 10 13:00:00 2026', 3_600_000],
    ['90000000', 86_400_000],
    ['Tue, 10 Mar 2099 13:00:00 GMT', 86_400_000],
  ])('%s delays the next attempt, by a day at most', (header, ms) => {
    expect(waitedFor(header)).toBe(ms);
    expect(waitedFor(header, 503)).toBe(ms);
    expect(waitedFor(header, 500)).toBe(SCHEDULED_MS);
  });

  it.each([
    '5',
    '0',
    'Tue, 10 Mar 2020 13:00:00 GMT',
    '+3600',
    '-50',
    'try 2030',
    'in 2030',
    '1e3',
    '',
  ])('%s does not change the schedule', (header) => {
    expect(waitedFor(header)).toBe(SCHEDULED_MS);
  });
});
