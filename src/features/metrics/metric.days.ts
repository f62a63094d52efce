import type { Table } from '../../projections/rows';
import type { Session } from '../../read-models/database';
import { addHistograms, type Histogram } from './histogram';
import type { Count } from './tally';

export const daysTable: Table = {
  name: 'metric_days',
  key: ['scope', 'series', 'day', 'currency', 'part'],
};

/** One row a day however many durations there were: a window of years is read as fast as it is sent. */
export const histogramsTable: Table = {
  name: 'metric_histograms',
  key: ['scope', 'series', 'day', 'part'],
};

interface DayRow extends Omit<Count, 'histogram'> {
  readonly scope: string;
  value: number;
}

interface HistogramKey {
  readonly scope: string;
  readonly series: string;
  readonly day: string;
  readonly part: string;
}

type HistogramRow = HistogramKey & { readonly bins: Histogram };

/** What a batch adds to days: many counts, few rows. */
export class DayTotals {
  private readonly sums = new Map<string, DayRow>();
  private readonly durations = new Map<string, HistogramKey & { readonly bins: Histogram[] }>();

  add(scope: string, { series, day, currency, part, value, histogram }: Count): void {
    const key = keyOf({ scope, series, day, part });
    if (histogram !== undefined) {
      const known = this.durations.get(key);
      if (known === undefined)
        this.durations.set(key, { scope, series, day, part, bins: [histogram] });
      else known.bins.push(histogram);
      return;
    }
    const known = this.sums.get(key + currency);
    if (known === undefined)
      this.sums.set(key + currency, { scope, series, day, currency, part, value });
    else known.value += value;
  }

  async write(session: Session): Promise<void> {
    if (this.sums.size > 0) await session.query(addDays([...this.sums.values()]));
    if (this.durations.size === 0) return;
    // What is there is read first, in the projector's transaction.
    for (const row of await session.query<HistogramRow>(
      readHistograms([...this.durations.values()]),
    ))
      this.durations.get(keyOf(row))?.bins.push(row.bins);
    const rows = [...this.durations.values()].map((row) => ({
      ...row,
      bins: addHistograms(row.bins),
    }));
    await session.query(saveHistograms(rows));
  }
}

const keyOf = ({ scope, series, day, part }: HistogramKey): string =>
  `${scope} ${series} ${day} ${part} `;

const addDays = (rows: readonly DayRow[]) => ({
  name: 'add to metric days',
  text: `insert into metric_days (scope, series, day, currency, part, value)
    select scope, series, day, currency, part, value
      from json_populate_recordset(null::metric_days, $1)
    on conflict (scope, series, day, currency, part)
      do update set value = metric_days.value + excluded.value`,
  values: [JSON.stringify(rows)],
});

const readHistograms = (keys: readonly HistogramKey[]) => ({
  name: 'metric histograms',
  text: `select h.scope, h.series, to_char(h.day, 'YYYY-MM-DD') as day, h.part, h.bins
    from json_populate_recordset(null::metric_histograms, $1) wanted
    join metric_histograms h using (scope, series, day, part)`,
  values: [
    JSON.stringify(keys.map(({ scope, series, day, part }) => ({ scope, series, day, part }))),
  ],
});

const saveHistograms = (rows: readonly HistogramRow[]) => ({
  name: 'save metric histograms',
  text: `insert into metric_histograms (scope, series, day, part, bins)
    select scope, series, day, part, bins
      from json_populate_recordset(null::metric_histograms, $1)
    on conflict (scope, series, day, part) do update set bins = excluded.bins`,
  values: [JSON.stringify(rows)],
});
