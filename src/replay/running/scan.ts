import {
  type CategoryEvent,
  type CategoryPage,
  readLastRevision,
  readLinks,
  readCategoryPage,
} from '../../event-store/category-reads';
import type { EventStoreConnection } from '../../event-store/connection';
import { searchRevision } from './search-revision';

/**
 * Size of a page. A page is read completely before it is used, so a slow receiver keeps no call
 * open.
 */
const PAGE_EVENTS = 500;
/** Size of the first page. It is small, so that its events are sent while the next page is read. */
const FIRST_PAGE_EVENTS = 100;
/** Maximum size of a page if few or no events are selected. */
const LARGEST_PAGE_EVENTS = 2_000;
/** Maximum size while live deliveries are active, because they wait while a page is decoded. */
const PAGE_WITH_LIVE_EVENTS = 25;
/**
 * Maximum size while live deliveries are active, if few or no events of a page are selected: such a
 * page takes less time.
 */
const SPARSE_PAGE_WITH_LIVE_EVENTS = 100;
/**
 * If a smaller share of a page than this is selected, it is cheaper to read the links and then only
 * the selected events.
 */
const SPARSE_SHARE = 1 / 100;
const READS_AT_ONCE = 8;
export type ScannedEvent = CategoryEvent;

/** The conditions that can be checked before an event is decoded. Null = no condition. */
export interface ScanFilter {
  readonly matchesStream: ((name: string) => boolean) | null;
  readonly matchesType: ((type: string) => boolean) | null;
}

export interface ScannedPage {
  /** The events of the page that match the filter, in order. */
  readonly events: readonly ScannedEvent[];
  /** Revision at which the next page begins. */
  readonly next: number;
  /** Commit position of the last event of the page; null if that event is missing. */
  readonly lastPosition: bigint | null;
}

/**
 * Finds the revision in a category stream at which the events from a commit position on begin, or
 * one a little before.
 */
export const findRevision = async (
  { client }: EventStoreConnection,
  stream: string,
  position: bigint,
): Promise<number> => {
  const last = await readLastRevision(client, stream);
  return searchRevision(position, last, async (from) => {
    const stretch = await readCategoryPage(client, { stream, from, maxCount: 1 }, () => false);
    return stretch?.lastPosition ?? null;
  });
};

export interface ScanOptions {
  readonly from: number;
  readonly filter: ScanFilter;
  /** True if no live deliveries are active. Large pages take processor time from them. */
  readonly hasNoLiveDeliveries: () => boolean;
}

/**
 * Yields the pages of a category stream from a revision on. The next page is read while the caller
 * uses the current one.
 */
export async function* scanPages(
  connection: EventStoreConnection,
  stream: string,
  options: ScanOptions,
): AsyncGenerator<ScannedPage> {
  const pages = new PageReader(connection, stream, options);
  let upcoming = pages.read(options.from);
  for (;;) {
    const page = await upcoming;
    if (page === null) return;
    upcoming = pages.read(page.next);
    // The next page is awaited only when the caller comes back, and its read may have failed by
    // then.
    upcoming.catch(() => undefined);
    yield page;
  }
}

/** Reads pages in the way that the last page has shown to be cheapest. */
class PageReader {
  private size: number;
  private isSparse: boolean;

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly stream: string,
    private readonly options: ScanOptions,
  ) {
    this.isSparse = options.filter.matchesStream !== null;
    this.size = Math.min(FIRST_PAGE_EVENTS, this.choosePageSize(1));
  }

  /** Reads the page that begins at a revision; null at the end of the stream. */
  async read(from: number): Promise<ScannedPage | null> {
    const stretch =
      (this.isSparse ? await this.readByLinks(from, this.size) : null) ??
      (await this.readWhole(from, this.size));
    if (stretch === null) return null;
    const share = stretch.events.length / stretch.entries;
    this.isSparse = this.options.filter.matchesStream !== null && share < SPARSE_SHARE;
    this.size = Math.min(Math.max(2 * this.size, PAGE_EVENTS), this.choosePageSize(share));
    return {
      events: stretch.events,
      next: stretch.lastRevision + 1,
      lastPosition: stretch.lastPosition,
    };
  }

  private choosePageSize(wantedShare: number): number {
    const sparse = wantedShare < SPARSE_SHARE;
    if (this.options.hasNoLiveDeliveries()) return sparse ? LARGEST_PAGE_EVENTS : PAGE_EVENTS;
    return sparse ? SPARSE_PAGE_WITH_LIVE_EVENTS : PAGE_WITH_LIVE_EVENTS;
  }

  private readWhole(from: number, maxCount: number): Promise<CategoryPage | null> {
    const { matchesStream, matchesType } = this.options.filter;
    return readCategoryPage(
      this.connection.client,
      { stream: this.stream, from, maxCount },
      ({ streamId, type }) => (matchesStream?.(streamId) ?? true) && (matchesType?.(type) ?? true),
    );
  }

  /**
   * Reads the links of a page and then only the selected events. Returns null at the end of the
   * stream, or if so many events are selected that the page should be read whole.
   */
  private async readByLinks(from: number, maxCount: number): Promise<CategoryPage | null> {
    const { matchesStream } = this.options.filter;
    const { client } = this.connection;
    const links = await readLinks(client, { stream: this.stream, from, maxCount });
    const last = links.at(-1);
    const wanted = links.filter(
      ({ stream }) => stream === null || matchesStream?.(stream) !== false,
    );
    if (last === undefined || wanted.length >= SPARSE_SHARE * links.length) return null;
    // The last event gives the position up to which the page reaches.
    const revisions = new Set([...wanted, last].map(({ revision }) => revision));
    const found = await mapInBatches([...revisions], (revision) => this.readWhole(revision, 1));
    return {
      entries: links.length,
      lastRevision: last.revision,
      lastPosition: found.at(-1)?.lastPosition ?? null,
      events: found.flatMap((stretch) => stretch?.events ?? []),
    };
  }
}

/** Maps items with a few concurrent calls and returns the results in order. */
const mapInBatches = async <Of, To>(
  items: readonly Of[],
  work: (item: Of) => Promise<To>,
): Promise<To[]> => {
  const results: To[] = [];
  for (let i = 0; i < items.length; i += READS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(i, i + READS_AT_ONCE).map(work))));
  }
  return results;
};
