import { Gauge, type Registry } from 'prom-client';
import { createHistogram, type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Interval of the samples while the loop is busy: a block of this length is never missed. */
const BUSY_INTERVAL_MS = 10;
/**
 * Interval of the samples while the loop mostly waits: each sample wakes it, which costs the most.
 */
const IDLE_INTERVAL_MS = 100;
const BUSY_UTILIZATION = 0.5;

const NS_PER_S = 1e9;
const NS_PER_MS = 1e6;

/** Help texts of the gauges, by the part of the gauge's name that selects the statistic. */
const GAUGES = {
  min: 'The minimum recorded event loop delay.',
  max: 'The maximum recorded event loop delay.',
  mean: 'The mean of the recorded event loop delays.',
  stddev: 'The standard deviation of the recorded event loop delays.',
  p50: 'The 50th percentile of the recorded event loop delays.',
  p90: 'The 90th percentile of the recorded event loop delays.',
  p99: 'The 99th percentile of the recorded event loop delays.',
} as const;

type GaugeName = keyof typeof GAUGES;

/**
 * Measures by how much timers are late since the metrics were last read, in seconds. It samples ten
 * times a second, and a hundred times a second while the loop is busy. Node's own
 * `monitorEventLoopDelay` always wakes the loop a hundred times a second.
 */
export class EventLoopLag {
  private readonly histogram = createHistogram();
  private utilization: EventLoopUtilization = performance.eventLoopUtilization();

  constructor() {
    this.scheduleSample(IDLE_INTERVAL_MS);
  }

  /** Replaces the gauges of prom-client of the same names, which use Node's own measure. */
  show(registry: Registry): void {
    for (const name of Object.keys(GAUGES) as GaugeName[]) {
      const gaugeName = `nodejs_eventloop_lag_${name}_seconds`;
      registry.removeSingleMetric(gaugeName);
      const gauge: Gauge = new Gauge({
        name: gaugeName,
        help: GAUGES[name],
        registers: [registry],
        collect: () => {
          if (this.histogram.count > 0) gauge.set(this.read(name) / NS_PER_S);
          // This gauge is read last, so all gauges of one reading show the same samples.
          if (name === 'p99') this.histogram.reset();
        },
      });
    }
  }

  private read(name: GaugeName): number {
    const { histogram } = this;
    switch (name) {
      case 'p50':
      case 'p90':
      case 'p99':
        return histogram.percentile(Number(name.slice(1)));
      default:
        return histogram[name];
    }
  }

  private scheduleSample(intervalMs: number): void {
    const dueMs = performance.now() + intervalMs;
    const timer = setTimeout(() => {
      this.histogram.record(Math.max(1, Math.round((performance.now() - dueMs) * NS_PER_MS)));
      this.scheduleSample(this.wasBusy() ? BUSY_INTERVAL_MS : IDLE_INTERVAL_MS);
    }, intervalMs);
    timer.unref();
  }

  /** True if the loop worked for most of the time since the last sample. */
  private wasBusy(): boolean {
    const before = this.utilization;
    this.utilization = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(this.utilization, before);
    return utilization > BUSY_UTILIZATION;
  }
}
