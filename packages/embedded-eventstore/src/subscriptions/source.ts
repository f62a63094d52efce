import { READ_PAGE_RECORDS } from '../base/limits';
import { errors, type RpcError } from '../protocol/rpc-error';
import type { StagedEvent } from '../storage/committer';
import type { EventLog } from '../storage/event-log';
import type { LogEntry } from '../storage/log-reader';
import { isHidden, revisionOf, streamNameOf, TOMBSTONE_REVISION, typeOf } from '../storage/record';
import { readerStatusOf, visibleRange } from '../storage/stream-reader';
import type { FilterOptions } from './event-filter';
import type { Hub } from './hub';

/** One thing that a subscription sends: an event, a checkpoint, or the error that ends it. */
export type Item =
  | { readonly kind: 'event'; readonly entry: LogEntry }
  | { readonly kind: 'checkpoint'; readonly position: number }
  /** The subscription fails after the items before it. */
  | { readonly kind: 'failure'; readonly error: RpcError };

export interface Page {
  readonly items: readonly Item[];
  /** True if every committed event was read; the subscription may go live in the same turn. */
  readonly atEnd: boolean;
}

/** The events of a subscription. It remembers the last one that was read. */
export interface Source {
  /** Throws an RpcError if there is nothing to subscribe to, now or ever. */
  assertReadable(): void;
  nextPage(): Page;
  /** Returns the items to send for a newly committed event; none if it was read before. */
  live(event: StagedEvent): readonly Item[];
  /** Starts listening and returns a function that stops it. */
  listen(onLive: (events: readonly StagedEvent[]) => void): () => void;
}

const NOTHING: readonly Item[] = [];

export class StreamSource implements Source {
  #last: number;

  constructor(
    private readonly log: EventLog,
    private readonly hub: Hub,
    private readonly name: string,
    /** exclusive; a stream that does not exist yet is waited for */
    after: number | 'start' | 'end',
  ) {
    const committed = log.streams.find(name)?.committed.lastRevision ?? -1;
    this.#last = after === 'start' ? -1 : after === 'end' ? committed : after;
  }

  assertReadable(): void {
    if (readerStatusOf(this.log, this.name) === 'deleted') throw errors.streamDeleted(this.name);
  }

  nextPage(): Page {
    const stream = this.log.streams.find(this.name);
    this.assertReadable();
    const status = readerStatusOf(this.log, this.name);
    if (!stream || status === 'not-found') return { items: NOTHING, atEnd: true };
    const { first, last: newest } = visibleRange(this.log, stream);
    const from = Math.max(this.#last + 1, first);
    if (from > newest) return { items: NOTHING, atEnd: true };
    const entries = this.log.reader.streamPage({
      streamNumber: stream.number,
      from,
      to: newest,
      recordsMax: READ_PAGE_RECORDS,
    });
    const last = entries.at(-1);
    if (!last) return { items: NOTHING, atEnd: true };
    // The oldest revisions may have been removed, so the page says where it ended.
    this.#last = revisionOf(last.record);
    return { items: entries.map((entry) => ({ kind: 'event', entry })), atEnd: false };
  }

  live(event: StagedEvent): readonly Item[] {
    if (event.revision <= this.#last) return NOTHING;
    this.#last = event.revision;
    const item: Item = { kind: 'event', entry: event };
    return event.revision === TOMBSTONE_REVISION
      ? [item, { kind: 'failure', error: errors.streamDeleted(this.name) }]
      : [item];
  }

  listen(onLive: (events: readonly StagedEvent[]) => void): () => void {
    return this.hub.onStream(this.name, onLive);
  }
}

/**
 * $all, filtered or not. With a filter the reader is told its position after every
 * `checkpointInterval` considered events and when it has caught up, so that it need not start far
 * back when nothing passes the filter for a long time.
 */
export class AllSource implements Source {
  #last: number;
  #consideredSinceCheckpoint = 0;
  #lastCheckpoint = -1;

  constructor(
    private readonly log: EventLog,
    private readonly hub: Hub,
    after: number | 'start' | 'end',
    private readonly filter: FilterOptions | undefined,
  ) {
    this.#last = after === 'start' ? -1 : after === 'end' ? log.end - 1 : after;
  }

  /** $all always exists; its position was checked with the request. */
  assertReadable(): void {
    // Nothing can be missing.
  }

  nextPage(): Page {
    const page = this.log.reader.forward(this.#last + 1, READ_PAGE_RECORDS);
    const items = page.entries.flatMap((entry) =>
      this.consider(entry, streamNameOf(entry.record), typeOf(entry.record)),
    );
    if (page.next !== undefined) {
      this.#last = page.next - 1;
      return { items, atEnd: false };
    }
    this.#consideredSinceCheckpoint = 0;
    return { items: [...items, ...this.checkpoint()], atEnd: true };
  }

  live(event: StagedEvent): readonly Item[] {
    if (event.position <= this.#last || isHidden(event.record)) return NOTHING;
    return this.consider(event, event.stream.name, event.type);
  }

  listen(onLive: (events: readonly StagedEvent[]) => void): () => void {
    return this.hub.onAll(onLive);
  }

  private consider(entry: LogEntry, streamName: string, type: string): readonly Item[] {
    this.#last = entry.position;
    const { filter } = this;
    if (!filter) return [{ kind: 'event', entry }];
    const items: Item[] = filter.filter(streamName, type) ? [{ kind: 'event', entry }] : [];
    this.#consideredSinceCheckpoint++;
    if (this.#consideredSinceCheckpoint < filter.checkpointInterval) return items;
    this.#consideredSinceCheckpoint = 0;
    return [...items, ...this.checkpoint()];
  }

  private checkpoint(): readonly Item[] {
    if (!this.filter || this.#last < 0 || this.#last === this.#lastCheckpoint) return NOTHING;
    this.#lastCheckpoint = this.#last;
    return [{ kind: 'checkpoint', position: this.#last }];
  }
}
