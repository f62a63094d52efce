import { noon } from '../../../test/support/given';
import { plusMs } from '../../kernel/time';
import { estimateCompletion } from './estimate';

describe('the estimated end of a replay', () => {
  const work = { pending: 100, waitSeconds: 0, ratePerSecond: 10, retrySchedule: [0, 20, 300] };
  const now = plusMs(noon, 60_000);

  it('follows the rate while events are sent, and before the start', () => {
    const end = plusMs(now, 10_000);
    expect(estimateCompletion({ ...work, now, progressedAt: plusMs(now, -3_000) })).toBe(end);
    expect(estimateCompletion({ ...work, now, progressedAt: null })).toBe(end);
  });

  it('is the time of the last attempts while every event waits for its retry', () => {
    expect(estimateCompletion({ ...work, now, progressedAt: noon })).toBe(plusMs(noon, 320_000));
  });

  it('is never in the past', () => {
    const late = plusMs(noon, 3_600_000);
    expect(estimateCompletion({ ...work, now: late, progressedAt: noon }) > late).toBe(true);
  });
});
