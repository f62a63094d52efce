import { StreamDeletedError, UnknownError, WrongExpectedVersionError } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../kernel/errors';
import { APPEND_RETRY } from '../kernel/retry-policies';
import { createSystemOrigin } from '../kernel/scope';
import { callWithRetry } from './call-with-retry';
import type { RawAppend, RawEvent } from './append-stream';
import { isDiskFull, isUnavailable } from './availability';
import type { AppendFacts, EventStoreConnection } from './connection';
import { forEachEntry } from './read';
import type { EventMetadata } from './stored-event';
import type { JsonObject } from '../kernel/json';

/** Time limit of one attempt to append. After it the outcome is unknown. */
const TRY_TIMEOUT_MS = 4_000;
/** Maximum size of one append, as the server counts it (`computeSize`). */
export const APPEND_BYTES_MAX = 1_048_576;
/** Number of events that are searched in a stream that is appended at any revision. */
const SEARCH_BACK_EVENTS = 50;
const SEARCH_TIMEOUT_MS = 2_000;
const utf8 = new TextEncoder();

export interface NewEvent {
  readonly uuid: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

export interface Append {
  readonly stream: string;
  /** The last revision on which the decision was made; -1 for a stream that must not exist yet. */
  readonly expected: number | 'any';
  readonly events: readonly NewEvent[];
}

export interface Appended {
  /** Revision of the last event. */
  readonly revision: number;
  /** Commit position of the last event. */
  readonly position: bigint;
}

/**
 * Thrown when the stream is not at the revision on which the decision was made. The caller loads
 * and decides again.
 */
export class RevisionConflict extends Error {
  override readonly name = 'RevisionConflict';
}

/** Thrown when the stream was deleted for good, such as the vault of an erased subscriber. */
export class StreamTombstoned extends Error {
  override readonly name = 'StreamTombstoned';
}

/**
 * Appends events and resolves when they are stored durably. If the outcome is unknown (timeout,
 * broken connection), the events are searched by their ids. If they are not found, the append is
 * repeated with the same ids at the same revision, and the store recognises events that it has
 * stored in the meantime.
 */
export const append = async (
  connection: EventStoreConnection,
  request: Append,
): Promise<Appended> => {
  const raw = toRaw(request);
  requireFits(raw);
  const beganAt = performance.now();
  const giveUpAt = Date.now() + APPEND_RETRY.forMs;
  for (;;) {
    try {
      const appended = await connection.appends.append(raw);
      const seconds = (performance.now() - beganAt) / 1000;
      connection.appendMetrics.recordAppend(seconds, createAppendFacts(request));
      return recordAppended(connection, request, appended);
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) {
        connection.appendMetrics.recordConflict();
        throw new RevisionConflict(request.stream);
      }
      if (error instanceof StreamDeletedError) throw new StreamTombstoned(request.stream);
      if (!hasUnknownOutcome(error)) throw error;
      const found = await findAppended(connection, raw);
      if (found !== null) return recordAppended(connection, request, found);
      if (isDiskFull(error)) throw diskFullError(error);
      if (Date.now() >= giveUpAt) throw unavailableError(error);
      await delay(APPEND_RETRY.pauseMs * (0.5 + Math.random()));
    }
  }
};

/**
 * Deletes a stream for good. It is empty then and can never be written again. Repeating it is
 * harmless.
 */
export const tombstoneStream = ({ client }: EventStoreConnection, stream: string): Promise<void> =>
  callWithRetry({
    name: `delete stream ${stream}`,
    call: (options) => client.tombstoneStream(stream, options),
    isAlreadyDone: (error) => error instanceof StreamDeletedError,
  });

/**
 * Makes the store delete events of a stream that are older (`$maxAge`). Repeating it is harmless.
 */
export const setMaxAge = (
  connection: EventStoreConnection,
  stream: string,
  seconds: number,
): Promise<void> => setStreamMetadata(connection, stream, { $maxAge: seconds });

/** Makes the store delete all events of a stream but the last. Repeating it is harmless. */
export const keepOnlyLastEvent = (
  connection: EventStoreConnection,
  stream: string,
): Promise<void> => setStreamMetadata(connection, stream, { $maxCount: 1 });

