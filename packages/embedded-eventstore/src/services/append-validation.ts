import { EVENT_BYTES_MAX, EVENT_TYPE_BYTES_MAX, STREAM_NAME_BYTES_MAX } from '../base/limits';
import type { ProposedEvent } from '../protocol/append-codec';
import { errors } from '../protocol/rpc-error';
import { EMPTY_UUID } from '../base/uuid';
import { isMetastream } from '../storage/stream-metadata';

/** Returns the reason why a stream cannot have this name; undefined if it can. */
export const findStreamNameProblem = (name: string): string | undefined => {
  if (name === '') return 'The stream name is empty.';
  if (Buffer.byteLength(name) > STREAM_NAME_BYTES_MAX) {
    return `The stream name is longer than ${STREAM_NAME_BYTES_MAX} bytes.`;
  }
  // A metadata stream has no metadata itself, and "$$" alone is not a stream's name.
  return name === '$$' || (isMetastream(name) && isMetastream(name.slice(2)))
    ? `'${name}' is not a valid stream name.`
    : undefined;
};

/** Throws an argument error if a stream cannot have this name. */
export const assertStreamName = (name: string): void => {
  const problem = findStreamNameProblem(name);
  if (problem !== undefined) throw errors.invalidArgument(problem);
};

export const findEventProblem = (event: ProposedEvent): string | undefined => {
  if (event.id === '' || event.id === EMPTY_UUID) return 'An event id is empty.';
  if (event.type === '') return 'An event type is empty.';
  if (Buffer.byteLength(event.type) > EVENT_TYPE_BYTES_MAX) {
    return `An event type is longer than ${EVENT_TYPE_BYTES_MAX} bytes.`;
  }
  return event.data.length + event.customMetadata.length > EVENT_BYTES_MAX
    ? `An event is larger than ${EVENT_BYTES_MAX} bytes.`
    : undefined;
};

/** Counts the bytes of an append for the limit `MaxAppendSize`. */
export type CountBytes = (events: readonly ProposedEvent[]) => number;

/** Counts as EventStoreDB 24.10.4 and later: data, metadata, and the type in UTF-16. */
export const countAllBytes: CountBytes = (events) =>
  events.reduce(
    (sum, { data, customMetadata, type }) =>
      sum + data.length + customMetadata.length + 2 * type.length,
    0,
  );

/** Counts as EventStoreDB up to 24.10.3. The test suite of the official client expects it. */
export const countDataBytes: CountBytes = (events) =>
  events.reduce((sum, { data }) => sum + data.length, 0);
