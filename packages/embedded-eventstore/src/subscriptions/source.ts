import { READ_PAGE_RECORDS, SUBSCRIPTION_PAGE_EVENTS } from '../base/limits';
import { errors, type RpcError } from '../protocol/rpc-error';
import type { StagedEvent } from '../storage/committer';
import type { EventLog } from '../storage/event-log';
import type { LogEntry } from '../storage/log-reader';
import {
  isHidden,
  readRevision,
  readStreamName,
  TOMBSTONE_REVISION,
  readType,
} from '../storage/record';
import { readStatusForReader, computeVisibleRange } from '../storage/stream-reader';
import type { FilterOptions } from './event-filter';
import type { Hub } from './hub';

/** One thing that a subscription sends: an event, a checkpoint, or the error that ends it. */
export type Item =
  | { readonly kind: 'event'; readonly entry: LogEntry }
  | { readonly kind: 'checkpoint'; readonly position: number }
  /** The error that ends the subscription after the items before it. */
  | { readonly kind: 'failure'; readonly error: RpcError };

export interface Page {
  readonly items: readonly Item[];
  /**
   * True if every committed event was read. The subscription may then go live in the same turn of
   * the event loop.
   */
  readonly atEnd: boolean;
}

/** The source of the events of a subscription. It remembers the last event that was read. */
export interface Source {
  /** Throws an RpcError if the stream can never have events. */
  assertReadable(): void;
  readNextPage(): Page;
  /**
   * Returns the items to send for a newly committed event. There are none if it was read before.
   */
  selectLive(event: StagedEvent): readonly Item[];
  /** Starts to receive new events and returns the function that stops it. */
  listen(onLive: (events: readonly StagedEvent[]) => void): () => void;
}

const NOTHING: readonly Item[] = [];

export class StreamSource implements Source {
  #last: number;

  constructor(
    private readonly log: EventLog,
    private readonly hub: Hub,
    private readonly name: string,
    /** The revision after which to begin. The stream need not exist yet. */
    after: number | 'start' | 'end',
  ) {
    const committed = log.streams.find(name)?.committed.lastRevision ?? -1;
    this.#last = after === 'start' ? -1 : after === 'end' ? committed : after;
  }

  assertReadable(): void {
    if (readStatusForReader(this.log, this.name) === 'deleted')
      throw errors.streamDeleted(this.name);
  }

