import type { Instant } from '../../kernel/time';
import { formatRetentionCsv, formatSeriesCsv } from './metric.csv';

const point = {
  timestamp: '2026-03-01T00:00:00.000Z' as Instant,
  value: 1200,
  partial: true,
  sample_size: 3,
  maturing: true,
  movements: {
    new: 1500,
    expansion: 0,
    contraction: 0,
    churn: -300,
    reactivation: 0,
    paused: 0,
    resumed: 0,
  },
};

describe('the CSV of a metric', () => {
  it('has four columns', () => {
    expect(formatSeriesCsv({ metric: 'mrr_movements', points: [point] })).toBe(
      'timestamp,value,partial,sample_size\n2026-03-01T00:00:00.000Z,1200,true,3\n',
    );
  });

  it('has the other fields of the JSON response after those, if all columns are asked for', () => {
    expect(formatSeriesCsv({ metric: 'mrr', points: [point] }, 'all')).toBe(
      'timestamp,value,partial,sample_size,maturing\n2026-03-01T00:00:00.000Z,1200,true,3,true\n',
    );
    expect(formatSeriesCsv({ metric: 'mrr_movements', points: [point] }, 'all')).toBe(
      'timestamp,value,partial,sample_size,maturing,new,expansion,contraction,churn,reactivation,paused,resumed\n' +
        '2026-03-01T00:00:00.000Z,1200,true,3,true,1500,0,0,-300,0,0,0\n',
    );
  });

  it('of the retention has a column for each month and leaves later months empty', () => {
    const data = [
      { month: '2026-01', subscribers: 4, kept: [4, 3] },
      { month: '2026-02', subscribers: 2, kept: [2] },
    ];
    expect(formatRetentionCsv({ data })).toBe(
      'month,subscribers,kept_0,kept_1\n2026-01,4,4,3\n2026-02,2,2,\n',
    );
    expect(formatRetentionCsv({ data: [] })).toBe('month,subscribers\n');
  });
});
