import { createMetricCsv } from '../src/pages/business/metric-csv';
import type { Compared, Point } from '../src/pages/business/metric-window';

const point: Point = {
  timestamp: '2026-03-01T00:00:00.000Z',
  value: 1_200,
  partial: true,
  sample_size: 3,
  maturing: false,
};

const compare = (
  series: Pick<Compared['series'], 'unit' | 'currency' | 'points'>,
  previous: Compared['previous'] = [],
): Compared => ({
  previous,
  series: {
    ...{ metric: 'some', window: 'last_7d', from: null, to: null, timezone: 'UTC' },
    ...{ plan: null, cohort_id: null, granularity: 'day', measure: null },
    computed_at: '2026-03-01T12:00:00.000Z',
    ...series,
  },
});

describe('the CSV of a metric', () => {
  it('has amounts in units of their currency, with the currency', () => {
    const before = { ...point, value: 5 };
    expect(
      createMetricCsv(compare({ unit: 'minor_units', currency: 'USD', points: [point] }, [before])),
    ).toBe(
      '"timestamp","value","partial","maturing","sample_size","value_before","currency"\r\n' +
        '"2026-03-01T00:00:00.000Z","12.00","true","false","3","0.05","USD"\r\n',
    );
    expect(
      createMetricCsv(compare({ unit: 'minor_units', currency: 'JPY', points: [point] })),
    ).toContain('"1200","true"');
  });

  it('has a column for each kind of movement', () => {
    const movements = {
      ...{ new: 1_500, expansion: 0, contraction: 0, churn: -300 },
      ...{ reactivation: 0, paused: 0, resumed: 0 },
    };
    const points = [{ ...point, movements }];
    expect(createMetricCsv(compare({ unit: 'minor_units', currency: 'USD', points }))).toBe(
      '"timestamp","value","partial","maturing","sample_size","value_before","new","expansion","reactivation","resumed","churn","contraction","paused","currency"\r\n' +
        '"2026-03-01T00:00:00.000Z","12.00","true","false","3","","15.00","0.00","0.00","0.00","-3.00","0.00","0.00","USD"\r\n',
    );
  });

  it('leaves a share of nothing empty', () => {
    const points = [{ ...point, value: 0, sample_size: 0 }];
    expect(createMetricCsv(compare({ unit: 'ratio', currency: null, points }))).toContain(
      '"2026-03-01T00:00:00.000Z","","true","false","0","",""',
    );
  });
});
