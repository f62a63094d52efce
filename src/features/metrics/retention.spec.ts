import { listMonthsUpTo, computeRetention } from './retention';

describe('retention', () => {
  it('lists months over the turn of a year', () => {
    expect(listMonthsUpTo('2026-02', 4)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  });

  it('counts who still had a subscription at the end of each month', () => {
    const months = ['2026-01', '2026-02', '2026-03'];
    const groups = [
      { began: '2026-01', ended: null, subscribers: 5 },
      { began: '2026-01', ended: '2026-01', subscribers: 1 },
      { began: '2026-01', ended: '2026-03', subscribers: 2 },
      { began: '2026-03', ended: null, subscribers: 4 },
    ];
    expect(computeRetention(groups, months)).toEqual([
      { month: '2026-01', subscribers: 8, kept: [7, 7, 5] },
      { month: '2026-02', subscribers: 0, kept: [0, 0] },
      { month: '2026-03', subscribers: 4, kept: [4] },
    ]);
  });
});
