import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  PersistentSubscriptionMaximumSubscribersReachedError,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionExistsError,
  type PersistentSubscriptionToStreamResolvedEvent,
  persistentSubscriptionToStreamSettingsFromDefaults,
  ROUND_ROBIN,
} from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { callWithRetry } from './call-with-retry';
import type { EventStoreConnection } from './connection';
import { KeyedQueue } from './keyed-queue';
import { pullBatches } from './pull';
import { forEachEntry, readStream } from './read';
import { type StoredEvent, toStoredEvent, readEntryRevision } from './stored-event';
import type { WatchedSubscription } from './subscription-watch';

const CALL_TIMEOUT_MS = 10_000;
/**
 * Time after which the server repeats a message. It is far longer than any attempt, because the
 * server's repetition has no back-off and is not the retry schedule.
 */
const MESSAGE_TIMEOUT_MS = 15 * 60_000;
const SERVER_RETRIES_MAX = 1_000_000;
const LONGEST_PAUSE_MS = 1_000;

/** A persistent subscription group on a category stream. Each destination has one. */
export interface Group {
  readonly stream: string;
  readonly name: string;
  /** First category revision to deliver (inclusive), fixed when the destination was registered. */
  readonly startRevision: number;
}

/** A message of a group. It stays outstanding until it is acknowledged. */
export interface GroupMessage {
  readonly categoryRevision: number;
  /**
   * The event; null if it is missing or written by another program. Such a message is only
   * acknowledged.
   */
  readonly event: StoredEvent | null;
}

export interface GroupBatch {
  readonly messages: readonly GroupMessage[];
  /**
   * The signal aborts when the subscription has ended or broken, even if no batch is requested.
   * From then on another process may own the group.
   */
  readonly signal: AbortSignal;
  /**
   * Acknowledges messages of any batch of this session. Those of an earlier session are ignored.
   */
  readonly ack: (messages: readonly GroupMessage[]) => Promise<void>;
}

/** The end of a category stream. */
export interface CategoryHead {
  /** Revision of its next event; 0 if it is empty. */
  readonly revision: number;
  /** Commit position of its last existing event, as text; "0" if there is none. */
  readonly position: string;
}

export const readCategoryHead = async (
  connection: EventStoreConnection,
  stream: string,
): Promise<CategoryHead> => {
  const { client } = connection;
  const newest = { backwards: true, resolveLinks: true };
  for await (const event of readStream(client, stream, { ...newest, maxCount: 1 })) {
    return { revision: event.linkRevision + 1, position: String(event.position) };
  }
  // The last event may be deleted or expired. Its link remains and counts.
  const revision = await readNextRevision(client, stream);
  if (revision === 0) return { revision, position: '0' };
  for await (const event of readStream(client, stream, newest)) {
    return { revision, position: String(event.position) };
  }
  return { revision, position: '0' };
};

/** Returns the revision of the next link. Links are not resolved. */
const readNextRevision = async (client: EventStoreDBClient, stream: string): Promise<number> => {
  let revision = 0;
  const last = client.readStream(stream, {
    direction: BACKWARDS,
    fromRevision: END,
    maxCount: 1,
    deadline: CALL_TIMEOUT_MS,
  });
  await forEachEntry(last, (entry) => {
    revision = readEntryRevision(entry) + 1;
  });
  return revision;
};

/**
 * Groups are created one after the other, with a pause as long as the last creation took. The
 * server rewrites the configuration of all groups each time, and takes longer the more there are.
 */
const creations = new KeyedQueue();

const isMissing = (error: unknown): boolean =>
  error instanceof PersistentSubscriptionDoesNotExistError;

/** True if another process owns the group. The caller stands by and tries again. */
export const isOwnedElsewhere = (error: unknown): boolean =>
  error instanceof PersistentSubscriptionMaximumSubscribersReachedError;

/**
 * Creates a group at an explicit revision. A group created at the end may lose events before its
 * first acknowledgement.
 */
const createGroup = async (client: EventStoreDBClient, group: Group): Promise<void> => {
  const settings = persistentSubscriptionToStreamSettingsFromDefaults({
    startFrom: BigInt(group.startRevision),
    resolveLinkTos: true,
    // One subscriber keeps the order per subscriber stream across processes.
    maxSubscriberCount: 1,
    // The strategy Pinned writes wrong checkpoints on servers before 24.10.14 and 26.0.3.
    consumerStrategyName: ROUND_ROBIN,
    messageTimeout: MESSAGE_TIMEOUT_MS,
    maxRetryCount: SERVER_RETRIES_MAX,
  });
  await creations.run('all', async () => {
    const beganAtMs = performance.now();
    await callWithRetry({
      name: `create group ${group.name}`,
      call: (options) =>
        client.createPersistentSubscriptionToStream(group.stream, group.name, settings, options),
      isAlreadyDone: (error) => error instanceof PersistentSubscriptionExistsError,
    });
    const tookMs = performance.now() - beganAtMs;
    void creations.run('all', () => delay(Math.min(tookMs, LONGEST_PAUSE_MS)));
  });
};

export const deleteGroup = ({ client }: EventStoreConnection, group: GroupId): Promise<void> =>
  callWithRetry({
    name: `delete group ${group.name}`,
    call: (options) =>
      client.deletePersistentSubscriptionToStream(group.stream, group.name, options),
    isAlreadyDone: isMissing,
  });

type GroupId = Pick<Group, 'stream' | 'name'>;

interface ConsumeOptions {
  readonly signal: AbortSignal;
  /** Number of messages that the server sends before it waits for acknowledgements. */
  readonly outstandingMax: number;
  readonly watched?: WatchedSubscription;
}

/**
 * Subscribes to a group and yields its messages. A missing group is created. The first batch, which
 * may be empty, comes when this process owns the group. It throws if another process owns it
 * (`isOwnedElsewhere`) or the connection breaks. Messages without acknowledgement come again.
 */
export async function* consumeGroup(
  connection: EventStoreConnection,
  group: Group,
  { signal, outstandingMax, watched }: ConsumeOptions,
): AsyncGenerator<GroupBatch> {
  const lease = connection.leaseSubscription();
  try {
    const subscription = lease.client.subscribeToPersistentSubscriptionToStream(
      group.stream,
      group.name,
      { bufferSize: outstandingMax },
      { highWaterMark: outstandingMax },
    );
    const batches = pullBatches<PersistentSubscriptionToStreamResolvedEvent>(subscription, {
      signal,
      itemsMax: outstandingMax,
      milestone: 'confirmation',
      watched,
    });
    const received = new WeakMap<GroupMessage, PersistentSubscriptionToStreamResolvedEvent>();
    const ack = async (messages: readonly GroupMessage[]): Promise<void> => {
      const acked = messages.map((m) => received.get(m)).filter((item) => item !== undefined);
      if (acked.length > 0) await subscription.ack(...acked);
    };
    for await (const { items, signal: held } of batches) {
      const last = items.at(-1);
      const created = (last?.link ?? last?.event)?.created;
      if (created !== undefined) watched?.recordEvent(created.getTime());
      const messages = items.map((item) => {
        const message = toMessage(item);
        received.set(message, item);
        return message;
      });
      yield { messages, signal: held, ack };
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
    await createGroup(connection.client, group);
  } finally {
    lease.release();
  }
}

const toMessage = (entry: PersistentSubscriptionToStreamResolvedEvent): GroupMessage => ({
  categoryRevision: readEntryRevision(entry),
  event: toStoredEvent(entry.event),
});
