import {
  BACKWARDS,
  type EventStoreDBClient,
  FORWARDS,
  type ReadRevision,
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

const isGone = (error: unknown): boolean =>
  error instanceof StreamNotFoundError || error instanceof StreamDeletedError;
