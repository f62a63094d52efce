/** Counters that EventStoreDB keeps per group and per connection (`GetInfo`). */

/** The number of latencies that are kept for the measurements of `extraStatistics`. */
const SAMPLES_MAX = 1_000;

export interface Counts {
  readonly totalItems: number;
  readonly countSinceLastMeasurement: number;
  readonly averagePerSecond: number;
}

/** Counts items and measures their rate since the last measurement. */
export class ItemCounter {
  #total = 0;
  #lastTotal = 0;
  #lastMs: number;

  constructor(nowMs: number) {
    this.#lastMs = nowMs;
  }

  add(): void {
    this.#total++;
  }

  measure(nowMs: number): Counts {
    const countSinceLastMeasurement = this.#total - this.#lastTotal;
    const seconds = Math.max(0.001, (nowMs - this.#lastMs) / 1000);
    this.#lastTotal = this.#total;
    this.#lastMs = nowMs;
    return {
      totalItems: this.#total,
      countSinceLastMeasurement,
      averagePerSecond: Math.round(countSinceLastMeasurement / seconds),
    };
  }
}

const QUANTILES: readonly (readonly [key: string, quantile: number])[] = [
  ['Quintile 1', 0.2],
  ['Quintile 2', 0.4],
  ['Quintile 3', 0.6],
  ['Quintile 4', 0.8],
  ['Quintile 5', 1],
  ['90%', 0.9],
  ['95%', 0.95],
  ['99%', 0.99],
  ['99.5%', 0.995],
  ['99.9%', 0.999],
];

/** The times in ms between sending an event and its response. */
export class Latencies {
  readonly #samplesMs: number[] = [];
  #next = 0;

  add(ms: number): void {
    this.#samplesMs[this.#next] = ms;
    this.#next = (this.#next + 1) % SAMPLES_MAX;
  }

  summarise(): readonly (readonly [key: string, ms: number])[] {
    const sorted = this.#samplesMs.toSorted((a, b) => a - b);
    const readQuantile = (quantile: number): number =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0);
    const mean = sorted.reduce((sum, ms) => sum + ms, 0) / Math.max(1, sorted.length);
    return [
      ['Mean', Math.round(mean)],
      ['Median', readQuantile(0.5)],
      ['Fastest', readQuantile(0)],
      ...QUANTILES.map(([key, quantile]) => [key, readQuantile(quantile)] as const),
      ['Highest', readQuantile(1)],
    ];
  }
}
