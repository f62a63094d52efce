import { Progress } from './progress';

type Counts = Parameters<Progress['format']>[0];

const formatLine = (progress: Progress, counts: Counts, nowMs: number): string => {
  const { bar, text } = progress.format(counts, nowMs);
  return `${bar} ${text}`;
};

describe('the progress bar', () => {
  it('shows the share, the rate and the time left', () => {
    const progress = new Progress();
    formatLine(progress, { done: 0, failed: 0, total: 4_000 }, 0);
    const line = formatLine(progress, { done: 1_000, failed: 2, total: 4_000 }, 10_000);
    expect(line).toMatch(/^█{8}░{22} 25 %/);
    expect(line).toContain('1,000 of 4,000');
    expect(line).toContain('2 failed');
    expect(line).toContain('100/s');
    expect(line).toContain('30 s left');
  });

  it('shows a slow rate with one digit', () => {
    const progress = new Progress();
    formatLine(progress, { done: 0, failed: 0, total: 3 }, 0);
    expect(formatLine(progress, { done: 1, failed: 0, total: 3 }, 3_000)).toContain('  0.3/s  ');
  });

  it('omits an unknown rate, and is full if there is nothing to do', () => {
    expect(formatLine(new Progress(), { done: 0, failed: 0, total: 0 }, 0)).toMatch(
      /^█{30} 100 % {2}0 of 0$/,
    );
    const progress = new Progress();
    formatLine(progress, { done: 0, failed: 0, total: 900_000 }, 0);
    expect(formatLine(progress, { done: 100, failed: 0, total: 900_100 }, 1_000)).toContain(
      '2 h 30 min left',
    );
  });
});
