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

const ERASED_EVENT = 'subscriber.erased';
/**
 * Interval for deleting cached personal data while this process does not receive erasures. It takes
 * up to 20 s to notice that the store does not answer. The sum of both must be less than 30 s,
 * which docs/security.md promises.
 */
const DROP_INTERVAL_MS = 5_000;

interface FollowerParts {
  readonly aggregates: Pick<Aggregates, 'stopCaching' | 'dropStates'>;
  readonly connection: EventStoreConnection;
  readonly vault: Pick<Vault, 'dropKey' | 'dropKeys'>;
  readonly mailFiles: MailFiles;
}

/**
 * Follows the erasures of all processes, so that this process deletes its copies of a subscriber's
 * data as soon as the event arrives. While it cannot read the log, it would not learn of an
 * erasure, so it regularly deletes all personal data from its memory.
 */
export class ErasureFollower {
  private isFollowing = false;

  constructor(
    private readonly parts: FollowerParts,
    private readonly dropIntervalMs = DROP_INTERVAL_MS,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.follow(signal), this.dropWhileNotFollowing(signal)]);
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { connection } = this.parts;
    let after: LogPosition | null | undefined;
    const name = 'erasures';
    await keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      after ??= await readNewestPosition(connection);
      const types = [ERASED_EVENT];
      try {
        for await (const batch of followLog(connection, { after, signal, watched, types })) {
          markHealthy();
          await this.removeData(
            batch.events
              .filter(({ type }) => type === ERASED_EVENT)
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

  /**
   * Called when the log has been read to its end. At the first time, and after an interruption, the
   * caches may contain data of a subscriber whose erasure was missed, so they are emptied.
   */
  private startFollowing(): void {
    if (!this.isFollowing) this.dropCaches();
    this.isFollowing = true;
  }

  /**
   * Deletes the data of subscribers from the memory and the files of this process. The memory is
   * first, so that an error about a file leaves nothing in memory.
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

  private async dropWhileNotFollowing(signal: AbortSignal): Promise<void> {
    const dropUnlessFollowing = (): void => {
      if (!this.isFollowing) this.dropCaches();
    };
    const everyMs = this.dropIntervalMs;
    await pollUntilStopped(signal, dropUnlessFollowing, { everyMs, firstAfterMs: everyMs });
  }

  private dropCaches(): void {
    this.parts.aggregates.dropStates();
    this.parts.vault.dropKeys();
  }
}
