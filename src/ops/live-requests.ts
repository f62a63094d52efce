import { setTimeout as delay } from 'node:timers/promises';

/** Live requests "go on" if the last one came within this time. */
const RECENT_MS = 1_000;
/** While they go on, all background work of the process together takes one step in this time. */
const STEP_MS = 4;

/**
 * Gives requests of live environments precedence over work that nobody waits for: imports, seeds and the
 * first evaluation of cohorts. While such requests go on, this work goes one small step at a time, so that
 * neither the event loop nor the SQL database is busy with it when a request comes. Without them it is not
 * held back.
 */
export class LiveRequests {
  private lastMs = -Infinity;
  private steps: Promise<unknown> = Promise.resolve();

  /** `nowMs` is monotonic. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  note(): void {
    this.lastMs = this.nowMs();
  }

  get goOn(): boolean {
    return this.nowMs() - this.lastMs < RECENT_MS;
  }

  /** To be awaited before each step of background work. `size` is how many ordinary steps it is worth. */
  async turn(size = 1): Promise<void> {
    if (!this.goOn) return;
    const mine = this.steps.then(() => (this.goOn ? delay(STEP_MS * size) : undefined));
    this.steps = mine;
    await mine;
  }
}
