import type { MetricSeries } from '@subscription-event-service/sdk';
import { formatDuration, formatMoney, formatNumber, formatShare } from '../../ui/format';

export interface MetricEntry {
  readonly name: string;
  readonly title: string;
  readonly group: string;
}

/** The metrics in the order of the page; the service refuses a name that it does not know. */
export const METRICS: readonly MetricEntry[] = [
  { name: 'mrr', title: 'Monthly recurring revenue', group: 'Revenue' },
  { name: 'mrr_movements', title: 'MRR movements', group: 'Revenue' },
  { name: 'arpu', title: 'Revenue per subscriber', group: 'Revenue' },
  { name: 'mrr_churn_gross', title: 'Gross MRR churn', group: 'Revenue' },
  { name: 'mrr_churn_net', title: 'Net MRR churn', group: 'Revenue' },
  { name: 'refund_rate', title: 'Refund rate', group: 'Revenue' },
  { name: 'active_subscribers', title: 'Active subscribers', group: 'Subscribers' },
  { name: 'trialing', title: 'In a trial', group: 'Subscribers' },
  { name: 'paused', title: 'Paused', group: 'Subscribers' },
  { name: 'past_due', title: 'Past due', group: 'Subscribers' },
  { name: 'churn_rate', title: 'Churn rate', group: 'Subscribers' },
  { name: 'trial_conversion', title: 'Trial conversion', group: 'Subscribers' },
  { name: 'recovery', title: 'Recovered payments', group: 'Recovery and help' },
  { name: 'motion_acceptance', title: 'Motion acceptance', group: 'Recovery and help' },
  { name: 'ticket_volume', title: 'Tickets', group: 'Recovery and help' },
  { name: 'ticket_resolution_p50', title: 'Median time to resolve', group: 'Recovery and help' },
  { name: 'delivery_success', title: 'Delivered within 24 h', group: 'Deliveries' },
  { name: 'delivery_latency_p50', title: 'Delivery latency, median', group: 'Deliveries' },
  { name: 'delivery_latency_p95', title: 'Delivery latency, p95', group: 'Deliveries' },
];

export const WINDOWS: readonly (readonly [MetricSeries['window'], string])[] = [
  ['last_7d', 'Last 7 days'],
  ['last_30d', 'Last 30 days'],
  ['last_90d', 'Last 90 days'],
  ['last_12mo', 'Last 12 months'],
  ['all_time', 'All time'],
];

/** A value of a series in its unit. */
export const formatValue = (value: number, series: MetricSeries): string => {
  switch (series.unit) {
    case 'ratio':
      return formatShare(value);
    case 'count':
      return formatNumber(value);
    case 'minor_units':
      return formatMoney(value, series.currency ?? 'USD');
    case 'seconds':
      return formatDuration(value * 1000);
  }
};
