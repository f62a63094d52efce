import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  eventTypeFilter,
  excludeSystemEvents,
  type ResolvedEvent,
  START,
} from '@eventstore/db-client';
import type { EventStoreConnection } from './connection';
import { pullBatches } from './pull';
import { type StoredEvent, toStoredEvent, readEntryRevision } from './stored-event';
import type { WatchedSubscription } from './subscription-watch';

const BUFFERED_MAX = 1_000;

/**
 * A position in $all. Both numbers are kept, because a real server needs both to resume exactly.
 */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

export interface LogBatch {
  readonly events: readonly StoredEvent[];
  /** Position of the last event of the batch, null when the batch is empty. */
  readonly position: LogPosition | null;
  readonly caughtUp: boolean;
}

interface FollowOptions {
  /** Position after which to begin; null = the beginning of the log. */
  readonly after: LogPosition | null;
  readonly signal: AbortSignal;
  readonly watched?: WatchedSubscription;
  /** Event types to follow; undefined = all. */
  readonly types?: readonly string[];
}

/** Returns the position of the newest event; null while the log is empty. */
export const readNewestPosition = async ({
  client,
}: EventStoreConnection): Promise<LogPosition | null> => {
  let position: LogPosition | null = null;
  const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1 } as const;
  for await (const { event } of client.readAll(newest)) position = event?.position ?? position;
  return position;
};

/**
 * Yields all events of the log after a position, without system events, and then new ones as they
 * come. It uses one subscription.
 */
export async function* followLog(
  connection: EventStoreConnection,
  { after, signal, watched, types }: FollowOptions,
): AsyncGenerator<LogBatch> {
  const lease = connection.leaseSubscription();
  try {
    const subscription = lease.client.subscribeToAll(
      {
        fromPosition: after ?? START,
        filter:
          types === undefined
            ? excludeSystemEvents({ checkpointInterval: 1_000 })
            : eventTypeFilter({ prefixes: [...types], checkpointInterval: 1_000 }),
      },
      { highWaterMark: BUFFERED_MAX },
    );
    const batches = pullBatches<AllStreamResolvedEvent>(subscription, {
      signal,
      itemsMax: BUFFERED_MAX,
      milestone: 'caughtUp',
      watched,
    });
    for await (const { items, milestone: caughtUp } of batches) {
      reportLastEvent(watched, items.at(-1));
      yield {
        events: items.map(({ event }) => toStoredEvent(event)).filter((event) => event !== null),
        position: items.at(-1)?.event?.position ?? null,
        caughtUp,
      };
    }
  } finally {
    lease.release();
  }
}

export interface LinkedEvent {
  /** Revision in the category stream. */
  readonly revision: number;
  /** The event; null if it was deleted or written by another program. */
  readonly event: StoredEvent | null;
}

export interface CategoryBatch {
  readonly events: readonly LinkedEvent[];
  readonly caughtUp: boolean;
}

interface FollowCategoryOptions {
  readonly stream: string;
  /** Revision after which to begin; -1 = the beginning. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly watched?: WatchedSubscription;
}

/**
 * Yields the events that a category stream links to after a revision, and then new ones as they
 * come. It uses one subscription.
 */
export async function* followCategory(
  connection: EventStoreConnection,
  { stream, after, signal, watched }: FollowCategoryOptions,
): AsyncGenerator<CategoryBatch> {
  const lease = connection.leaseSubscription();
  try {
    const subscription = lease.client.subscribeToStream(
      stream,
      { fromRevision: after < 0 ? START : BigInt(after), resolveLinkTos: true },
      { highWaterMark: BUFFERED_MAX },
    );
    const batches = pullBatches<ResolvedEvent>(subscription, {
      signal,
      itemsMax: BUFFERED_MAX,
      milestone: 'caughtUp',
      watched,
    });
    for await (const { items, milestone: caughtUp } of batches) {
      reportLastEvent(watched, items.at(-1));
      connection.links.recordLink(items.at(-1)?.link?.position?.commit ?? -1n);
      yield {
        events: items.map((entry) => ({
          revision: readEntryRevision(entry),
          event: toStoredEvent(entry.event),
        })),
        caughtUp,
      };
    }
  } finally {
    lease.release();
  }
}

const reportLastEvent = (
  watched: WatchedSubscription | undefined,
  last: AllStreamResolvedEvent | ResolvedEvent | undefined,
): void => {
  const created = (last?.link ?? last?.event)?.created;
  if (created !== undefined) watched?.recordEvent(created.getTime());
};
