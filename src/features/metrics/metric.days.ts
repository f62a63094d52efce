import type { Table } from '../../projections/rows';
import type { ChangeStatement } from '../../read-models/statement-batch';
import { addHistograms, type Histogram } from './histogram';
import type { Count } from './daily-count';

export const daysTable: Table = {
  name: 'metric_days',
  key: ['scope', 'series', 'day', 'currency', 'part'],
};

/** Each row has all durations of a day, so a window of years is read in a few hundred rows. */
export const histogramsTable: Table = {
  name: 'metric_histograms',
  key: ['scope', 'series', 'day', 'part'],
};

/**
 * The stream from which counts come. SQL compares it with the stored tally, so that it adds no
 * event twice.
 */
export interface CountedStream {
  readonly owner: string;
  /** Sequence of the first event of the stream in the batch. */
  readonly first: number;
}

interface DayRow extends Partial<CountedStream>, Omit<Count, 'histogram'> {
  readonly scope: string;
  value: number;
}

interface HistogramRow extends Partial<CountedStream>, Pick<Count, 'series' | 'day' | 'part'> {
  readonly scope: string;
  bins: Histogram;
}

/** Adds up the counts of a batch by day, so that few rows are written. */
export class DayTotals {
  private readonly sums = new Map<string, DayRow>();
  private readonly durations = new Map<string, HistogramRow>();

  /** `stream` is omitted if the caller has already compared the events with the tally. */
  add(scope: string, count: Count, stream: Partial<CountedStream> = {}): void {
    const { series, day, currency, part, value, histogram } = count;
    const key = [stream.owner ?? '', scope, series, day, part].join(' ');
    if (histogram === undefined) {
      const sum = this.sums.get(`${key} ${currency}`);
      if (sum !== undefined) sum.value += value;
      else
        this.sums.set(`${key} ${currency}`, {
          ...{ ...stream, scope, series, day, currency, part, value },
        });
      return;
    }
    const known = this.durations.get(key);
    if (known !== undefined) known.bins = addHistograms([known.bins, histogram]);
    else this.durations.set(key, { ...stream, scope, series, day, part, bins: histogram });
  }

  /** Returns the statements, which must run before the tallies are saved. */
  statements(): ChangeStatement[] {
    return [
      ...(this.sums.size === 0 ? [] : [addDays([...this.sums.values()])]),
      ...(this.durations.size === 0 ? [] : [addDurations([...this.durations.values()])]),
    ];
  }
}

/**
 * Excludes the counts of a stream whose tally has reached their first event: they are already
 * stored.
 */
const NOT_COUNTED_YET = `left join metric_tallies t on t.owner = added.owner
    where t.owner is null or (t.tally->>'sequence')::bigint < added.first`;

const addDays = (rows: readonly DayRow[]): ChangeStatement => ({
  text: `insert into metric_days (scope, series, day, currency, part, value)
    select scope, series, day, currency, part, sum(value)
      from json_to_recordset($1) as added (owner text, first bigint, scope text, series text,
        day date, currency text, part text, value bigint)
      ${NOT_COUNTED_YET}
      group by scope, series, day, currency, part
    on conflict (scope, series, day, currency, part)
      do update set value = metric_days.value + excluded.value`,
  values: [JSON.stringify(rows)],
});

const addDurations = (rows: readonly HistogramRow[]): ChangeStatement => ({
  text: `insert into metric_histograms (scope, series, day, part, bins)
    select scope, series, day, part, service.sum_histograms(bins)
      from json_to_recordset($1) as added (owner text, first bigint, scope text, series text,
        day date, part text, bins json)
      ${NOT_COUNTED_YET}
      group by scope, series, day, part
    on conflict (scope, series, day, part)
      do update set bins = service.add_histograms(metric_histograms.bins, excluded.bins)`,
  values: [JSON.stringify(rows)],
});