  readNextPage(): Page {
    const stream = this.log.streams.find(this.name);
    this.assertReadable();
    const status = readStatusForReader(this.log, this.name);
    if (!stream || status === 'not-found') return { items: NOTHING, atEnd: true };
    const { first, last: newest } = computeVisibleRange(this.log, stream);
    const from = Math.max(this.#last + 1, first);
    if (from > newest) return { items: NOTHING, atEnd: true };
    const entries = this.log.reader.readStreamPage({
      streamNumber: stream.number,
      from,
      to: newest,
      recordsMax: READ_PAGE_RECORDS,
    });
    const last = entries.at(-1);
    if (!last) return { items: NOTHING, atEnd: true };
    // The oldest revisions may have been removed, so the page reports where it ended.
    this.#last = readRevision(last.record);
    return { items: entries.map((entry) => ({ kind: 'event', entry })), atEnd: false };
  }

  selectLive(event: StagedEvent): readonly Item[] {
    if (event.revision <= this.#last) return NOTHING;
    this.#last = event.revision;
    const item: Item = { kind: 'event', entry: event };
    return event.revision === TOMBSTONE_REVISION
      ? [item, { kind: 'failure', error: errors.streamDeleted(this.name) }]
      : [item];
  }

  listen(onLive: (events: readonly StagedEvent[]) => void): () => void {
    return this.hub.listenToStream(this.name, onLive);
  }
}

/**
 * The events of $all, filtered or not. With a filter, the reader gets checkpoints, so that it can
 * resume near its place even if no event passes for a long time. Checkpoints come where
 * EventStoreDB sends them: live, after every `checkpointInterval` considered events; while catching
 * up, at the end of the page that reaches this number, and at the end of the log.
 */
export class AllSource implements Source {
  #last: number;
  readonly #checkpoints: Checkpoints | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly hub: Hub,
    after: number | 'start' | 'end',
    private readonly filter: FilterOptions | undefined,
  ) {
    this.#last = after === 'start' ? -1 : after === 'end' ? log.end - 1 : after;
    this.#checkpoints = filter && new Checkpoints(filter, this.#last);
  }

  /** Does nothing, because the position was checked with the request. */
  assertReadable(): void {
    // $all is never deleted.
  }

  readNextPage(): Page {
    const page = this.log.reader.readForward(this.#last + 1, READ_PAGE_RECORDS);
    const items = page.entries.flatMap((entry) => {
      this.#last = entry.position;
      const passes = this.passes(readStreamName(entry.record), readType(entry.record));
      const event: readonly Item[] = passes ? [{ kind: 'event', entry }] : NOTHING;
      return [...event, ...(this.#checkpoints?.addCaughtUp(entry.position, passes) ?? NOTHING)];
    });
    if (page.next !== undefined) {
      this.#last = page.next - 1;
      return { items, atEnd: false };
    }
    return { items: [...items, ...(this.#checkpoints?.finishCatchUp() ?? NOTHING)], atEnd: true };
  }

  selectLive(event: StagedEvent): readonly Item[] {
    const { position, record, stream, type } = event;
    if (position <= this.#last || isHidden(record)) return NOTHING;
    this.#last = position;
    const passes = this.passes(stream.name, type);
    const items: readonly Item[] = passes ? [{ kind: 'event', entry: event }] : NOTHING;
    return [...items, ...(this.#checkpoints?.addLive(position, passes) ?? NOTHING)];
  }

  listen(onLive: (events: readonly StagedEvent[]) => void): () => void {
    return this.hub.listenToAll(onLive);
  }

  private passes(streamName: string, type: string): boolean {
    return this.filter?.filter(streamName, type) ?? true;
  }
}

/**
 * Counts the events that a filtered subscription considers, and decides when a checkpoint is due.
 */
class Checkpoints {
  #considered = 0;
  /** The number of considered events in the page that EventStoreDB would be reading. */
  #page = { considered: 0, passed: 0, firstPosition: -1 };
  /** The position of the event or checkpoint that was sent last. */
  #sent: number;
  #lastCheckpoint: number;
  #hasRead = false;

  constructor(
    private readonly filter: FilterOptions,
    startsAfter: number,
  ) {
    this.#sent = startsAfter;
    this.#lastCheckpoint = startsAfter;
  }

  /**
   * Returns a checkpoint at the beginning of the page that reached the interval, as EventStoreDB
   * does.
   */
  addCaughtUp(position: number, passes: boolean): readonly Item[] {
    const page = this.#page;
    this.#hasRead = true;
    if (page.considered === 0) page.firstPosition = position;
    page.considered += 1;
    if (passes) {
      page.passed += 1;
      this.#sent = position;
    }
    const { searchWindow, checkpointInterval } = this.filter;
    if (page.considered < searchWindow && page.passed < SUBSCRIPTION_PAGE_EVENTS) return NOTHING;
    this.#considered += page.considered;
    this.#page = { considered: 0, passed: 0, firstPosition: -1 };
    if (this.#considered < checkpointInterval) return NOTHING;
    this.#considered %= checkpointInterval;
    return this.createCheckpoint(Math.max(this.#sent, page.firstPosition));
  }

  /**
   * Begins live at the last event or checkpoint that was sent. There is none if nothing was read.
   */
  finishCatchUp(): readonly Item[] {
    this.#considered = 0;
    this.#page = { considered: 0, passed: 0, firstPosition: -1 };
    return this.#hasRead ? this.createCheckpoint(this.#sent) : NOTHING;
  }

  addLive(position: number, passes: boolean): readonly Item[] {
    this.#considered += 1;
    if (passes) this.#sent = position;
    if (this.#considered < this.filter.checkpointInterval) return NOTHING;
    this.#considered = 0;
    return this.createCheckpoint(position);
  }

  private createCheckpoint(position: number): readonly Item[] {
    this.#sent = position;
    if (position <= this.#lastCheckpoint) return NOTHING;
    this.#lastCheckpoint = position;
    return [{ kind: 'checkpoint', position }];
  }
}
