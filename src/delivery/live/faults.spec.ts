import { Faults } from './faults';

describe('faults before anything is sent', () => {
  const nowMs = 1_000;

  it('make all deliveries pause when many different events cannot be prepared', () => {
    const faults = new Faults();
    for (let i = 0; i < 9; i += 1) faults.failed(`evt_${i}`, nowMs, false, 0);
    expect(faults.waitMs(nowMs)).toBe(0);
    faults.failed('evt_9', nowMs, false, 0);
    expect(faults.waitMs(nowMs)).toBe(5_000);
    expect(faults.waitMs(nowMs + 5_000)).toBe(0);
    faults.failed('evt_9', nowMs + 5_000, false, 0);
    expect(faults.waitMs(nowMs + 5_000)).toBe(5_000);
    faults.prepared();
    expect(faults.waitMs(nowMs + 5_000)).toBe(0);
  });

  it('of one event hold up no other', () => {
    const faults = new Faults();
    for (let i = 0; i < 100; i += 1) faults.failed('evt_1', nowMs + i, false, 0);
    expect(faults.waitMs(nowMs)).toBe(0);
  });

  it('of a probe make the next one wait', () => {
    const faults = new Faults();
    faults.failed('evt_1', nowMs, true, 0);
    expect(faults.waitMs(nowMs)).toBe(5_000);
  });
});
