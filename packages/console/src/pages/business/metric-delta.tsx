import type { MetricSeries } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { formatDay, formatMonth } from '../../ui/format';
import { formatValue, type MetricEntry } from './metric-catalogue';
import { formatChange, type Headline } from './metric-summary';

/** Shows the change since the period before: an arrow, the change, and the old value. */
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
  const change = formatChange(value, before, series);
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

/** Returns the period of a headline in words. */
export const describePeriod = (
  { summary }: MetricEntry,
  { bucket }: Headline,
  { granularity, timezone, to }: MetricSeries,
  window: string,
): string => {
  if (summary === 'level') return to === null || Date.parse(to) > Date.now() ? 'now' : 'at the end';
  if (bucket === null) return window.toLowerCase();
  return (granularity === 'month' ? formatMonth : formatDay)(bucket.timestamp, timezone);
};