const setStreamMetadata = async (
  { appends }: EventStoreConnection,
  stream: string,
  metadata: JsonObject,
): Promise<void> => {
  const data = utf8.encode(JSON.stringify(metadata));
  const event = { uuid: randomUUID(), type: '$metadata', data, metadata: new Uint8Array() };
  const place = { stream: `$$${stream}`, expected: 'any' } as const;
  await appends.append({ ...place, events: [event], timeoutMs: TRY_TIMEOUT_MS });
};

/**
 * Computes the size of an event as the server does (24.10.4): data, metadata, and the name of the
 * type in UTF-16.
 */
export const computeSize = ({ type, data, metadata }: Omit<RawEvent, 'uuid'>): number =>
  data.length + metadata.length + 2 * type.length;

const createAppendFacts = ({ events }: Append): AppendFacts => ({
  events: events.length,
  traceparent: events[0]?.metadata.origin?.traceparent,
});

/** Adds the origin "service" to an event that names no origin, so that every append has one. */
const addOrigin = (metadata: EventMetadata): EventMetadata =>
  metadata.origin === undefined ? { ...metadata, origin: SERVICE_ORIGIN } : metadata;

const SERVICE_ORIGIN = createSystemOrigin('service');

const toRaw = ({ stream, expected, events }: Append): RawAppend => ({
  stream,
  expected,
  events: events.map(({ uuid, type, data, metadata }) => ({
    uuid,
    type,
    data: utf8.encode(JSON.stringify(data)),
    metadata: utf8.encode(JSON.stringify(addOrigin(metadata))),
  })),
  timeoutMs: TRY_TIMEOUT_MS,
});

/**
 * Throws if an append is too large. The server would refuse it, and EventStoreDB answers such an
 * append twice.
 */
const requireFits = ({ events }: RawAppend): void => {
  const bytes = events.reduce((sum, event) => sum + computeSize(event), 0);
  if (bytes <= APPEND_BYTES_MAX) return;
  throw new DomainError(
    'payload_too_large',
    `This would store ${bytes} bytes at once, and the event store takes ${APPEND_BYTES_MAX} at most. ` +
      'Send less in one request.',
  );
};

const recordAppended = (
  { links }: EventStoreConnection,
  { stream }: Append,
  appended: Appended,
): Appended => {
  links.recordAppend(stream, appended.position);
  return appended;
};

/**
 * Searches the events of an append with an unknown outcome; null if they are not in the stream
 * (yet).
 */
const findAppended = async (
  { client }: EventStoreConnection,
  { stream, expected, events }: RawAppend,
): Promise<Appended | null> => {
  const wanted = new Set(events.map(({ uuid }) => uuid));
  let last: Appended | null = null;
  const place =
    expected === 'any'
      ? ({ direction: 'backwards', fromRevision: 'end', maxCount: SEARCH_BACK_EVENTS } as const)
      : ({ fromRevision: BigInt(expected + 1), maxCount: events.length } as const);
  try {
    const read = client.readStream(stream, { ...place, deadline: SEARCH_TIMEOUT_MS });
    await forEachEntry(read, ({ event }) => {
      if (event === undefined || !wanted.delete(event.id)) return;
      const revision = Number(event.revision);
      if (last !== null && revision < last.revision) return;
      last = { revision, position: event.position?.commit ?? 0n };
    });
  } catch {
    // The store still does not answer. The next attempt will show the outcome.
    return null;
  }
  return wanted.size === 0 ? last : null;
};

/**
 * True if the store was unavailable or did not report the outcome. The events may have been stored.
 */
const hasUnknownOutcome = (error: unknown): boolean =>
  isUnavailable(error) || error instanceof UnknownError;

const unavailableError = (cause: unknown): DomainError =>
  refuse('The event store does not answer. Repeat the request.', cause);

/**
 * Creates the error of an append to a store whose disk is full. The caller must not repeat the append
 * at once, because an operator must free disk space first.
 */
const diskFullError = (cause: unknown): DomainError =>
  refuse('The disk of the event store is full. Repeat the request when there is room.', cause);

const refuse = (message: string, cause: unknown): DomainError => {
  const error = new DomainError('service_unavailable', message);
  error.cause = cause;
  return error;
};
