import { DAY_MS, HOUR_MS, type Instant, plusMs, toMillis } from '../../kernel/time';
import { Breaker } from './breaker';
import type { Destinations } from '../model/destination';
import { decideAction } from './health';
import { Outage } from './outage';

const start = '2026-03-10T12:00:00.000Z' as Instant;
const startMs = Date.parse(start);

describe('the breaker', () => {
  const openedAt = (nowMs: number): Breaker => {
    const breaker = new Breaker();
    for (let i = 0; i < 10; i += 1) breaker.recordFailure(`evt_${i}`, nowMs);
    return breaker;
  };

  it('opens when ten different events have failed with no success between', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 9; i += 1) breaker.recordFailure(`evt_${i}`, startMs);
    expect(breaker.isOpen).toBe(false);
    breaker.recordSuccess();
    for (let i = 0; i < 9; i += 1) breaker.recordFailure(`evt_${i}`, startMs);
    expect(breaker.isOpen).toBe(false);
    breaker.recordFailure('evt_9', startMs);
    expect(breaker.isOpen).toBe(true);
  });

  it('stays closed when one event fails again and again', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 100; i += 1) breaker.recordFailure('evt_1', startMs);
    expect(breaker.isOpen).toBe(false);
  });

  it('probes after 5, 10, 20, 40, then every 60 s', () => {
    const breaker = openedAt(startMs);
    const pauses: number[] = [];
    let nowMs = startMs;
    for (let i = 0; i < 7; i += 1) {
      const probeAtMs = breaker.probeAtMs ?? NaN;
      pauses.push((probeAtMs - nowMs) / 1000);
      nowMs = probeAtMs;
      breaker.recordFailure('evt_0', nowMs);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60, 60]);
    expect(breaker.recordSuccess()).toBe(true);
    expect(breaker.isOpen).toBe(false);
    expect(breaker.recordSuccess()).toBe(false);
  });

  it('is open after a restart if the last attempts of ten events failed, and probes at once', () => {
    const breaker = new Breaker();
    const failed = Array.from({ length: 10 }, (_, i) => `evt_${i}`);
    breaker.recover(failed.slice(1), startMs, 0.5);
    expect(breaker.isOpen).toBe(false);
    breaker.recover(failed, startMs, 0.5);
    expect(breaker.probeAtMs).toBe(startMs + 2_500);
    breaker.recordFailure('evt_0', startMs + 2_500);
    expect(breaker.probeAtMs).toBe(startMs + 12_500);
    expect(breaker.recordSuccess()).toBe(true);
  });

  it('does not count attempts that were in flight when it opened as probes', () => {
    const breaker = openedAt(startMs);
    for (let i = 0; i < 40; i += 1) breaker.recordFailure(`evt_x${i}`, startMs + 100);
    expect(breaker.probeAtMs).toBe(startMs + 5_000);
  });
});

describe('the action after a failed attempt', () => {
  it.each([
    [0, null],
    [24 * HOUR_MS - 1, null],
    [24 * HOUR_MS, { kind: 'warn', hours: 24 }],
    [72 * HOUR_MS - 1, { kind: 'warn', hours: 24 }],
    [72 * HOUR_MS, { kind: 'warn', hours: 72 }],
    [5 * DAY_MS - 1, { kind: 'warn', hours: 72 }],
    [5 * DAY_MS, { kind: 'disable' }],
  ])('is, %d ms after the first failure: %o', (forMs, signal) => {
    expect(decideAction(start, plusMs(start, forMs))).toEqual(signal);
  });
});

describe('an outage', () => {
  const stated: unknown[][] = [];
  const destinations = {
    storeWarning: (...args: unknown[]) => Promise.resolve(void stated.push(['warn', ...args])),
    disable: (...args: unknown[]) => Promise.resolve(void stated.push(['disable', ...args])),
  } as unknown as Destinations;

  const failAt = (outage: Outage, hours: number): void => {
    const at = plusMs(start, hours * HOUR_MS);
    outage.recordFailure('evt_1', toMillis(at), { at, status_code: 503, error: null });
  };

  beforeEach(() => {
    stated.length = 0;
  });

  it('warns at 24 and 72 hours, once each, and disables after 5 days', () => {
    const outage = new Outage('dest_1', destinations);
    const facts = { since: start, lastStatus: 503, lastError: null };
    for (let hours = 0; hours <= 120; hours += 1) failAt(outage, hours);
    expect(stated).toEqual([
      ['warn', 'dest_1', 24, facts],
      ['warn', 'dest_1', 72, facts],
      ['disable', 'dest_1', 'failing', facts],
    ]);
  });

  it('warns without attempts but is disabled only by a failed attempt', () => {
    const outage = new Outage('dest_1', destinations);
    failAt(outage, 0);
    for (let hours = 1; hours <= 200; hours += 1) outage.warnIfDue(plusMs(start, hours * HOUR_MS));
    const facts = { since: start, lastStatus: 503, lastError: null };
    expect(stated).toEqual([
      ['warn', 'dest_1', 24, facts],
      ['warn', 'dest_1', 72, facts],
    ]);
    outage.recordSuccess();
    outage.warnIfDue(plusMs(start, 300 * HOUR_MS));
    expect(stated).toHaveLength(2);
  });

  it('counts from zero after a success', () => {
    const outage = new Outage('dest_1', destinations);
    for (let hours = 0; hours < 24; hours += 1) failAt(outage, hours);
    outage.recordSuccess();
    for (let hours = 24; hours < 48; hours += 1) failAt(outage, hours);
    expect(stated).toEqual([]);
  });

  it('continues the count of an earlier process', () => {
    const outage = new Outage('dest_1', destinations);
    const failure = { since: start, lastStatus: null, lastError: 'timeout' };
    outage.recover({ failure, failing: [] }, startMs);
    outage.warnIfDue(plusMs(start, 25 * HOUR_MS));
    failAt(outage, 121);
    expect(stated).toEqual([
      ['warn', 'dest_1', 24, { since: start, lastStatus: null, lastError: 'timeout' }],
      ['disable', 'dest_1', 'failing', { since: start, lastStatus: 503, lastError: null }],
    ]);
  });
});
