import type { MailFiles } from '../../delivery/mail/mail-files';
import type { Aggregates } from '../../event-store/aggregates';
import { followLog, type LogPosition, readNewestPosition } from '../../event-store/catch-up';
import type { EventStoreConnection } from '../../event-store/connection';
import { keepSubscribed } from '../../event-store/keep-subscribed';
import { readEventIds } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { parseScope } from '../../kernel/scope';
import { pollUntilStopped } from '../../ops/polling';

const ERASED = 'subscriber.erased';
/**
 * While erasures do not reach this process, its cached personal data is deleted this often. The
 * connection notices within 20 s that the store does not answer any more, and both together must
 * stay below the 30 s that docs/security.md promises.
 */
const DROPPED_EVERY_MS = 5_000;

interface FollowerParts {
  readonly aggregates: Pick<Aggregates, 'stopCaching' | 'dropStates'>;
  readonly connection: EventStoreConnection;
  readonly vault: Pick<Vault, 'dropKey' | 'dropKeys'>;
  readonly mailFiles: MailFiles;
}

/**
 * Follows the erasures of all processes, so that this process deletes its copies of a subscriber's
 * data as soon as the event arrives. While it is out of touch with the log, it keeps no personal
 * data in memory, because it would not learn of an erasure.
 */
export class ErasureFollower {
  private isFollowing = false;

  constructor(
    private readonly parts: FollowerParts,
    private readonly droppedEveryMs = DROPPED_EVERY_MS,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.follow(signal), this.dropWhileOutOfTouch(signal)]);
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { connection } = this.parts;
    let after: LogPosition | null | undefined;
    const name = 'erasures';
    await keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      after ??= await readNewestPosition(connection);
      const types = [ERASED];
      try {
        for await (const batch of followLog(connection, { after, signal, watched, types })) {
          markHealthy();
          await this.removeData(
            batch.events
              .filter(({ type }) => type === ERASED)
              .map(({ owner }) => owner)
              .filter((owner) => owner !== null),
          );
          after = batch.position ?? after;
          if (batch.caughtUp) this.startFollowing();
        }
      } finally {
        this.isFollowing = false;
      }
    });
  }

  /** Data that was cached before the first event arrived may belong to an erased subscriber. */
  private startFollowing(): void {
    if (!this.isFollowing) this.dropCaches();
    this.isFollowing = true;
  }

  /**
   * Deletes the data of subscribers from the memory and the files of this process. The memory comes
   * first, so that a file that cannot be deleted keeps nothing in memory.
   */
  private async removeData(
    erased: readonly { readonly scopeName: string; readonly subscriberId: string }[],
  ): Promise<void> {
    const { aggregates, connection, vault, mailFiles } = this.parts;
    const named = erased.map(({ scopeName, subscriberId: id }) => ({
      id,
      stream: streams.subscriber(parseScope(scopeName), id),
    }));
    for (const { id, stream } of named) {
      aggregates.stopCaching(stream);
      vault.dropKey(id);
    }
    for (const { stream } of named) {
      await mailFiles.deleteForEvents(() => readEventIds(connection.client, stream.name));
    }
  }

  private async dropWhileOutOfTouch(signal: AbortSignal): Promise<void> {
    const dropIfOutOfTouch = (): void => {
      if (!this.isFollowing) this.dropCaches();
    };
    const everyMs = this.droppedEveryMs;
    await pollUntilStopped(signal, dropIfOutOfTouch, { everyMs, firstAfterMs: everyMs });
  }

  private dropCaches(): void {
    this.parts.aggregates.dropStates();
    this.parts.vault.dropKeys();
  }
}
