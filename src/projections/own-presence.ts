import { EventEmitter, once } from 'node:events';
import { warnOfFailure } from '../event-store/failures';
import { pollUntilStopped, waitAtMost } from '../ops/polling';
import type { Database } from '../read-models/database';
import { showPresence } from '../read-models/presence';

/** Time limit for showing this process's presence before it acquires the checkpoint. */
const SHOW_WITHIN_MS = 1_000;
/** Pause before a broken connection that shows the presence is opened again. */
const RETRY_MS = 1_000;

interface PresenceParts {
  readonly database: Database;
  /** Names this process in the checkpoint. */
  readonly instanceId: string;
  /** True if no other process can use these read models. */
  readonly isAlone?: boolean;
}

/** Shows other processes that this one lives, so that they notice its death at once. */
export class OwnPresence {
  private readonly changes = new EventEmitter();
  private isShown = false;

  constructor(private readonly parts: PresenceParts) {}

  /** Shows the presence until the signal aborts, over one connection after the other. */
  async run(signal: AbortSignal): Promise<void> {
    if (!this.isNeeded()) return;
    const { database, instanceId } = this.parts;
    const onShown = (): void => {
      this.isShown = true;
      this.changes.emit('shown');
    };
    await pollUntilStopped(signal, () => showPresence(database, instanceId, { signal, onShown }), {
      everyMs: RETRY_MS,
      onFailure: (error) => {
        warnOfFailure('the presence of this process cannot be shown', 'projector', error);
      },
    });
  }

  /**
   * Waits a moment until the presence is shown. The caller then continues even without it: the
   * others fall back on the heartbeat.
   */
  async waitUntilShown(signal: AbortSignal): Promise<void> {
    await waitAtMost(SHOW_WITHIN_MS, signal, async (end) => {
      if (this.isShown || !this.isNeeded()) return;
      await once(this.changes, 'shown', { signal: end });
    });
  }

  /**
   * False if no other process exists, or if the database has one session for all connections and so
   * cannot tell which process has died.
   */
  private isNeeded(): boolean {
    return this.parts.isAlone !== true && !this.parts.database.isEmbedded;
  }
}
