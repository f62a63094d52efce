import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError, log } from './log';

/** Work that runs until its signal aborts and then finishes what is in progress. */
export interface Loop {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

/** The time in which a process finishes what is under way when it stops. */
export const DRAIN_TIMEOUT_MS = 20_000;

/** Starts and drains every loop of the process. */
export class Supervisor {
  private readonly stopping = new AbortController();
  private running: Promise<void>[] = [];

  constructor(private readonly onFatal: (error: unknown) => void) {
    // Every loop listens to the same signal, some of them several times.
    setMaxListeners(0, this.stopping.signal);
  }

  /** Starts the loops. None begins before `first` has ended. */
  start(first: Loop, loops: readonly Loop[]): void {
    const begun = this.runLoop(first);
    this.running = loops.map(async (loop) => {
      if ((await begun) && !this.stopping.signal.aborted) await this.runLoop(loop);
    });
  }

  /** Runs a loop. Returns true if it ended normally. */
  private async runLoop(loop: Loop): Promise<boolean> {
    const { name } = loop;
    try {
      await loop.run(this.stopping.signal);
      log.debug({ loop: name }, 'loop ended');
      return true;
    } catch (error) {
      // A loop handles its expected errors. Any other error is a bug, and the process must not
      // continue with some of its loops.
      log.fatal({ loop: name, ...describeError(error) }, 'loop failed');
      this.onFatal(error);
      return false;
    }
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Stops every loop and waits for at most 20 s. Returns false if a loop did not end in time. */
  async stop(): Promise<boolean> {
    this.stopping.abort();
    const timeout = new AbortController();
    const done = Promise.all(this.running).then(() => true);
    const late = delay(DRAIN_TIMEOUT_MS, false, { signal: timeout.signal, ref: false }).catch(
      () => false,
    );
    const drained = await Promise.race([done, late]);
    timeout.abort();
    return drained;
  }
}
