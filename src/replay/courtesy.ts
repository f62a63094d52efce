import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { rest } from './rouse';

/** Live deliveries "go on" when the last one began within this. */
const LIVE_RECENT_MS = 1_000;
const SAMPLE_MS = 100;
/** Share of the process's time that may be in use while live deliveries go on. */
const BUSY = 0.5;
const RATE_MIN = 20;
const RATE_START = 50;
const RATE_MAX = 2_000;
const RATE_STEP = 10;

/**
 * What is left for replays, in steps per second, after one look: half where the process is busy, a
 * little more where it is not. Pure.
 */
export const nextRate = (rate: number, utilization: number): number =>
  utilization > BUSY ? Math.max(RATE_MIN, rate / 2) : Math.min(RATE_MAX, rate + RATE_STEP);

/**
 * Live deliveries come first, also where it is not the destination's limits but this process that is
 * short: while they go on, all replays together leave half of it free. Alone they are not held back.
 */
export class Courtesy {
  private rate = RATE_START;
  private turnAtMs = 0;
  private sampledAtMs = 0;
  private sample: EventLoopUtilization = performance.eventLoopUtilization();

  /** `sinceLiveMs`: how long ago the last live delivery began in this process. */
  constructor(private readonly sinceLiveMs: () => number) {}

  /** Whether no live deliveries go on: nobody waits for what a replay does. */
  get alone(): boolean {
    return this.sinceLiveMs() > LIVE_RECENT_MS;
  }

  /** Before each attempt and each page of a scan. */
  async turn(signal: AbortSignal): Promise<void> {
    const nowMs = performance.now();
    if (this.alone) {
      this.rate = RATE_START;
      return;
    }
    this.look(nowMs);
    const atMs = Math.max(this.turnAtMs, nowMs);
    this.turnAtMs = atMs + 1_000 / this.rate;
    if (atMs - nowMs > 1) await rest(atMs - nowMs, signal);
  }

  private look(nowMs: number): void {
    if (nowMs - this.sampledAtMs < SAMPLE_MS) return;
    const { utilization } = performance.eventLoopUtilization(this.sample);
    this.sample = performance.eventLoopUtilization();
    this.sampledAtMs = nowMs;
    this.rate = nextRate(this.rate, utilization);
  }
}
