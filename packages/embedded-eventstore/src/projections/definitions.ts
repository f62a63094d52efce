import { SYSTEM_STREAM_NAME_BYTES_MAX } from '../base/limits';
import {
  readCustomMetadata,
  readData,
  readEventId,
  isJson,
  isLink,
  LINK_TYPE,
  readTarget,
  TOMBSTONE_REVISION,
  type EventContent,
  type LinkTarget,
} from '../storage/record';
import {
  isMetastream,
  isSoftDeleted,
  METADATA_TYPE,
  parseMetadata,
  getStreamOfMetastream,
} from '../storage/stream-metadata';

/** An event that a projection handles. */
export interface ProjectedEvent {
  readonly position: number;
  readonly record: Buffer;
  readonly streamName: string;
  readonly streamNumber: number;
  readonly revision: number;
  readonly type: string;
}

/** The link or reference that a projection writes for one event. */
export interface Emission {
  readonly streamName: string;
  readonly event: Omit<EventContent, 'id'>;
  readonly target: LinkTarget | undefined;
}

export type ProjectionName =
  '$by_category' | '$by_event_type' | '$by_correlation_id' | '$streams' | '$stream_by_category';

type Projection = (event: ProjectedEvent) => Emission | undefined;

/** An event of type `$@` names a stream. An event of type `$>` names an event. */
const STREAM_REFERENCE_TYPE = '$@';

/**
 * Returns the part of a stream's name before the first '-'. System streams have no category, so
 * links in `$ce-…` do not get a category themselves.
 */
const findCategory = (streamName: string): string | undefined => {
  const end = streamName.indexOf('-');
  return end > 0 && !streamName.startsWith('$') ? streamName.slice(0, end) : undefined;
};

/**
 * A link in the stream is listed in its category too, as a link to the same target. The deletion of
 * a stream is listed as well. For a soft delete that is an event of the metadata stream.
 */
const linkByCategory: Projection = (event) => {
  const deleted = findDeletedStream(event);
  const category = findCategory(deleted ?? event.streamName);
  if (category === undefined) return undefined;
  if (deleted !== undefined) {
    return link(`$ce-${category}`, event, { $o: deleted, $deleted: -1 });
  }
  return isLink(event.record)
    ? {
        streamName: `$ce-${category}`,
        event: linkEvent(
          readData(event.record),
          encodeLinkMetadata(event, { $o: event.streamName }),
        ),
        target: readTarget(event.record),
      }
    : link(`$ce-${category}`, event);
};

/** Returns the name of the stream that an event deletes, as a tombstone or as a soft delete. */
const findDeletedStream = ({
  streamName,
  revision,
  type,
  record,
}: ProjectedEvent): string | undefined => {
  if (revision === TOMBSTONE_REVISION) return streamName;
  if (!isMetastream(streamName) || type !== METADATA_TYPE) return undefined;
  return isSoftDeleted(parseMetadata(readData(record)))
    ? getStreamOfMetastream(streamName)
    : undefined;
};

const linkByEventType: Projection = (event) =>
  isLink(event.record) || isBookkeeping(event) ? undefined : link(`$et-${event.type}`, event);

/** Lists a stream when its first event is written. A link does not count as a first event. */
const linkFirstEvent: Projection = (event) =>
  event.revision === 0 && !isLink(event.record) && !isBookkeeping(event)
    ? link('$streams', event)
    : undefined;

const listStreamByCategory: Projection = (event) => {
  const category = event.revision === 0 ? findCategory(event.streamName) : undefined;
  if (category === undefined || isLink(event.record)) return undefined;
  return {
    streamName: `$category-${category}`,
    event: {
      type: STREAM_REFERENCE_TYPE,
      json: false,
      data: Buffer.from(event.streamName),
      customMetadata: encodeLinkMetadata(event, {}),
    },
    target: undefined,
  };
};

const linkByCorrelationId: Projection = (event) => {
  const id = isLink(event.record) ? undefined : readCorrelationId(event.record);
  return id === undefined ? undefined : link(`$bc-${id}`, event);
};

export const PROJECTIONS: Readonly<Record<ProjectionName, Projection>> = {
  $by_category: linkByCategory,
  $by_event_type: linkByEventType,
  $by_correlation_id: linkByCorrelationId,
  $streams: linkFirstEvent,
  $stream_by_category: listStreamByCategory,
};

export const isProjectionName = (name: string): name is ProjectionName =>
  Object.hasOwn(PROJECTIONS, name);

/**
 * The server's own events (checkpoints and configuration of groups) get no links. These events are
 * removed again soon, but their links would stay and grow without limit.
 */
const isBookkeeping = ({ streamName }: ProjectedEvent): boolean =>
  streamName.startsWith('$persistent');

/**
 * Makes a link, unless the event type or the correlation id makes the name of the stream too long.
 */
const link = (
  streamName: string,
  event: ProjectedEvent,
  extra: Readonly<Record<string, string | number>> = {},
): Emission | undefined => {
  if (Buffer.byteLength(streamName) > SYSTEM_STREAM_NAME_BYTES_MAX) return undefined;
  const { streamNumber, revision, position } = event;
  return {
    streamName,
    event: linkEvent(
      Buffer.from(`${formatRevision(revision)}@${event.streamName}`),
      encodeLinkMetadata(event, extra),
    ),
    target: { streamNumber, revision, position },
  };
};

/** Formats a revision as clients see it. The revision of a tombstone is 2^63 - 1. */
const formatRevision = (revision: number): string =>
  revision === TOMBSTONE_REVISION ? '9223372036854775807' : String(revision);

const linkEvent = (data: Buffer, customMetadata: Buffer): Omit<EventContent, 'id'> => ({
  type: LINK_TYPE,
  json: false,
  data,
  customMetadata,
});

/**
 * Writes the metadata of a link: `$v` is the version of the projection, `$c` and `$p` are the
 * position, `$causedBy` is the event's id.
 */
const encodeLinkMetadata = (
  event: ProjectedEvent,
  extra: Readonly<Record<string, string | number>>,
): Buffer =>
  Buffer.from(
    JSON.stringify({
      $v: '1:-1:1:4',
      $c: event.position,
      $p: event.position,
      ...extra,
      $causedBy: readEventId(event.record),
    }),
  );

const readCorrelationId = (record: Buffer): string | undefined => {
  const text = readCustomMetadata(record);
  // Most events have no correlation id, so a text search is done before the metadata is parsed.
  if (!isJson(record) || !text.includes('$correlationId')) return undefined;
  try {
    const { $correlationId: id } = JSON.parse(text.toString()) as Record<string, unknown>;
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
};
