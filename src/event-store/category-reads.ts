import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { each } from './read';
import { type StoredEvent, toStoredEvent } from './stored-event';

const READ_TIMEOUT_MS = 10_000;

export type CategoryEvent = StoredEvent & {
  /** Revision in the category stream. */
  readonly linkRevision: number;
};

/** A stretch of a category stream. */
export interface CategoryPage {
  /** Entries read, with those whose event is gone or was not accepted. */
  readonly entries: number;
  readonly lastRevision: number;
  /** Commit position of the last entry's event; null where that is gone. */
  readonly lastPosition: bigint | null;
  /** Those that were accepted. */
  readonly events: readonly CategoryEvent[];
}

/** An entry of a category stream without its event: a quarter of the work. */
export interface CategoryLink {
  readonly revision: number;
  /** The stream its event is in; null where the entry does not say. */
  readonly stream: string | null;
}

interface Stretch {
  readonly stream: string;
  readonly from: number;
  readonly maxCount: number;
}

/** What is looked at before anything else of an event is. */
type Accepts = (event: { readonly streamId: string; readonly type: string }) => boolean;

/** Reads a stretch with its events; null at the end of the stream, or where there is none. */
export const readCategoryPage = async (
  client: EventStoreDBClient,
  { stream, from, maxCount }: Stretch,
  accepts: Accepts,
): Promise<CategoryPage | null> => {
  const events: CategoryEvent[] = [];
  let entries = 0;
  let lastRevision = -1;
  let reached: bigint | null = null;
  const options = { fromRevision: BigInt(from), maxCount, resolveLinkTos: true };
  await each(client.readStream(stream, { ...options, deadline: READ_TIMEOUT_MS }), (entry) => {
    const { event, link } = entry;
    entries += 1;
    lastRevision = Number(link?.revision ?? event?.revision ?? 0);
    reached = event?.position?.commit ?? null;
    if (event === undefined || !accepts(event)) return;
    const stored = toStoredEvent(event);
    if (stored !== null) events.push({ ...stored, linkRevision: lastRevision });
  });
  return entries === 0 ? null : { entries, lastRevision, lastPosition: reached, events };
};

/** Reads a stretch without its events. */
export const readLinks = async (
  client: EventStoreDBClient,
  { stream, from, maxCount }: Stretch,
): Promise<CategoryLink[]> => {
  const links: CategoryLink[] = [];
  const options = { fromRevision: BigInt(from), maxCount, direction: FORWARDS } as const;
  await each(client.readStream(stream, { ...options, deadline: READ_TIMEOUT_MS }), (entry) => {
    if (entry.event !== undefined) links.push(linkOf(entry.event));
  });
  return links;
};

/** Revision of the last entry, -1 where there is none. */
export const lastRevision = async (client: EventStoreDBClient, stream: string): Promise<number> => {
  let last = -1;
  const options = { fromRevision: END, direction: BACKWARDS, maxCount: 1 } as const;
  await each(client.readStream(stream, { ...options, deadline: READ_TIMEOUT_MS }), ({ event }) => {
    last = Number(event?.revision ?? -1);
  });
  return last;
};

/** A link's data is `<revision>@<stream>`. */
const linkOf = ({ revision, data }: NonNullable<ResolvedEvent['event']>): CategoryLink => {
  const text = data instanceof Uint8Array ? Buffer.from(data).toString() : '';
  const at = text.indexOf('@');
  return { revision: Number(revision), stream: at < 0 ? null : text.slice(at + 1) };
};
