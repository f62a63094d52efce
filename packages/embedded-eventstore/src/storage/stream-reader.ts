import type { EventLog } from './event-log';
import type { LogEntry } from './log-reader';
import {
  readCreatedMs,
  readData,
  isLink,
  readRevision,
  readTarget,
  readStreamName,
  TOMBSTONE_REVISION,
} from './record';
import type { Stream } from './stream-directory';
import { isMetastream, isSoftDeleted, getStreamOfMetastream } from './stream-metadata';

/** The revisions of a stream that its metadata leaves visible. Empty when `first` > `last`. */
export interface VisibleRange {
  readonly first: number;
  readonly last: number;
}

export type StreamStatus = 'readable' | 'not-found' | 'deleted';

export const readStatus = (stream: Stream | undefined): StreamStatus => {
  if (!stream) return 'not-found';
  const { lastRevision, metadata } = stream.committed;
  if (lastRevision === TOMBSTONE_REVISION) return 'deleted';
  return lastRevision < 0 || isSoftDeleted(metadata) ? 'not-found' : 'readable';
};

/**
 * Returns the status of a stream for readers. The metadata stream of a tombstoned stream is deleted
 * too.
 */
export const readStatusForReader = (log: EventLog, name: string): StreamStatus => {
  const owner = isMetastream(name) ? log.streams.find(getStreamOfMetastream(name)) : undefined;
  return owner && readStatus(owner) === 'deleted' ? 'deleted' : readStatus(log.streams.find(name));
};

/**
 * Applies `$tb`, `$maxCount` and `$maxAge` at the current time. They hide events from reads of the
 * stream and from links to it. $all shows them until a scavenge removes them, as on a real server.
 */
export const computeVisibleRange = (log: EventLog, stream: Stream): VisibleRange => {
  const { lastRevision: last, metadata } = stream.committed;
  if (last === TOMBSTONE_REVISION) return { first: 0, last: -1 };
  const byCount = metadata.countMax === Infinity ? 0 : last - metadata.countMax + 1;
  const first = Math.max(0, metadata.truncateBefore, byCount);
  return metadata.ageMaxSeconds === Infinity
    ? { first, last }
    : { first: findFirstYoungEnough(log, stream, { first, last }), last };
};

/** Finds the oldest visible event by bisection, because creation times grow with revisions. */
const findFirstYoungEnough = (log: EventLog, stream: Stream, range: VisibleRange): number => {
  const oldestMs = log.now() - stream.committed.metadata.ageMaxSeconds * 1000;
  let { first, last } = range;
  while (first <= last) {
    const middle = Math.floor((first + last) / 2);
    const found = log.reader.find(stream.number, middle);
    if (!found || readCreatedMs(found.record) < oldestMs) first = middle + 1;
    else last = middle - 1;
  }
  return first;
};

/** An entry as it is sent to a client. */
export interface ResolvedEntry {
  readonly entry: LogEntry;
  /** True if the entry is a link and the client asked for resolved links. */
  readonly isLink: boolean;
  /** The target of the link; undefined if it was deleted or truncated, or never existed. */
  readonly target: LogEntry | undefined;
}

export const resolve = (log: EventLog, entry: LogEntry, resolveLinks: boolean): ResolvedEntry =>
  resolveLinks && isLink(entry.record)
    ? { entry, isLink: true, target: findTarget(log, entry.record) }
    : { entry, isLink: false, target: undefined };

const findTarget = (log: EventLog, link: Buffer): LogEntry | undefined => {
  const known = readTarget(link);
  if (known) {
    const record = log.reader.recordAt(known.position);
    const stream = record && log.streams.find(readStreamName(record));
    return stream && isVisible(log, stream, known.revision)
      ? { position: known.position, record }
      : undefined;
  }
  const named = parseLink(readData(link).toString());
  const stream = named && log.streams.find(named.streamName);
  return stream && isVisible(log, stream, named.revision)
    ? log.reader.find(stream.number, named.revision)
    : undefined;
};

/** Reads the text of a link, `revision@stream`. The stream's name may contain an `@`. */
export const parseLink = (
  text: string,
): { readonly revision: number; readonly streamName: string } | undefined => {
  const at = text.indexOf('@');
  const digits = text.slice(0, at);
  return at > 0 && /^\d+$/.test(digits)
    ? { revision: Number(digits), streamName: text.slice(at + 1) }
    : undefined;
};

const isVisible = (log: EventLog, stream: Stream, revision: number): boolean => {
  if (readStatusForReader(log, stream.name) !== 'readable') return false;
  const { first, last } = computeVisibleRange(log, stream);
  return revision >= first && revision <= last;
};

/**
 * Returns `revision@stream` of the original event: the text of a link, or the place of a record
 * that is not a link.
 */
export const readOrigin = (record: Buffer): string =>
  isLink(record)
    ? readData(record).toString()
    : `${readRevision(record)}@${readStreamName(record)}`;
