import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { DestinationCounter } from './destination-counter';
import { EventLoopLag } from './event-loop-lag';
import { METRIC_CATALOGUE, METRIC_PREFIX, type MetricName } from './metric-catalogue';
import { waitWithTimeLimit } from './within';

/** The limits of the alerts (0.5, 2 and 10 s) are among the bounds, so nothing is interpolated there. */
const LATENCY_BUCKETS_S = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15,
];

/** Prometheus waits 10 s for all metrics. A gauge whose source does not answer is left out before. */
const GAUGE_TIMEOUT_MS = 8_000;

/** The longest interval of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/** The ways of signing in that can be refused. */
const REFUSING_WAYS = ['password', 'link', 'oidc'] as const;
export type RefusingWay = (typeof REFUSING_WAYS)[number];

/** One value of a gauge that is read when the metrics are collected. */
export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** All metrics of one process as data. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

/** Processes whose metrics are shown beside those of this one, each under a label with its name. */
export interface OtherProcesses {
  readonly own: string;
  readonly others: () => Promise<ReadonlyMap<string, MetricValues>>;
}

/**
 * The metrics that Prometheus reads at `/metrics`. The metric catalogue has their names, help texts
 * and labels. Labels name routes, states and outcomes. They name tenants and destinations only if
 * the operator has configured it, and never a person.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly requests = this.createHistogram('http_request_duration_seconds');
  readonly serverErrors = this.createCounter('http_server_errors_total');
  readonly rateLimited = this.createCounter('rate_limited_total');
  readonly attempts = this.createCounter('delivery_attempts_total');
  readonly attemptDuration = this.createHistogram('delivery_attempt_duration_seconds');
  readonly deliveryLatency = this.createHistogram('delivery_latency_seconds');
  readonly destinationsHeld = this.createGauge('destinations_held');
  readonly journalWrite = this.createHistogram('journal_write_duration_seconds');
  readonly appendDuration = this.createHistogram('append_duration_seconds');
  readonly appendConflicts = this.createCounter('append_conflicts_total');
  readonly projectedEvents = this.createCounter('projected_events_total');
  readonly unprojectedEvents = this.createCounter('unprojected_events_total');
  /** Counter of attempts by destination; null unless the operator has configured it. */
  destinationAttempts: DestinationCounter | null = null;
  readonly signIns = this.createCounter('sign_ins_total');

  private processes: OtherProcesses | null = null;

  constructor() {
    // The runtime's own metrics keep the names that dashboards for Node expect.
    collectDefaultMetrics({
      register: this.registry,
      // Its own measure must not wake the loop: `EventLoopLag` takes its place.
      eventLoopMonitoringPrecision: NEVER_MS,
    });
    new EventLoopLag().show(this.registry);
    // Prometheus does not count the first value of a series as an increase. An alert on refused
    // sign-ins would miss those before the first scrape that shows them.
    for (const way of REFUSING_WAYS) this.signIns.inc({ way, outcome: 'refused' }, 0);
  }

  /** Adds a gauge whose values are read each time the metrics are collected. */
  observe(name: MetricName, samples: () => readonly Sample[] | Promise<readonly Sample[]>): void {
    new Gauge({
      ...toDefinition(name),
      registers: [this.registry],
      async collect() {
        this.reset();
        // A store that does not answer hides this gauge only.
        const read = Promise.resolve(samples());
        const found = await waitWithTimeLimit(GAUGE_TIMEOUT_MS, read).catch(() => []);
        for (const { value, labels } of found) this.set(labels ?? {}, value);
      },
    });
  }

  /** Shows the attempts of each destination from now on. */
  showDestinations(): void {
    this.destinationAttempts = new DestinationCounter(
      this.createCounter('destination_attempts_total'),
    );
  }

  collectValues(): Promise<MetricValues> {
    return this.registry.getMetricsAsJSON();
  }

  addProcesses(processes: OtherProcesses): void {
    this.processes = processes;
  }

  /** The text that Prometheus reads. */
  async collectText(): Promise<string> {
    if (this.processes === null) return this.registry.metrics();
    const { own, others } = this.processes;
    const all = new Map([[own, await this.collectValues()], ...(await others())]);
    const labelled = [...all].map(([name, metrics]) =>
      metrics.map((each) => addProcessLabel(each, name)),
    );
    return AggregatorRegistry.aggregate(labelled).metrics();
  }

  private createCounter(name: MetricName): Counter {
    return new Counter({ ...toDefinition(name), registers: [this.registry] });
  }

  private createGauge(name: MetricName): Gauge {
    return new Gauge({ ...toDefinition(name), registers: [this.registry] });
  }

  private createHistogram(name: MetricName): Histogram {
    return new Histogram({
      ...toDefinition(name),
      buckets: LATENCY_BUCKETS_S,
      registers: [this.registry],
    });
  }
}

const toDefinition = (
  name: MetricName,
): { readonly name: string; readonly help: string; readonly labelNames: string[] } => {
  const { help, labels } = METRIC_CATALOGUE[name];
  return { name: METRIC_PREFIX + name, help, labelNames: [...labels] };
};

/** Adds the process as a label to a metric. */
const addProcessLabel = (metric: MetricValues[number], process: string): MetricValues[number] => ({
  ...metric,
  values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
});
