import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError, log } from './log';

/** Work that goes on until it is told to stop, and then finishes what it has under way. */
export interface Loop {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

const DRAIN_TIMEOUT_MS = 20_000;

/** The one place that starts and drains every loop of the process. */
export class Supervisor {
  private readonly stopping = new AbortController();
  private running: Promise<void>[] = [];

  constructor(private readonly onFatal: (error: unknown) => void) {
    // Every loop listens to the one signal, some of them several times.
    setMaxListeners(0, this.stopping.signal);
  }

  /** No loop begins before `first` has ended. */
  start(first: Loop, loops: readonly Loop[]): void {
    const begun = this.keep(first);
    this.running = loops.map(async (loop) => {
      if ((await begun) && !this.stopping.signal.aborted) await this.keep(loop);
    });
  }

  /** True when it ended in order. */
  private async keep(loop: Loop): Promise<boolean> {
    const { name } = loop;
    try {
      await loop.run(this.stopping.signal);
      log.debug({ loop: name }, 'loop ended');
      return true;
    } catch (error) {
      // A loop handles what can go wrong; what escapes it is a fault, and half a service is worse.
      log.fatal({ loop: name, ...describeError(error) }, 'loop failed');
      this.onFatal(error);
      return false;
    }
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Tells every loop to stop and waits until they have, at most 20 s. False when time ran out. */
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
