import type { Day } from '../../domain/metrics/buckets';
import type { Histogram } from './histogram';

/**
 * A series of daily counts. A flow (`paid`, `churned` …) counts what happened on the day. A gauge
 * (`mrr`, `active` …) stores the change of the day, so its value is the sum of all days up to then.
 * The names are a storage format of the projection: after a change it must be rebuilt.
 */
export type Series =
  | 'mrr'
  | 'mrr_movement'
  | 'mrr_movements'
  | 'active'
  | 'trialing'
  | 'paused'
  | 'past_due'
  | 'churned'
  | 'trials_ended'
  | 'trials_converted'
  | 'trials_open'
  | 'recovery_opened'
  | 'recovery_won'
  | 'recovery_open'
  | 'failed_amount'
  | 'recovered_payments'
  | 'recovered_amount'
  | 'paid'
  | 'payments'
  | 'refunded'
  | 'credit_outstanding'
  | 'credits_open'
  | 'tickets'
  | 'ticket_resolution'
  | 'ticket_resolution_seconds'
  | 'motions_presented'
  | 'motions_accepted'
  | 'motions_open'
  | 'deliveries_due'
  | 'deliveries_in_time'
  | 'delivery_latency';

/**
 * One addition to the count of a day. `part` divides a series, for example by movement, topic or
 * destination.
 */
export interface Count {
  readonly series: Series;
  readonly day: Day;
  readonly currency: string;
  readonly part: string;
  readonly value: number;
  /** The bins of durations; absent from other series. */
  readonly histogram?: Histogram;
}

export const MOVEMENTS = [
  'new',
  'expansion',
  'contraction',
  'churn',
  'reactivation',
  'paused',
  'resumed',
] as const;
export type Movement = (typeof MOVEMENTS)[number];
