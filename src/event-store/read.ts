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
/** A long stream is never whole in memory, and no call of it takes long. */
const PAGE_EVENTS = 500;

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

/** All events of a stream from a revision on, page by page; none where it does not exist. */
export async function* readPages(
  client: EventStoreDBClient,
  stream: string,
  from: number,
): AsyncGenerator<readonly StoredEvent[]> {
  let next = from;
  let entries: number;
  do {
    const page: StoredEvent[] = [];
    entries = 0;
    const options = { fromRevision: BigInt(next), maxCount: PAGE_EVENTS };
    const read = client.readStream(stream, { ...options, deadline: READ_TIMEOUT_MS });
    await each(read, ({ event }) => {
      entries += 1;
      next = Number(event?.revision ?? next) + 1;
      const stored = toStoredEvent(event);
      if (stored !== null) page.push(stored);
    });
    yield page;
  } while (entries === PAGE_EVENTS);
}

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
