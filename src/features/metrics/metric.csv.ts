import { MOVEMENTS } from './daily-count';
import type { CsvColumns, MetricSeries, Retention } from './metric.dto';

type Cell = string | number | boolean;

/** Formats the points as CSV for spreadsheets. Every cell is a number, a time or a boolean. */
export const formatSeriesCsv = (
  { metric, points }: Pick<MetricSeries, 'metric' | 'points'>,
  columns: CsvColumns = 'short',
): string => {
  const movements = columns === 'all' && metric === 'mrr_movements' ? MOVEMENTS : [];
  const maturing = columns === 'all' ? ['maturing'] : [];
  return formatCsv(
    ['timestamp', 'value', 'partial', 'sample_size', ...maturing, ...movements],
    points.map((point) => [
      point.timestamp,
      point.value,
      point.partial,
      point.sample_size,
      ...maturing.map(() => point.maturing),
      ...movements.map((movement) => point.movements?.[movement] ?? 0),
    ]),
  );
};

/**
 * Formats the retention as CSV: one line for each month, with one column for each month since the
 * beginning. The cells of months that are still to come are empty.
 */
export const formatRetentionCsv = ({ data }: Pick<Retention, 'data'>): string => {
  const length = Math.max(0, ...data.map(({ kept }) => kept.length));
  const columns = Array.from({ length }, (_, index) => index);
  return formatCsv(
    ['month', 'subscribers', ...columns.map((index) => `kept_${index}`)],
    data.map(({ month, subscribers, kept }) => [
      month,
      subscribers,
      ...columns.map((index) => kept[index] ?? ''),
    ]),
  );
};

const formatCsv = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map((cells) => `${cells.join(',')}\n`).join('');
