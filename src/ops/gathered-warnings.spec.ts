import { GatheredWarnings } from './gathered-warnings';
import { log } from './log';

describe('gathered warnings', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('write the first warning at once and equal ones about others as one line', () => {
    const warn = jest.spyOn(log, 'warn').mockImplementation(() => undefined);
    const warnings = new GatheredWarnings(10_000);
    for (let i = 0; i < 120; i += 1) warnings.warn('it waits', `dst_${i}`, { error: 'E' });
    expect(warn.mock.calls).toEqual([[{ subject: 'dst_0', error: 'E' }, 'it waits']]);
    jest.advanceTimersByTime(10_000);
    expect(warn).toHaveBeenCalledTimes(2);
    expect(warn.mock.calls[1]).toMatchObject([{ times: 119, more: 69, error: 'E' }, 'it waits']);
  });

  it('write the next warning at once after a quiet time', () => {
    const warn = jest.spyOn(log, 'warn').mockImplementation(() => undefined);
    const warnings = new GatheredWarnings(10_000);
    warnings.warn('it waits', 'dst_1');
    jest.advanceTimersByTime(10_000);
    warnings.warn('it waits', 'dst_2');
    expect(warn).toHaveBeenLastCalledWith({ subject: 'dst_2' }, 'it waits');
  });
});
