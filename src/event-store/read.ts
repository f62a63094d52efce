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
import { type StoredEvent, toStoredEvent } from './stored-event';

/** A call that is not over by then is given up, which resets it: the store did not answer. */
const READ_TIMEOUT_MS = 10_000;
/** A long stream is never whole in memory, and no call of it takes long. */
const PAGE_EVENTS = 500;
/** The first page of a read without `maxCount`: a caller that stops early has not asked for much. */
const FIRST_PAGE_EVENTS = 20;
const PAGE_GROWTH = 5;
/** What grpc-js says of a call whose channel was closed before it was sent. */
const CHANNEL_CLOSED = 'Channel closed before call started';
const TRIES_MAX = 5;

interface ReadOptions {
  /** Revision of the first event wanted; the stream's beginning (or end, backwards) without it. */
  readonly from?: number;
  readonly maxCount?: number;
  readonly backwards?: boolean;
  /** Follow links (category streams); a link whose event is gone is left out. */
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
 * Events of one stream in order; nothing where the stream does not exist or was deleted. It reads
 * pages, each call to its end, so a caller may stop at any event: a call that is cancelled is a reset,
 * and Node's HTTP/2 server closes the whole connection of a peer that resets too often.
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

const readPage = (
  client: EventStoreDBClient,
  stream: string,
  options: PageOptions,
): Promise<Page> => unlessClosed(() => readPageOnce(client, stream, options));

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
  await each(read, ({ event, link }) => {
    entries += 1;
    last = Number(link?.revision ?? event?.revision ?? 0);
    const stored = toStoredEvent(event);
    if (stored !== null) events.push({ ...stored, linkRevision: last });
  });
  return { events, entries, last };
};

interface PageOptions extends Omit<ReadOptions, 'from' | 'maxCount'> {
  readonly from: number | undefined;
  readonly maxCount: number;
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
    const page = await readPage(client, stream, { from: next, maxCount: PAGE_EVENTS });
    entries = page.entries;
    next = page.last + 1;
    yield page.events;
  } while (entries === PAGE_EVENTS);
}

/**
 * Repeats a read that was never sent: when any call of the client breaks, it closes its channel, and
 * calls that are just beginning on it fail with it.
 */
const unlessClosed = async <T>(read: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      const closed = error instanceof Error && error.message.includes(CHANNEL_CLOSED);
      if (!closed || tries === TRIES_MAX) throw error;
    }
  }
};

/** Takes what comes as it comes: going through an async iterator costs as much as the rest. */
export const each = (
  read: ReturnType<EventStoreDBClient['readStream']>,
  take: (entry: ResolvedEvent) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: Error | undefined;
    read.on('data', (entry) => {
      // An entry that cannot be understood fails the read; thrown here it would end the process.
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
      if (isGone(error)) resolve();
      else reject(error);
    });
  });

const isGone = (error: unknown): boolean =>
  error instanceof StreamNotFoundError || error instanceof StreamDeletedError;
