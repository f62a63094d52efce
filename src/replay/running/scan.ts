import {
  type CategoryEvent,
  type CategoryStretch,
  lastRevision,
  readLinks,
  readStretch,
} from '../../event-store/category-reads';
import type { EventStoreConnection } from '../../event-store/connection';
import { searchRevision } from './search-revision';

/** A page is whole before it is looked at, so a slow receiver holds no call open. */
const PAGE_EVENTS = 500;
/** The first one is small: what is in it goes out while the next is read. */
const FIRST_PAGE_EVENTS = 100;
/** Where little or nothing is wanted. */
const LARGEST_PAGE_EVENTS = 2_000;
/** While live deliveries go on: they wait for no more than this at a time … */
const PAGE_BESIDE_LIVE_EVENTS = 25;
/** … or this, where little or nothing is wanted, which takes less time. */
const SPARSE_PAGE_BESIDE_LIVE_EVENTS = 100;
/** Of a page: below it is cheaper to read the links and of the events only those wanted. */
const SPARSE_SHARE = 1 / 100;
const READS_AT_ONCE = 8;
export type ScannedEvent = CategoryEvent;

/** What can be told of an event before it is read whole. Null = nothing is left out by it. */
export interface Narrowing {
  readonly ofStream: ((name: string) => boolean) | null;
  readonly ofType: ((type: string) => boolean) | null;
}

export interface ScannedPage {
  /** Of the page's events those that pass the narrowing, in order. */
  readonly events: readonly ScannedEvent[];
  /** Where the next page begins. */
  readonly next: number;
  /** Commit position of the page's last event; null where that is gone. */
  readonly reached: bigint | null;
}

/** Where in a category stream to begin for the events from a commit position on; or a little before. */
export const findRevision = async (
  { client }: EventStoreConnection,
  stream: string,
  position: bigint,
): Promise<number> => {
  const last = await lastRevision(client, stream);
  return searchRevision(position, last, async (from) => {
    const stretch = await readStretch(client, { stream, from, maxCount: 1 }, () => false);
    return stretch?.reached ?? null;
  });
};

export interface ScanOptions {
  readonly from: number;
  readonly narrowing: Narrowing;
  /** Whether no live deliveries wait for this process's time, which large pages take at once. */
  readonly alone: () => boolean;
}

/** Pages of a category stream from a revision on; the next one is read meanwhile. */
export async function* scanPages(
  connection: EventStoreConnection,
  stream: string,
  options: ScanOptions,
): AsyncGenerator<ScannedPage> {
  const pages = new Pages(connection, stream, options);
  let upcoming = pages.read(options.from);
  for (;;) {
    const page = await upcoming;
    if (page === null) return;
    upcoming = pages.read(page.next);
    // It is awaited only when the caller comes back, and may have failed by then.
    upcoming.catch(() => undefined);
    yield page;
  }
}

/** Reads one page after the other, in the way the last one has shown to be cheapest. */
class Pages {
  private size: number;
  private sparse: boolean;

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly stream: string,
    private readonly options: ScanOptions,
  ) {
    this.sparse = options.narrowing.ofStream !== null;
    this.size = Math.min(FIRST_PAGE_EVENTS, this.largest(1));
  }

  /** Null at the end of the stream. */
  async read(from: number): Promise<ScannedPage | null> {
    const stretch =
      (this.sparse ? await this.byLinks(from, this.size) : null) ??
      (await this.stretch(from, this.size));
    if (stretch === null) return null;
    const share = stretch.events.length / stretch.entries;
    this.sparse = this.options.narrowing.ofStream !== null && share < SPARSE_SHARE;
    this.size = Math.min(Math.max(2 * this.size, PAGE_EVENTS), this.largest(share));
    return { events: stretch.events, next: stretch.lastRevision + 1, reached: stretch.reached };
  }

  private largest(wantedShare: number): number {
    const sparse = wantedShare < SPARSE_SHARE;
    if (this.options.alone()) return sparse ? LARGEST_PAGE_EVENTS : PAGE_EVENTS;
    return sparse ? SPARSE_PAGE_BESIDE_LIVE_EVENTS : PAGE_BESIDE_LIVE_EVENTS;
  }

  private stretch(from: number, maxCount: number): Promise<CategoryStretch | null> {
    const { ofStream, ofType } = this.options.narrowing;
    return readStretch(
      this.connection.client,
      { stream: this.stream, from, maxCount },
      ({ streamId, type }) => (ofStream?.(streamId) ?? true) && (ofType?.(type) ?? true),
    );
  }

  /** Null where so many are wanted that the page is better read whole, and at the end. */
  private async byLinks(from: number, maxCount: number): Promise<CategoryStretch | null> {
    const { ofStream } = this.options.narrowing;
    const { client } = this.connection;
    const links = await readLinks(client, { stream: this.stream, from, maxCount });
    const last = links.at(-1);
    const wanted = links.filter(({ stream }) => stream === null || ofStream?.(stream) !== false);
    if (last === undefined || wanted.length >= SPARSE_SHARE * links.length) return null;
    // The last one tells how far the page reaches.
    const revisions = new Set([...wanted, last].map(({ revision }) => revision));
    const found = await inTurns([...revisions], (revision) => this.stretch(revision, 1));
    return {
      entries: links.length,
      lastRevision: last.revision,
      reached: found.at(-1)?.reached ?? null,
      events: found.flatMap((stretch) => stretch?.events ?? []),
    };
  }
}

/** All results in order, a few at a time. */
const inTurns = async <Of, To>(
  items: readonly Of[],
  work: (item: Of) => Promise<To>,
): Promise<To[]> => {
  const results: To[] = [];
  for (let i = 0; i < items.length; i += READS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(i, i + READS_AT_ONCE).map(work))));
  }
  return results;
};
