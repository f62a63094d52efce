import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { pause } from '../../ops/polling';

/** Live deliveries count as active if the last one began within this time. */
const LIVE_RECENT_MS = 1_000;
/**
 * If the last live delivery began longer ago than this, there is a lull: replays take LULL_STEPS
 * steps and then pause for LULL_PAUSE_MS.
 */
const LULL_MS = 150;
const LULL_STEPS = 8;
const LULL_PAUSE_MS = 4;
/**
 * Outside of a lull replays take one step at a time, after the process has been idle for this long.
 */
const GAP_MS = 10;
/** The process counts as idle if its event loop was busy for less than this share of the time. */
const GAP_UTILIZATION_MAX = 0.15;
/** A process that is never idle admits a step at least this often. */
const STEP_WITHIN_MS = 50;

/**
 * Gives live deliveries priority over replays when the processor time of this process is short.
 * While live deliveries are active, all replays together take one step at a time, in the gaps in
 * which the process would be idle, and a few steps in a lull. Without live deliveries replays are
 * not delayed.
 */
export class LivePriority {
  private turns: Promise<void> = Promise.resolve();
  private lullSteps = 0;
  private sample: EventLoopUtilization = performance.eventLoopUtilization();

  /**
   * Needs a function that returns how many milliseconds ago the last live delivery of this process
   * began.
   */
  constructor(private readonly sinceLiveMs: () => number) {}

  /** True if no live deliveries are active, so that nothing needs to wait. */
  get hasNoLiveDeliveries(): boolean {
    return this.sinceLiveMs() > LIVE_RECENT_MS;
  }

  /**
   * Resolves when a replay may take a step. It is called before each attempt and each page of a
   * scan.
   */
  waitForTurn(signal: AbortSignal): Promise<void> {
    if (this.hasNoLiveDeliveries) return Promise.resolve();
    this.turns = this.turns.then(() => this.waitForStep(signal));
    return this.turns;
  }

  private async waitForStep(signal: AbortSignal): Promise<void> {
    if (this.sinceLiveMs() < LULL_MS) return this.waitForGap(signal);
    this.lullSteps += 1;
    if (this.lullSteps % LULL_STEPS === 0) await pause(LULL_PAUSE_MS, signal);
  }

  private async waitForGap(signal: AbortSignal): Promise<void> {
    const byMs = performance.now() + STEP_WITHIN_MS;
    this.wasIdle();
    do await pause(GAP_MS, signal);
    while (
      !this.wasIdle() &&
      performance.now() < byMs &&
      !signal.aborted &&
      !this.hasNoLiveDeliveries
    );
  }

  /** True if the process was idle since the last call. */
  private wasIdle(): boolean {
    const before = this.sample;
    this.sample = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(this.sample, before).utilization < GAP_UTILIZATION_MAX;
  }
}
