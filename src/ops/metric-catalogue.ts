/** Prefix of every metric of the service. The metrics of the Node runtime keep their own names. */
export const METRIC_PREFIX = 'subscription_service_';

interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** One sentence that says what is measured, in base units. */
  readonly help: string;
  /** Labels. Each has few values: a state, an outcome, a route. */
  readonly labels: readonly string[];
}

/** Every metric of the service. `docs/metrics.md` explains each; a test compares the two. */
export const METRIC_CATALOGUE = {
  build_info: {
    kind: 'gauge',
    help: 'Always 1; the labels say which version runs on which Node.',
    labels: ['version', 'node'],
  },
  ready: {
    kind: 'gauge',
    help: '1 while every readiness check of this process is ok, else 0.',
    labels: [],
  },
  clock_timestamp_seconds: {
    kind: 'gauge',
    help: 'Time of the clock of this process, in Unix seconds.',
    labels: [],
  },
  http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Time from the arrival of a request to its answer.',
    labels: ['method', 'route', 'status'],
  },
  http_server_errors_total: {
    kind: 'counter',
    help: 'Requests that ended with 5xx, without those of the health checks.',
    labels: [],
  },
  rate_limited_total: {
    kind: 'counter',
    help: 'Requests that were refused with 429, by the limit that refused them.',
    labels: ['reason'],
  },
  sign_ins_total: {
    kind: 'counter',
    help: 'Sign-ins to the console by way (password, link, oidc, invitation) and outcome.',
    labels: ['way', 'outcome'],
  },
  delivery_attempts_total: {
    kind: 'counter',
    help: 'Delivery attempts by trigger, outcome and reason.',
    labels: ['trigger', 'outcome', 'reason'],
  },
  delivery_attempt_duration_seconds: {
    kind: 'histogram',
    help: 'Time from the start of an attempt to the last byte of the answer that was read.',
    labels: ['outcome'],
  },
  delivery_latency_seconds: {
    kind: 'histogram',
    help: 'Time from the storing of an event to its first 2xx at a destination; live deliveries only.',
    labels: [],
  },
  deliveries_waiting: {
    kind: 'gauge',
    help: 'Deliveries that this process has taken from the log and not finished, by state.',
    labels: ['state'],
  },
  oldest_waiting_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest event that waits for an enabled destination, in this process.',
    labels: [],
  },
  destinations: {
    kind: 'gauge',
    help: 'Destinations by status.',
    labels: ['status'],
  },
  destinations_held: {
    kind: 'gauge',
    help: 'Destinations this process delivers to; other processes have the others.',
    labels: [],
  },
  breakers_open: {
    kind: 'gauge',
    help: 'Destinations of this process whose receiver is only probed, because it keeps failing.',
    labels: [],
  },
  journal_write_duration_seconds: {
    kind: 'histogram',
    help: 'Time to store the outcomes of deliveries, from the first try to the success.',
    labels: [],
  },
  append_duration_seconds: {
    kind: 'histogram',
    help: 'Time to append events to the event store, from the first try to the success.',
    labels: [],
  },
  append_conflicts_total: {
    kind: 'counter',
    help: 'Appends that found the stream at another revision; the decision was made again.',
    labels: [],
  },
  projected_events_total: {
    kind: 'counter',
    help: 'Events written into the read models.',
    labels: [],
  },
  unprojected_events_total: {
    kind: 'counter',
    help: 'Events that no row can hold: left out of the read models and named in the log.',
    labels: [],
  },
  projection_lag_seconds: {
    kind: 'gauge',
    help: 'How long the read models have been behind the log; 0 when they have all of it.',
    labels: [],
  },
  timers_overdue: {
    kind: 'gauge',
    help: 'Subscribers whose next renewal, trial end or other timer is past due.',
    labels: [],
  },
  timers_overdue_seconds: {
    kind: 'gauge',
    help: 'How long the most overdue timer has been due; 0 when none is.',
    labels: [],
  },
  replays: {
    kind: 'gauge',
    help: 'Replays that are queued or in progress.',
    labels: ['status'],
  },
  sql_connections: {
    kind: 'gauge',
    help: "Connections of this process's SQL pool by state; `waiting` counts callers without one.",
    labels: ['state'],
  },
  disk_free_bytes: {
    kind: 'gauge',
    help: 'Free bytes of the disk that holds DATA_DIR.',
    labels: [],
  },
  disk_size_bytes: {
    kind: 'gauge',
    help: 'Size of the disk that holds DATA_DIR.',
    labels: [],
  },
  event_store_subscriptions_unconfirmed: {
    kind: 'gauge',
    help: 'Subscriptions whose confirmation has been missing for 30 s or more: not ready.',
    labels: [],
  },
  event_store_subscription_unconfirmed_seconds: {
    kind: 'gauge',
    help: 'The longest time for which a subscription has been without confirmation; 0 = all have it.',
    labels: [],
  },
  event_store_subscription_lag_seconds: {
    kind: 'gauge',
    help: 'The longest time between the storing of an event and its arrival at a subscription.',
    labels: [],
  },
  event_store_subscription_confirmed_timestamp_seconds: {
    kind: 'gauge',
    help: 'When the event store last confirmed each subscription; only with METRICS_PER_TENANT.',
    labels: ['subscription'],
  },
  event_store_subscription_last_event_timestamp_seconds: {
    kind: 'gauge',
    help: 'When the last event of each subscription arrived; only with METRICS_PER_TENANT.',
    labels: ['subscription'],
  },
  destination_attempts_total: {
    kind: 'counter',
    help: 'Delivery attempts of each destination by outcome; only with METRICS_PER_TENANT.',
    labels: ['tenant', 'environment', 'destination', 'outcome'],
  },
  destination_waiting: {
    kind: 'gauge',
    help: 'Deliveries that wait for each destination, by state; only with METRICS_PER_TENANT.',
    labels: ['tenant', 'environment', 'destination', 'state'],
  },
  destination_oldest_waiting_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest event that waits for each destination; only with METRICS_PER_TENANT.',
    labels: ['tenant', 'environment', 'destination'],
  },
  event_store_category_links_still_seconds: {
    kind: 'gauge',
    help: 'For how long no event has been linked into its category; 0 = links follow.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRIC_CATALOGUE;
