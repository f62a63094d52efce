import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** What Prometheus reads at `/metrics`. Labels name routes and outcomes, never ids of persons. */
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by route and status, from arrival to answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: LATENCY_BUCKETS_S,
    registers: [this.registry],
  });

  readonly attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Delivery attempts by outcome: delivered, retrying, failed.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly deliveryLatency = new Histogram({
    name: 'delivery_latency_seconds',
    help: "From an event's creation to its first 2xx at a destination.",
    buckets: LATENCY_BUCKETS_S,
    registers: [this.registry],
  });

  readonly destinationsHeld = new Gauge({
    name: 'delivery_destinations_held',
    help: 'Destinations this process delivers to; other processes have the others.',
    registers: [this.registry],
  });

  readonly projectedEvents = new Counter({
    name: 'projected_events_total',
    help: 'Events written into the read models.',
    registers: [this.registry],
  });

  readonly unprojectedEvents = new Counter({
    name: 'unprojected_events_total',
    help: 'Events that no row can hold: left out of the read models, named in the log.',
    registers: [this.registry],
  });

  readonly projectionLag = new Gauge({
    name: 'projection_lag_seconds',
    help: 'How long the read models have been behind the log; 0 when they have all of it.',
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}
