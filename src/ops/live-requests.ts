import { setTimeout as delay } from 'node:timers/promises';

/** Live requests count as active if the last one came within this time. */
const RECENT_MS = 1_000;
/**
 * While live requests are active, all background work of the process together takes one step in
 * this time.
 */
const STEP_MS = 4;

/**
 * Gives requests of live environments priority over background work: imports, seeds and the first
 * evaluation of cohorts. While such requests are active, background work takes one small step at a
 * time, so that neither the event loop nor the SQL database is busy with it when a request comes.
 * Without them it is not delayed.
 */
export class LiveRequests {
  private lastMs = -Infinity;
  private steps: Promise<unknown> = Promise.resolve();

  /** `nowMs` must be a monotonic clock. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  recordRequest(): void {
    this.lastMs = this.nowMs();
  }

  get areActive(): boolean {
    return this.nowMs() - this.lastMs < RECENT_MS;
  }

  /**
   * Must be awaited before each step of background work. `size` is the number of ordinary steps
   * that the step is worth.
   */
  async waitForTurn(size = 1): Promise<void> {
    if (!this.areActive) return;
    const mine = this.steps.then(() => (this.areActive ? delay(STEP_MS * size) : undefined));
    this.steps = mine;
    await mine;
  }
}
