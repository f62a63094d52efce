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
import { administer } from './administer';
import type { EventStoreConnection } from './connection';
import { KeyedQueue } from './keyed-queue';
import { pull } from './pull';
import { each, readStream } from './read';
import { type StoredEvent, toStoredEvent } from './stored-event';
import type { WatchedSubscription } from './subscription-watch';

const CALL_TIMEOUT_MS = 10_000;
/** Far above any delivery time-out: the server's own retry has no back-off and is not our retry. */
const MESSAGE_TIMEOUT_MS = 15 * 60_000;
const SERVER_RETRIES_MAX = 1_000_000;
const LONGEST_REST_MS = 1_000;

/** A persistent subscription group on a category stream, one for each destination. */
export interface Group {
  readonly stream: string;
  readonly name: string;
  /** First category revision to deliver (inclusive), fixed when the destination was registered. */
  readonly startRevision: number;
}

/** A message of a group. It stays outstanding until it is acked by `ack`. */
export interface GroupMessage {
  readonly categoryRevision: number;
  /** Null when the link's event is gone or is not ours; it is only to be acked. */
  readonly event: StoredEvent | null;
}

export interface GroupBatch {
  readonly messages: readonly GroupMessage[];
  /**
   * Aborts when the subscription has ended or broken, also while no batch is asked for: from then on
   * the place may be another process's.
   */
  readonly signal: AbortSignal;
  /** Takes messages of any batch of this session; those of an earlier session are ignored. */
  readonly ack: (messages: readonly GroupMessage[]) => Promise<void>;
}

/** Where a category stream ends. */
export interface CategoryHead {
  /** The revision its next event will have; 0 where there has been none yet. */
  readonly revision: number;
  /** Commit position of its last event that is still there, as text; "0" where there is none. */
  readonly position: string;
}

export const categoryHead = async (
  connection: EventStoreConnection,
  stream: string,
): Promise<CategoryHead> => {
  const { client } = connection;
  const newest = { backwards: true, resolveLinks: true };
  for await (const event of readStream(client, stream, { ...newest, maxCount: 1 })) {
    return { revision: event.linkRevision + 1, position: String(event.position) };
  }
  // The last event may be gone, deleted or expired: its link stays and counts.
  const revision = await nextRevision(client, stream);
  if (revision === 0) return { revision, position: '0' };
  for await (const event of readStream(client, stream, newest)) {
    return { revision, position: String(event.position) };
  }
  return { revision, position: '0' };
};

/** Links are not followed. */
const nextRevision = async (client: EventStoreDBClient, stream: string): Promise<number> => {
  let revision = 0;
  const last = client.readStream(stream, {
    direction: BACKWARDS,
    fromRevision: END,
    maxCount: 1,
    deadline: CALL_TIMEOUT_MS,
  });
  await each(last, ({ event }) => {
    revision = Number(event?.revision ?? -1) + 1;
  });
  return revision;
};

/**
 * Groups are created one after the other, with a rest as long as the last creation took: the server
 * writes the configuration of all groups anew each time, and the more there are the longer it takes.
 */
const creations = new KeyedQueue();

const isMissing = (error: unknown): boolean =>
  error instanceof PersistentSubscriptionDoesNotExistError;

/** True when another process has the group's one place: stand by and try again. */
export const isTaken = (error: unknown): boolean =>
  error instanceof PersistentSubscriptionMaximumSubscribersReachedError;

/** Creates a group at an explicit revision: one created at the end may lose what comes before its first ack. */
const create = async (client: EventStoreDBClient, group: Group): Promise<void> => {
  const settings = persistentSubscriptionToStreamSettingsFromDefaults({
    startFrom: BigInt(group.startRevision),
    resolveLinkTos: true,
    // Exactly one consumer, so that the order per subscriber holds across processes.
    maxSubscriberCount: 1,
    // Pinned writes wrong checkpoints on servers before 24.10.14 and 26.0.3.
    consumerStrategyName: ROUND_ROBIN,
    messageTimeout: MESSAGE_TIMEOUT_MS,
    maxRetryCount: SERVER_RETRIES_MAX,
  });
  await creations.run('all', async () => {
    const beganAtMs = performance.now();
    await administer({
      name: `create group ${group.name}`,
      call: (options) =>
        client.createPersistentSubscriptionToStream(group.stream, group.name, settings, options),
      isDone: (error) => error instanceof PersistentSubscriptionExistsError,
    });
    const tookMs = performance.now() - beganAtMs;
    void creations.run('all', () => delay(Math.min(tookMs, LONGEST_REST_MS)));
  });
};

export const deleteGroup = ({ client }: EventStoreConnection, group: GroupName): Promise<void> =>
  administer({
    name: `delete group ${group.name}`,
    call: (options) =>
      client.deletePersistentSubscriptionToStream(group.stream, group.name, options),
    isDone: isMissing,
  });

type GroupName = Pick<Group, 'stream' | 'name'>;

interface ConsumeOptions {
  readonly signal: AbortSignal;
  /** Messages the server hands out before it waits for acks. */
  readonly outstandingMax: number;
  readonly watched?: WatchedSubscription;
}

/**
 * Takes the group's one place and yields what it hands out, creating the group when it is missing.
 * The first batch, which may be empty, comes when the place is ours.
 * Throws when the place is taken (`isTaken`) or the connection breaks; what was not acked comes again.
 */
export async function* consume(
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
    const batches = pull<PersistentSubscriptionToStreamResolvedEvent>(subscription, {
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
      if (created !== undefined) watched?.received(created.getTime());
      const messages = items.map((item) => {
        const message = toMessage(item);
        received.set(message, item);
        return message;
      });
      yield { messages, signal: held, ack };
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
    await create(connection.client, group);
  } finally {
    lease.release();
  }
}

const toMessage = ({ event, link }: PersistentSubscriptionToStreamResolvedEvent): GroupMessage => ({
  categoryRevision: Number(link?.revision ?? event?.revision ?? 0),
  event: toStoredEvent(event),
});
