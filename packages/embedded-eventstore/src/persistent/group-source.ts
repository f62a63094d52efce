import type { StagedEvent } from '../storage/committer';
import type { EventLog } from '../storage/event-log';
import type { LogEntry } from '../storage/log-reader';
import {
  readCustomMetadata,
  readEventId,
  isHidden,
  readRevision,
  readStreamName,
  TOMBSTONE_REVISION,
  readType,
} from '../storage/record';
import {
  resolve,
  readStatus,
  computeVisibleRange,
  type ResolvedEntry,
} from '../storage/stream-reader';
import type { EventFilter } from '../subscriptions/event-filter';
import type { Hub } from '../subscriptions/hub';
import type { Fetched, FetchedPage } from './group-state';
import { isPinned, type GroupSettings } from './settings';
import { hashToPin } from './strategies';

export interface SourcePage {
  readonly page: FetchedPage<ResolvedEntry>;
  readonly atEnd: boolean;
}

/**
 * The source of the events that a group delivers. Positions are revisions for a stream and log
 * positions for $all.
 */
export interface GroupSource {
  /** The position after which a group begins if it starts at the end. */
  readonly end: number;
  fetch(after: number, eventsMax: number): SourcePage;
  listen(onLive: (page: FetchedPage<ResolvedEntry>) => void): () => void;
}

interface SourceOptions {
  readonly log: EventLog;
  readonly hub: Hub;
  readonly settings: GroupSettings;
}

const createEmptyPage = (after: number): SourcePage => ({
  page: { events: [], after, considered: 0, cursor: after },
  atEnd: true,
});

export class StreamGroupSource implements GroupSource {
  constructor(
    private readonly options: SourceOptions,
    private readonly streamName: string,
  ) {}

  get end(): number {
    return this.options.log.streams.find(this.streamName)?.committed.lastRevision ?? -1;
  }

  fetch(after: number, eventsMax: number): SourcePage {
    const { log } = this.options;
    const stream = log.streams.find(this.streamName);
    if (!stream || readStatus(stream) !== 'readable') {
      return createEmptyPage(after);
    }
    const { first, last } = computeVisibleRange(log, stream);
    const from = Math.max(after + 1, first);
    if (from > last) return createEmptyPage(after);
    const range = { streamNumber: stream.number, from, to: last, recordsMax: eventsMax };
    return { page: this.toPage(log.reader.readStreamPage(range), after), atEnd: false };
  }

  listen(onLive: (page: FetchedPage<ResolvedEntry>) => void): () => void {
    return this.options.hub.listenToStream(this.streamName, (events) => {
      onLive(this.toPage(events, (events[0]?.revision ?? 0) - 1));
    });
  }

  private toPage(
    entries: readonly (LogEntry & { readonly revision?: number })[],
    after: number,
  ): FetchedPage<ResolvedEntry> {
    const events: Fetched<ResolvedEntry>[] = [];
    let cursor = after;
    for (const entry of entries) {
      const revision = readRevision(entry.record);
      if (revision === TOMBSTONE_REVISION) break;
      events.push(
        fetchResolved(this.options, entry, { ordinal: events.length + 1, previous: cursor }),
      );
      cursor = revision;
    }
    return { events, after, considered: events.length, cursor };
  }
}

export class AllGroupSource implements GroupSource {
  constructor(
    private readonly options: SourceOptions,
    private readonly filter: EventFilter | undefined,
  ) {}

  get end(): number {
    return this.options.log.end - 1;
  }

  fetch(after: number, eventsMax: number): SourcePage {
    const { entries, next } = this.options.log.reader.readForward(after + 1, eventsMax);
    const page = this.toPage(entries, after, (entry) => ({
      streamName: readStreamName(entry.record),
      type: readType(entry.record),
    }));
    return next === undefined
      ? { page, atEnd: true }
      : { page: { ...page, cursor: next - 1 }, atEnd: false };
  }

  listen(onLive: (page: FetchedPage<ResolvedEntry>) => void): () => void {
    return this.options.hub.listenToAll((events) => {
      const visible = events.filter(({ record }) => !isHidden(record));
      if (visible.length === 0) return;
      const names = (event: StagedEvent) => ({ streamName: event.stream.name, type: event.type });
      onLive(this.toPage(visible, (visible[0]?.position ?? 0) - 1, names));
    });
  }

  private toPage<Entry extends LogEntry>(
    entries: readonly Entry[],
    after: number,
    names: (entry: Entry) => { readonly streamName: string; readonly type: string },
  ): FetchedPage<ResolvedEntry> {
    const events: Fetched<ResolvedEntry>[] = [];
    let cursor = after;
    for (const [index, entry] of entries.entries()) {
      const { streamName, type } = names(entry);
      if (!this.filter || this.filter(streamName, type)) {
        events.push(fetchResolved(this.options, entry, { ordinal: index + 1, previous: cursor }));
      }
      cursor = entry.position;
    }
    return { events, after, considered: entries.length, cursor };
  }
}

const fetchResolved = (
  { log, settings }: SourceOptions,
  entry: LogEntry,
  place: { readonly ordinal: number; readonly previous: number },
): Fetched<ResolvedEntry> => {
  const payload = resolve(log, entry, settings.resolveLinks);
  return { id: readEventId(entry.record), ...place, pin: choosePin(settings, payload), payload };
};

/** A pinned strategy uses the original event, not the link that points to it. */
export const choosePin = (
  { strategy }: GroupSettings,
  { entry, target }: ResolvedEntry,
): number => {
  if (!isPinned(strategy)) return 0;
  const { record } = target ?? entry;
  const correlation = strategy === 'PinnedByCorrelation' ? readCorrelationId(record) : undefined;
  return hashToPin(correlation ?? readStreamName(record));
};

const readCorrelationId = (record: Buffer): string | undefined => {
  try {
    const metadata = JSON.parse(readCustomMetadata(record).toString()) as Record<string, unknown>;
    const id = metadata['$correlationId'];
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
};
