import { setTimeout as delay } from 'node:timers/promises';
import { log } from '../../ops/log';
import { warnOfFailure } from '../../event-store/failures';
import type { KeyRing } from '../../event-store/key-ring';
import { type Clock, msBetween } from '../../kernel/time';

const LOOK_EVERY_MS = 250;
const PAUSE_AFTER_FAULT_MS = 1_000;

/** A kind of text that master keys wrap, and how it is put under the current one. */
export interface SealedPlace {
  readonly name: string;
  /** Answers how many texts were under another key. Repeating it is harmless. */
  rewrap(signal: AbortSignal): Promise<number>;
}

interface RewrapperParts {
  readonly ring: KeyRing;
  readonly places: readonly SealedPlace[];
  readonly clock: Clock;
  /** Only one process rewraps; another one takes over where it dies. */
  readonly mayWork: () => boolean;
  /** Until then another process may not have heard of the new key, and still wrap with the old one. */
  readonly settlesAfterMs: number;
}

/**
 * Puts everything under the new master key while a rotation is under way. Nothing of its progress is
 * kept: what is under the old key is found again after a crash, and a rotation ends with a pass that
 * finds nothing.
 */
export class Rewrapper {
  /** Texts that this process has rewrapped in the rotation under way or the last one. */
  private count = 0;

  constructor(private readonly parts: RewrapperParts) {}

  get rewrapped(): number {
    return this.count;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const failed = await this.passIfDue(signal).then(
        () => false,
        (error: unknown) => {
          warnOfFailure('the rotation of the master key is waiting', 'rewrapper', error);
          return true;
        },
      );
      const pauseMs = failed ? PAUSE_AFTER_FAULT_MS : LOOK_EVERY_MS;
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async passIfDue(signal: AbortSignal): Promise<void> {
    const { ring, mayWork } = this.parts;
    if (ring.state.rotation === null || !mayWork()) return;
    const isSettled = this.isSettled();
    const found = await this.pass(signal);
    this.count += found;
    if (found > 0 || !isSettled || signal.aborted) return;
    await ring.finishRotation();
    log.info({ key: ring.keyId, rewrapped: this.count }, 'the master key was rotated');
  }

  private isSettled(): boolean {
    const { ring, clock, settlesAfterMs } = this.parts;
    const { rotation } = ring.state;
    return rotation !== null && msBetween(rotation.startedAt, clock.now()) >= settlesAfterMs;
  }

  private async pass(signal: AbortSignal): Promise<number> {
    let found = 0;
    for (const place of this.parts.places) found += await place.rewrap(signal);
    return found;
  }
}
