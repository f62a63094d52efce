import { PreparationFailures } from './preparation-failures';

describe('failures to prepare deliveries', () => {
  const nowMs = 1_000;

  it('pause all deliveries when ten different events cannot be prepared', () => {
    const faults = new PreparationFailures();
    for (let i = 0; i < 9; i += 1) faults.recordFailure(`evt_${i}`, nowMs, false, 0);
    expect(faults.waitMs(nowMs)).toBe(0);
    faults.recordFailure('evt_9', nowMs, false, 0);
    expect(faults.waitMs(nowMs)).toBe(5_000);
    expect(faults.waitMs(nowMs + 5_000)).toBe(0);
    faults.recordFailure('evt_9', nowMs + 5_000, false, 0);
    expect(faults.waitMs(nowMs + 5_000)).toBe(5_000);
    faults.recordSuccess();
    expect(faults.waitMs(nowMs + 5_000)).toBe(0);
  });

  it('of one event do not delay the others', () => {
    const faults = new PreparationFailures();
    for (let i = 0; i < 100; i += 1) faults.recordFailure('evt_1', nowMs + i, false, 0);
    expect(faults.waitMs(nowMs)).toBe(0);
  });

  it('of a probe delay the next probe', () => {
    const faults = new PreparationFailures();
    faults.recordFailure('evt_1', nowMs, true, 0);
    expect(faults.waitMs(nowMs)).toBe(5_000);
  });
});
