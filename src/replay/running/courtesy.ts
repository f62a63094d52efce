import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { rest } from './rouse';

/** Live deliveries "go on" when the last one began within this. */
const LIVE_RECENT_MS = 1_000;
/** Between live deliveries that are further apart than this, steps are taken a few at a time … */
const LULL_MS = 150;
const LULL_STEPS = 8;
const LULL_PAUSE_MS = 4;
/** … and else one by one, where the process has had next to nothing to do for so long … */
const GAP_MS = 10;
/** … which is less than this share of the time. */
const GAP_BUSY = 0.15;
/** A process that is never idle lets replays take a step this often nevertheless. */
const STEP_WITHIN_MS = 50;

/**
 * Live deliveries come first, also where it is not the destination's limits but this process that is
 * short: while they go on, all replays together take one step at a time, in the gaps where the process
 * would be idle, and a few in a lull. Alone they are not held back.
 */
export class Courtesy {
  private turns: Promise<void> = Promise.resolve();
  private lullSteps = 0;
  private sample: EventLoopUtilization = performance.eventLoopUtilization();

  /** `sinceLiveMs`: how long ago the last live delivery began in this process. */
  constructor(private readonly sinceLiveMs: () => number) {}

  /** Whether no live deliveries go on: nobody waits for what a replay does. */
  get alone(): boolean {
    return this.sinceLiveMs() > LIVE_RECENT_MS;
  }

  /** Before each attempt and each page of a scan. */
  turn(signal: AbortSignal): Promise<void> {
    if (this.alone) return Promise.resolve();
    this.turns = this.turns.then(() => this.step(signal));
    return this.turns;
  }

  private async step(signal: AbortSignal): Promise<void> {
    if (this.sinceLiveMs() < LULL_MS) return this.gap(signal);
    this.lullSteps += 1;
    if (this.lullSteps % LULL_STEPS === 0) await rest(LULL_PAUSE_MS, signal);
  }

  private async gap(signal: AbortSignal): Promise<void> {
    const byMs = performance.now() + STEP_WITHIN_MS;
    this.isIdle();
    do await rest(GAP_MS, signal);
    while (!this.isIdle() && performance.now() < byMs && !signal.aborted && !this.alone);
  }

  /** Since it was asked last. */
  private isIdle(): boolean {
    const before = this.sample;
    this.sample = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(this.sample, before).utilization < GAP_BUSY;
  }
}
