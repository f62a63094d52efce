import type { Table } from '../../projections/rows';
import type { Session } from '../../read-models/database';
import { addHistograms, type Histogram } from './histogram';
import type { Count } from './tally';

export type Scoped = Count & { readonly scope: string };

export const daysTable: Table = {
  name: 'metric_days',
  key: ['scope', 'series', 'day', 'currency', 'part'],
};

/** One row a day however many durations there were: a window of years is read as fast as it is sent. */
export const histogramsTable: Table = {
  name: 'metric_histograms',
  key: ['scope', 'series', 'day', 'part'],
};

/** Adds counts to their days. */
export const writeDays = async (session: Session, counts: readonly Scoped[]): Promise<void> => {
  const sums = new Map<string, Scoped>();
  for (const count of counts) {
    if (count.histogram !== undefined) continue;
    const key = [count.scope, count.series, count.day, count.currency, count.part].join(' ');
    sums.set(key, { ...count, value: (sums.get(key)?.value ?? 0) + count.value });
  }
  if (sums.size === 0) return;
  await session.query({
    name: 'add to metric days',
    text: `insert into metric_days (scope, series, day, currency, part, value)
      select scope, series, day, currency, part, value
        from json_populate_recordset(null::metric_days, $1)
      on conflict (scope, series, day, currency, part)
        do update set value = metric_days.value + excluded.value`,
    values: [JSON.stringify([...sums.values()])],
  });
};

interface HistogramRow {
  readonly scope: string;
  readonly series: string;
  readonly day: string;
  readonly part: string;
  readonly bins: Histogram;
}

/** Adds durations to their days: what is there is read first, in the projector's transaction. */
export const writeHistograms = async (
  session: Session,
  counts: readonly Scoped[],
): Promise<void> => {
  const added = new Map<string, HistogramRow[]>();
  for (const { histogram: bins, scope, series, day, part } of counts) {
    if (bins === undefined) continue;
    const row = { scope, series, day, part, bins };
    const rows = added.get(keyOf(row));
    if (rows === undefined) added.set(keyOf(row), [row]);
    else rows.push(row);
  }
  if (added.size === 0) return;
  const keys = [...added.values()].flatMap(([row]) => (row === undefined ? [] : [row]));
  for (const row of await readHistograms(session, keys)) added.get(keyOf(row))?.push(row);
  const rows = keys.map((key) => {
    const all = added.get(keyOf(key)) ?? [];
    return { ...key, bins: addHistograms(all.map(({ bins }) => bins)) };
  });
  await session.query({
    name: 'save metric histograms',
    text: `insert into metric_histograms (scope, series, day, part, bins)
      select scope, series, day, part, bins
        from json_populate_recordset(null::metric_histograms, $1)
      on conflict (scope, series, day, part) do update set bins = excluded.bins`,
    values: [JSON.stringify(rows)],
  });
};

const keyOf = ({ scope, series, day, part }: HistogramRow): string =>
  [scope, series, day, part].join(' ');

const readHistograms = (session: Session, keys: readonly HistogramRow[]): Promise<HistogramRow[]> =>
  session.query<HistogramRow>({
    name: 'metric histograms',
    text: `select h.scope, h.series, to_char(h.day, 'YYYY-MM-DD') as day, h.part, h.bins
      from json_populate_recordset(null::metric_histograms, $1) wanted
      join metric_histograms h using (scope, series, day, part)`,
    values: [
      JSON.stringify(keys.map(({ scope, series, day, part }) => ({ scope, series, day, part }))),
    ],
  });
