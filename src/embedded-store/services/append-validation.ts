import { EVENT_BYTES_MAX, EVENT_TYPE_BYTES_MAX, STREAM_NAME_BYTES_MAX } from '../limits';
import type { ProposedEvent } from '../protocol/append-codec';
import { EMPTY_UUID } from '../protocol/uuid';
import { isMetastream } from '../storage/stream-metadata';

/** What is wrong with a stream's name, or undefined. */
export const refuseStreamName = (name: string): string | undefined => {
  if (name === '') return 'The stream name is empty.';
  if (Buffer.byteLength(name) > STREAM_NAME_BYTES_MAX) {
    return `The stream name is longer than ${STREAM_NAME_BYTES_MAX} bytes.`;
  }
  // Metadata of metadata does not exist; "$$" alone names no stream.
  return name === '$$' || (isMetastream(name) && isMetastream(name.slice(2)))
    ? `'${name}' is not a valid stream name.`
    : undefined;
};

export const refuseEvent = (event: ProposedEvent): string | undefined => {
  if (event.id === '' || event.id === EMPTY_UUID) return 'An event id is empty.';
  if (event.type === '') return 'An event type is empty.';
  if (Buffer.byteLength(event.type) > EVENT_TYPE_BYTES_MAX) {
    return `An event type is longer than ${EVENT_TYPE_BYTES_MAX} bytes.`;
  }
  return event.data.length + event.customMetadata.length > EVENT_BYTES_MAX
    ? `An event is larger than ${EVENT_BYTES_MAX} bytes.`
    : undefined;
};

/**
 * EventStoreDB up to v24.10.3 counts data bytes only, and the official client's tests rely on it.
 * Applications should stay below the limit with metadata and type included, as later versions count.
 */
export const appendBytes = (events: readonly ProposedEvent[]): number =>
  events.reduce((sum, { data }) => sum + data.length, 0);
