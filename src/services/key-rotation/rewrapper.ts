import { log } from '../../ops/log';
import { pollUntilStopped } from '../../ops/polling';
import { warnOfFailure } from '../../event-store/failures';
import type { KeyRing } from '../../event-store/key-ring';
import { type Clock, msBetween } from '../../kernel/time';

const POLL_MS = 250;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** A kind of text that master keys wrap, and how to rewrap it. */
export interface SealedPlace {
  readonly name: string;
  /**
   * Rewraps all texts of this kind and returns how many were under another key. Repeating it is
   * harmless.
   */
  rewrap(signal: AbortSignal): Promise<number>;
}

interface RewrapperParts {
  readonly ring: KeyRing;
  readonly places: readonly SealedPlace[];
  readonly clock: Clock;
  /**
   * True if this process should rewrap. Only one process does. If it dies, another one continues.
   */
  readonly isProjector: () => boolean;
  /**
   * For this time after the start of a rotation, another process may still wrap with the old key,
   * because it does not know the new one yet.
   */
  readonly oldKeyUsableForMs: number;
}

/**
 * Rewraps everything with the new master key during a rotation. Progress is not stored: after a
 * crash the remaining texts are found again, and a rotation ends with a pass that finds nothing.
 */
export class Rewrapper {
  /** Number of texts that this process has rewrapped in the current or last rotation. */
  private count = 0;

  constructor(private readonly parts: RewrapperParts) {}

  get rewrapped(): number {
    return this.count;
  }

  async run(signal: AbortSignal): Promise<void> {
    await pollUntilStopped(signal, () => this.rewrapIfRotating(signal), {
      everyMs: POLL_MS,
      afterFailureMs: PAUSE_AFTER_FAILURE_MS,
      onFailure: (error) => {
        warnOfFailure(
          'the rotation of the master key cannot continue: it is tried again',
          'rewrapper',
          error,
        );
      },
    });
  }

  private async rewrapIfRotating(signal: AbortSignal): Promise<void> {
    const { ring, isProjector } = this.parts;
    if (ring.state.rotation === null || !isProjector()) return;
    const isSettled = this.isOldKeyUnused();
    const found = await this.rewrapAll(signal);
    this.count += found;
    if (found > 0 || !isSettled || signal.aborted) return;
    await ring.finishRotation();
    log.info({ key: ring.keyId, rewrapped: this.count }, 'the master key was rotated');
  }

  private isOldKeyUnused(): boolean {
    const { ring, clock, oldKeyUsableForMs } = this.parts;
    const { rotation } = ring.state;
    return rotation !== null && msBetween(rotation.startedAt, clock.now()) >= oldKeyUsableForMs;
  }

  private async rewrapAll(signal: AbortSignal): Promise<number> {
    let found = 0;
    for (const place of this.parts.places) found += await place.rewrap(signal);
    return found;
  }
}
