import type { MetricSeries } from '@subscription-event-service/sdk';
import {
  formatDuration,
  formatMoney,
  formatMoneyShort,
  formatNumber,
  formatNumberShort,
  formatShare,
} from '../../ui/format';

/**
 * The rule that turns the buckets of a window into one number. `level` is the last value. `total`
 * is the sum. `share` is the mean, weighted by the sample sizes. `loss` is the weighted sum,
 * divided by the sample size of the first bucket. `latest` is the value of the newest bucket, for
 * metrics that cannot be added up.
 */
export type Summary = 'level' | 'total' | 'share' | 'loss' | 'latest';

export interface MetricEntry {
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly summary: Summary;
  /** The direction of a good change; undefined if a change is neither good nor bad. */
  readonly better?: 'up' | 'down';
}

const createEntry = (
  group: string,
  name: string,
  title: string,
  summary: Summary,
  better?: 'up' | 'down',
): MetricEntry => ({ name, title, group, summary, ...(better === undefined ? {} : { better }) });

/** The metrics in the order of the page. The service refuses names that it does not have. */
export const METRICS: readonly MetricEntry[] = [
  createEntry('Revenue', 'mrr', 'Monthly recurring revenue', 'level', 'up'),
  createEntry('Revenue', 'mrr_movements', 'MRR movements', 'total', 'up'),
  createEntry('Revenue', 'arpu', 'Revenue per subscriber', 'level', 'up'),
  createEntry('Revenue', 'mrr_churn_gross', 'Gross MRR churn', 'loss', 'down'),
  createEntry('Revenue', 'mrr_churn_net', 'Net MRR churn', 'loss', 'down'),
  createEntry('Revenue', 'refund_rate', 'Refund rate', 'latest', 'down'),
  createEntry('Subscribers', 'active_subscribers', 'Active subscribers', 'level', 'up'),
  createEntry('Subscribers', 'trialing', 'In a trial', 'level'),
  createEntry('Subscribers', 'trial_conversion', 'Trial conversion', 'share', 'up'),
  createEntry('Subscribers', 'churn_rate', 'Subscriber churn', 'loss', 'down'),
  createEntry('At risk and recovered', 'past_due', 'Past due', 'level', 'down'),
  createEntry('At risk and recovered', 'paused', 'Paused', 'level'),
  createEntry('At risk and recovered', 'recovery', 'Recovered payments', 'share', 'up'),
  createEntry('At risk and recovered', 'motion_acceptance', 'Motion acceptance', 'share', 'up'),
  createEntry('Help', 'ticket_volume', 'Tickets', 'total'),
  createEntry('Help', 'ticket_resolution_p50', 'Median time to resolve', 'latest', 'down'),
  createEntry('Help', 'credit_outstanding', 'Credits outstanding', 'level'),
  createEntry('Deliveries', 'delivery_success', 'Delivered within 24 h', 'share', 'up'),
  createEntry('Deliveries', 'delivery_latency_p50', 'Delivery latency, median', 'latest', 'down'),
  createEntry('Deliveries', 'delivery_latency_p95', 'Delivery latency, p95', 'latest', 'down'),
];

/**
 * The filter of the list of subscribers that shows those whom a gauge counts now, for links from
 * the gauge.
 */
export const COUNTED_SUBSCRIBERS: Readonly<Record<string, string>> = {
  active_subscribers: 'status=active',
  trialing: 'status=trialing',
  past_due: 'payment_state=past_due',
  paused: 'status=paused',
};

export const findEntry = (name: string): MetricEntry =>
  METRICS.find((metric) => metric.name === name) ?? createEntry('', name, name, 'latest');

/** True if the metric is computed from amounts of one currency. */
export const takesCurrency = ({ name, group }: MetricEntry): boolean =>
  group === 'Revenue' || name === 'credit_outstanding';

/** Returns the metrics of each group of the page. */
export const groupMetrics = (): readonly (readonly [string, readonly MetricEntry[]])[] => {
  const byGroup = new Map<string, MetricEntry[]>();
  for (const metric of METRICS) {
    byGroup.set(metric.group, [...(byGroup.get(metric.group) ?? []), metric]);
  }
  return [...byGroup];
};

export type Unit = Pick<MetricSeries, 'unit' | 'currency'>;

/** Formats a value in the unit of its series. */
export const formatValue = (value: number, { unit, currency }: Unit): string => {
  switch (unit) {
    case 'ratio':
      return formatShare(value);
    case 'count':
      return formatNumber(value);
    case 'minor_units':
      return formatMoney(value, currency ?? 'USD');
    case 'seconds':
      return formatDuration(value * 1000);
  }
};

/** Axes show longer durations in minutes and hours. */
const SECONDS_MAX = 600;

/** Formats a value shortly, for an axis. */
export const formatTick = (value: number, series: Unit): string => {
  if (series.unit === 'count') return formatNumberShort(value);
  if (series.unit === 'minor_units') return formatMoneyShort(value, series.currency ?? 'USD');
  // In minutes, round numbers of seconds would look alike.
  if (series.unit === 'seconds' && Number.isInteger(value) && value < SECONDS_MAX)
    return `${value} s`;
  return formatValue(value, series);
};
