import {
  BACKWARDS,
  type EventStoreDBClient,
  FORWARDS,
  type ResolvedEvent,
  START,
  END,
  StreamDeletedError,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { type StoredEvent, toStoredEvent, readEntryRevision } from './stored-event';

/** Time limit of a call. The store does not answer a call that takes longer. */
const READ_TIMEOUT_MS = 10_000;
/** Page size. A long stream is never in memory as a whole, and no call takes long. */
const PAGE_EVENTS = 500;
/**
 * Size of the first page of a read without `maxCount`. It is small, because the caller may stop
 * early.
 */
const FIRST_PAGE_EVENTS = 20;
const PAGE_GROWTH = 5;
/** The message of grpc-js for a call whose channel was closed before it was sent. */
const CHANNEL_CLOSED = 'Channel closed before call started';
const TRIES_MAX = 5;

interface ReadOptions {
  /**
   * Revision of the first event; without it the beginning of the stream (or its end, backwards).
   */
  readonly from?: number;
  readonly maxCount?: number;
  readonly backwards?: boolean;
  /** True to resolve links (category streams). A link whose event is missing is left out. */
  readonly resolveLinks?: boolean;
}

type ReadEvent = StoredEvent & { linkRevision: number };

interface Page {
  readonly events: readonly ReadEvent[];
  readonly entries: number;
  /** Revision of the last entry. */
  readonly last: number;
}

/**
 * Yields the events of one stream in order; nothing if the stream does not exist or was deleted. It
 * reads whole pages, so a caller may stop at any event. A cancelled call would be a reset, and
 * Node's HTTP/2 server closes the connection of a client that resets too often.
 */
export async function* readStream(
  client: EventStoreDBClient,
  stream: string,
  options: ReadOptions = {},
): AsyncGenerator<ReadEvent> {
  const { backwards = false, maxCount = Infinity } = options;
  let { from } = options;
  let left = maxCount;
  let size = maxCount === Infinity ? FIRST_PAGE_EVENTS : PAGE_EVENTS;
  while (left > 0) {
    const wanted = Math.min(left, size);
    const page = await readPage(client, stream, { ...options, from, maxCount: wanted });
    yield* page.events;
    left -= page.entries;
    if (page.entries < wanted) return;
    from = backwards ? page.last - 1 : page.last + 1;
    if (from < 0) return;
    size = Math.min(size * PAGE_GROWTH, PAGE_EVENTS);
  }
}

/** Yields the ids of the events of a stream. */
export async function* readEventIds(
  client: EventStoreDBClient,
  stream: string,
): AsyncGenerator<string> {
  for await (const event of readStream(client, stream)) yield event.id;
}

const readPage = (
  client: EventStoreDBClient,
  stream: string,
  options: PageOptions,
): Promise<Page> => retryIfClosed(() => readPageOnce(client, stream, options));

const readPageOnce = async (
  client: EventStoreDBClient,
  stream: string,
  { from, maxCount, backwards = false, resolveLinks = false }: PageOptions,
): Promise<Page> => {
  const events: ReadEvent[] = [];
  let entries = 0;
  let last = -1;
  const read = client.readStream(stream, {
    fromRevision: from === undefined ? (backwards ? END : START) : BigInt(from),
    direction: backwards ? BACKWARDS : FORWARDS,
    resolveLinkTos: resolveLinks,
    maxCount,
    deadline: READ_TIMEOUT_MS,
  });
  await forEachEntry(read, (entry) => {
    entries += 1;
    last = readEntryRevision(entry);
    const stored = toStoredEvent(entry.event);
    if (stored !== null) events.push({ ...stored, linkRevision: last });
  });
  return { events, entries, last };
};

interface PageOptions extends Omit<ReadOptions, 'from' | 'maxCount'> {
  readonly from: number | undefined;
  readonly maxCount: number;
}

/**
 * Yields all events of a stream from a revision on, page by page; none if the stream does not
 * exist.
 */
export async function* readPages(
  client: EventStoreDBClient,
  stream: string,
  from: number,
): AsyncGenerator<readonly StoredEvent[]> {
  let next = from;
  let entries: number;
  do {
    const page = await readPage(client, stream, { from: next, maxCount: PAGE_EVENTS });
    entries = page.entries;
    next = page.last + 1;
    yield page.events;
  } while (entries === PAGE_EVENTS);
}

/**
 * Repeats a read that was never sent. When any call of the client breaks, the client closes its
 * channel, and calls that are just beginning fail with it.
 */
const retryIfClosed = async <T>(read: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      const closed = error instanceof Error && error.message.includes(CHANNEL_CLOSED);
      if (!closed || tries === TRIES_MAX) throw error;
    }
  }
};

/** Calls a function for each entry. An async iterator would double the processor time of a read. */
export const forEachEntry = (
  read: ReturnType<EventStoreDBClient['readStream']>,
  take: (entry: ResolvedEvent) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: Error | undefined;
    read.on('data', (entry) => {
      // An entry that cannot be decoded fails the read. An error thrown here would end the process.
      try {
        if (failure === undefined) take(entry);
      } catch (error) {
        failure = error as Error;
      }
    });
    read.on('end', () => {
      if (failure === undefined) resolve();
      else reject(failure);
    });
    read.on('error', (error) => {
      if (isMissing(error)) resolve();
      else reject(error);
    });
  });

const isMissing = (error: unknown): boolean =>
  error instanceof StreamNotFoundError || error instanceof StreamDeletedError;
