import { formatProgress } from '../src/pages/operator/rebuild-progress';

describe('the progress of a rebuild', () => {
  const format = (status: string, position: string, target: string): string =>
    formatProgress({ status, position, target_position: target });

  it('is not shown before the rebuild has read its first event', () => {
    expect(format('queued', '-1', '-1')).toBe('–');
    expect(format('in_progress', '-1', '90417')).toBe('–');
  });

  it('is the share of the log that was read, at most all of it', () => {
    expect(format('in_progress', '45208', '90417')).toBe('49 %');
    expect(format('in_progress', '90500', '90417')).toBe('100 %');
    expect(format('completed', '-1', '-1')).toBe('100 %');
  });
});
