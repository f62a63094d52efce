import type { MetricSeries } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { formatDay, formatMonth, formatShare } from '../../ui/format';
import { formatValue, type MetricEntry } from './metric-catalogue';
import type { Headline } from './metric-summary';

/** How a number changed since the period before: an arrow, the change, and what it was. */
export const Delta = ({
  entry,
  headline: { value, before },
  series,
}: {
  entry: MetricEntry;
  headline: Headline;
  series: MetricSeries;
}): JSX.Element | null => {
  if (value === null || before === null) return null;
  const change = changeOf(value, before, series.unit);
  const isUp = value > before;
  const tone =
    value === before || entry.better === undefined
      ? 'even'
      : isUp === (entry.better === 'up')
        ? 'good'
        : 'poor';
  return (
    <span class={`delta ${tone}`} title={`${formatValue(before, series)} in the period before`}>
      {value === before ? 'unchanged' : `${isUp ? '↑' : '↓'} ${change}`}
    </span>
  );
};

/** Shares differ by points, everything else by a part of what it was. */
const changeOf = (value: number, before: number, unit: string): string => {
  if (unit === 'ratio') return `${(Math.abs(value - before) * 100).toFixed(1)} pts`;
  return before === 0 ? 'from 0' : formatShare(Math.abs((value - before) / before));
};

/** What a headline speaks about, in words. */
export const periodOf = (
  { summary }: MetricEntry,
  { of }: Headline,
  { granularity }: MetricSeries,
  window: string,
): string => {
  if (summary === 'level') return 'now';
  if (of === null) return window.toLowerCase();
  return granularity === 'month' ? formatMonth(of.timestamp) : formatDay(of.timestamp);
};
