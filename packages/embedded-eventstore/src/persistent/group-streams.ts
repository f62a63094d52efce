import {
  readStatus,
  readOrigin,
  resolve,
  computeVisibleRange,
  type ResolvedEntry,
} from '../storage/stream-reader';
import { appendSystemEvent, deleteSoftly } from '../storage/appends';
import type { EventLog } from '../storage/event-log';
import {
  readData,
  readEventId,
  LINK_TYPE,
  readRevision,
  TOMBSTONE_REVISION,
} from '../storage/record';
import { METADATA_TYPE, getMetastreamName } from '../storage/stream-metadata';

/** The identity of a group: the stream that it reads, and its name. */
export interface GroupKey {
  /** The stream's name, or `$all`. */
  readonly source: string;
  readonly group: string;
}

export const ALL = '$all';

export const formatGroupKey = ({ source, group }: GroupKey): string => `${source}::${group}`;
export const nameCheckpointStream = (key: GroupKey): string =>
  `$persistentsubscription-${formatGroupKey(key)}-checkpoint`;
export const nameParkedStream = (key: GroupKey): string =>
  `$persistentsubscription-${formatGroupKey(key)}-parked`;

/** Formats a position as groups show and store it: `12`, or `C:12/P:12` for $all. */
export const formatPosition = ({ source }: GroupKey, position: number): string =>
  source === ALL ? `C:${position}/P:${position}` : String(position);

const parsePosition = (data: string): number | undefined => {
  const position = /^"(?:C:)?(-?\d+)/.exec(data)?.[1];
  return position === undefined ? undefined : Number(position);
};

/** Returns the position after which the group resumes; undefined if it has no checkpoint yet. */
export const readCheckpoint = (log: EventLog, key: GroupKey): number | undefined =>
  readNewestUnderstood(log, nameCheckpointStream(key), parsePosition);

/**
 * Returns the newest event that `parse` accepts. As on EventStoreDB, a client may write to the
 * server's own streams. Such an event must not keep the server from starting.
 */
export const readNewestUnderstood = <T>(
  log: EventLog,
  streamName: string,
  parse: (data: string) => T | undefined,
): T | undefined => {
  const stream = log.streams.find(streamName);
  if (!stream || readStatus(stream) !== 'readable') return undefined;
  const { first, last } = computeVisibleRange(log, stream);
  for (let revision = last; revision >= first; revision--) {
    const entry = log.reader.find(stream.number, revision);
    const parsed = entry && parse(readData(entry.record).toString());
    if (parsed !== undefined) return parsed;
  }
  return undefined;
};

/**
 * Writes a checkpoint and does not wait for its commit. If a crash loses the checkpoint, more
 * events are delivered again.
 */
export const writeCheckpoint = (log: EventLog, key: GroupKey, position: number): void => {
  const data = Buffer.from(JSON.stringify(formatPosition(key, position)));
  appendSystemEvent(log, nameCheckpointStream(key), {
    type: '$SubscriptionCheckpoint',
    json: true,
    data,
  });
};

interface Parked {
  readonly resolved: ResolvedEntry;
  readonly reason: string;
  readonly addedAt: Date;
}

/**
 * Writes a link to the original event. So the parked event does not depend on the link through
 * which it came.
 */
export const writeParked = (
  log: EventLog,
  key: GroupKey,
  { resolved, reason, addedAt }: Parked,
  settled: (error: Error | undefined) => void,
): void => {
  const metadata = {
    added: addedAt.toISOString(),
    reason,
    subscriptionEventNumber: readRevision(resolved.entry.record),
  };
  appendSystemEvent(log, nameParkedStream(key), {
    type: LINK_TYPE,
    json: false,
    data: Buffer.from(readOrigin(resolved.entry.record)),
    customMetadata: Buffer.from(JSON.stringify(metadata)),
  });
  log.callAfterCommit(settled);
};

/** Returns the revisions of parked events that are not truncated and are below `stopAt`. */
export const findParkedRange = (
  log: EventLog,
  key: GroupKey,
): { readonly first: number; readonly last: number } => {
  const stream = log.streams.find(nameParkedStream(key));
  return stream && readStatus(stream) === 'readable'
    ? computeVisibleRange(log, stream)
    : { first: 0, last: -1 };
};

export interface ParkedEvent {
  readonly id: string;
  readonly parkedRevision: number;
  readonly resolved: ResolvedEntry;
}

/**
 * Reads parked events with the events to which they link. Those whose original no longer exists are
 * left out.
 */
export const readParked = (
  log: EventLog,
  key: GroupKey,
  range: { readonly from: number; readonly to: number; readonly eventsMax: number },
): { readonly events: readonly ParkedEvent[]; readonly upTo: number } => {
  const stream = log.streams.find(nameParkedStream(key));
  if (!stream) return { events: [], upTo: range.from - 1 };
  const page = log.reader.readStreamPage({
    streamNumber: stream.number,
    from: range.from,
    to: range.to,
    recordsMax: range.eventsMax,
  });
  const events = page.flatMap((entry) => {
    const resolved = resolve(log, entry, true);
    if (!resolved.target) return [];
    return { id: readEventId(entry.record), parkedRevision: readRevision(entry.record), resolved };
  });
  const last = page.at(-1);
  return { events, upTo: last ? readRevision(last.record) : range.from - 1 };
};

/** Truncates the parked stream before a revision. */
export const truncateParked = (log: EventLog, key: GroupKey, before: number): void => {
  appendSystemEvent(log, getMetastreamName(nameParkedStream(key)), {
    type: METADATA_TYPE,
    json: true,
    data: Buffer.from(JSON.stringify({ $tb: before })),
  });
};

/**
 * Deletes the checkpoint and the parked events, so that a new group of the same name starts without
 * them.
 */
export const deleteGroupStreams = (log: EventLog, key: GroupKey): void => {
  for (const streamName of [nameCheckpointStream(key), nameParkedStream(key)]) {
    const stream = log.streams.find(streamName);
    if (!stream || stream.head.lastRevision === TOMBSTONE_REVISION) continue;
    deleteSoftly(log, { streamName, expected: 'any' }, () => undefined);
  }
};
