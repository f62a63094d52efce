import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { forEachEntry } from './read';
import { type StoredEvent, toStoredEvent, readEntryRevision } from './stored-event';

const READ_TIMEOUT_MS = 10_000;

export type CategoryEvent = StoredEvent & {
  /** Revision in the category stream. */
  readonly linkRevision: number;
};

/** A page of a category stream. */
export interface CategoryPage {
  /** Number of entries, including those whose event is missing or was not accepted. */
  readonly entries: number;
  readonly lastRevision: number;
  /** Commit position of the event of the last entry; null if that event is missing. */
  readonly lastPosition: bigint | null;
  /** The accepted events. */
  readonly events: readonly CategoryEvent[];
}

/** An entry of a category stream without its event. Reading it takes a quarter of the time. */
export interface CategoryLink {
  readonly revision: number;
  /** Stream of its event; null if the entry does not say it. */
  readonly stream: string | null;
}

interface PageRequest {
  readonly stream: string;
  readonly from: number;
  readonly maxCount: number;
}

/** A condition that is checked before an event is decoded. */
type IsAccepted = (event: { readonly streamId: string; readonly type: string }) => boolean;

/** Reads a page with its events; null at the end of the stream or if the stream does not exist. */
export const readCategoryPage = async (
  client: EventStoreDBClient,
  { stream, from, maxCount }: PageRequest,
  accepts: IsAccepted,
): Promise<CategoryPage | null> => {
  const events: CategoryEvent[] = [];
  let entries = 0;
  let lastRevision = -1;
  let reached: bigint | null = null;
  const options = { fromRevision: BigInt(from), maxCount, resolveLinkTos: true };
  await forEachEntry(
    client.readStream(stream, { ...options, deadline: READ_TIMEOUT_MS }),
    (entry) => {
      const { event } = entry;
      entries += 1;
      lastRevision = readEntryRevision(entry);
      reached = event?.position?.commit ?? null;
      if (event === undefined || !accepts(event)) return;
      const stored = toStoredEvent(event);
      if (stored !== null) events.push({ ...stored, linkRevision: lastRevision });
    },
  );
  return entries === 0 ? null : { entries, lastRevision, lastPosition: reached, events };
};

/** Reads the entries of a page without their events. */
export const readLinks = async (
  client: EventStoreDBClient,
  { stream, from, maxCount }: PageRequest,
): Promise<CategoryLink[]> => {
  const links: CategoryLink[] = [];
  const options = { fromRevision: BigInt(from), maxCount, direction: FORWARDS } as const;
  await forEachEntry(
    client.readStream(stream, { ...options, deadline: READ_TIMEOUT_MS }),
    (entry) => {
      if (entry.event !== undefined) links.push(toLink(entry.event));
    },
  );
  return links;
};

/** Returns the revision of the last entry; -1 if there is none. */
export const readLastRevision = async (
  client: EventStoreDBClient,
  stream: string,
): Promise<number> => {
  let last = -1;
  const options = { fromRevision: END, direction: BACKWARDS, maxCount: 1 } as const;
  await forEachEntry(
    client.readStream(stream, { ...options, deadline: READ_TIMEOUT_MS }),
    (entry) => {
      last = readEntryRevision(entry);
    },
  );
  return last;
};

/** Parses a link. Its data is `<revision>@<stream>`. */
const toLink = ({ revision, data }: NonNullable<ResolvedEvent['event']>): CategoryLink => {
  const text = data instanceof Uint8Array ? Buffer.from(data).toString() : '';
  const at = text.indexOf('@');
  return { revision: Number(revision), stream: at < 0 ? null : text.slice(at + 1) };
};
