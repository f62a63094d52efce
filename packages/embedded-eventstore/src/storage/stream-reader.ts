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
 * The status for readers by name: the metadata stream of a tombstoned stream is deleted with it.
 */
export const readStatusForReader = (log: EventLog, name: string): StreamStatus => {
  const owner = isMetastream(name) ? log.streams.find(getStreamOfMetastream(name)) : undefined;
  return owner && readStatus(owner) === 'deleted' ? 'deleted' : readStatus(log.streams.find(name));
};

/**
 * `$tb`, `$maxCount` and `$maxAge` as they apply now. They hide events from reads of the stream (and
 * from links to it); $all keeps showing them, as a real server does until it is scavenged.
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

/** Creation times grow with revisions, so the oldest visible event is found by bisection. */
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

/** An entry as it is sent. */
export interface ResolvedEntry {
  readonly entry: LogEntry;
  /** The entry is a link, and links were to be resolved. */
  readonly isLink: boolean;
  /** The target of the link; undefined if it was deleted, truncated or never existed. */
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

/** `revision@stream`: the stream's name may contain further `@`. */
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

/** The revision a link's text states, for a record that is no link its own. */
export const readOrigin = (record: Buffer): string =>
  isLink(record)
    ? readData(record).toString()
    : `${readRevision(record)}@${readStreamName(record)}`;
