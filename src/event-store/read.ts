import {
  BACKWARDS,
  type EventStoreDBClient,
  FORWARDS,
  type ReadRevision,
  type ResolvedEvent,
  START,
  END,
  StreamDeletedError,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { type StoredEvent, toStoredEvent } from './stored-event';

const READ_TIMEOUT_MS = 10_000;

interface ReadOptions {
  /** Revision of the first event wanted; the stream's beginning (or end, backwards) without it. */
  readonly from?: number;
  readonly maxCount?: number;
  readonly backwards?: boolean;
  /** Follow links (category streams); a link whose event is gone is left out. */
  readonly resolveLinks?: boolean;
}

/** Events of one stream in order; nothing where the stream does not exist or was deleted. */
export async function* readStream(
  client: EventStoreDBClient,
  stream: string,
  { from, maxCount, backwards = false, resolveLinks = false }: ReadOptions = {},
): AsyncGenerator<StoredEvent & { linkRevision: number }> {
  const start: ReadRevision = from === undefined ? (backwards ? END : START) : BigInt(from);
  const events = client.readStream(stream, {
    fromRevision: start,
    direction: backwards ? BACKWARDS : FORWARDS,
    resolveLinkTos: resolveLinks,
    deadline: READ_TIMEOUT_MS,
    ...(maxCount === undefined ? {} : { maxCount }),
  });
  let ended = false;
  try {
    for await (const { event, link } of events) {
      const stored = toStoredEvent(event);
      if (stored !== null) {
        yield { ...stored, linkRevision: Number(link?.revision ?? event?.revision ?? 0) };
      }
    }
    ended = true;
  } catch (error) {
    ended = true;
    if (!isGone(error)) throw error;
  } finally {
    // A caller that stops early leaves the call open otherwise, and it counts against the 100.
    if (!ended) await events.cancel();
  }
}

/** All events of a stream from a revision on; none where it does not exist or was deleted. */
export const readWhole = async (
  client: EventStoreDBClient,
  stream: string,
  from: number,
): Promise<StoredEvent[]> => {
  const found: StoredEvent[] = [];
  const options = { fromRevision: BigInt(from), deadline: READ_TIMEOUT_MS };
  await each(client.readStream(stream, options), ({ event }) => {
    const stored = toStoredEvent(event);
    if (stored !== null) found.push(stored);
  });
  return found;
};

/** Takes what comes as it comes: going through an async iterator costs as much as the rest. */
export const each = (
  read: ReturnType<EventStoreDBClient['readStream']>,
  take: (entry: ResolvedEvent) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    read.on('data', take);
    read.on('end', resolve);
    read.on('error', (error) => {
      if (isGone(error)) resolve();
      else reject(error);
    });
  });

const isGone = (error: unknown): boolean =>
  error instanceof StreamNotFoundError || error instanceof StreamDeletedError;
