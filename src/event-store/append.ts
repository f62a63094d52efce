import { StreamDeletedError, UnknownError, WrongExpectedVersionError } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../kernel/errors';
import { causedBySystem } from '../kernel/scope';
import { administer } from './administer';
import type { RawAppend, RawEvent } from './append-stream';
import { isAway } from './availability';
import type { EventStoreConnection } from './connection';
import { each } from './read';
import type { EventMetadata } from './stored-event';
import type { JsonObject } from '../kernel/json';

/** One try of an append; then its outcome is unknown. */
const TRY_TIMEOUT_MS = 4_000;
/** How long an append is repeated before the caller is told that the store is away. */
const GIVE_UP_AFTER_MS = 12_000;
const PAUSE_MS = 100;
/** What the server takes in one append, as it counts (`sizeOf`). */
export const APPEND_BYTES_MAX = 1_048_576;
/** How far back an event is looked for in a stream that is appended at any revision. */
const LOOKED_BACK_EVENTS = 50;
const LOOK_TIMEOUT_MS = 2_000;
const utf8 = new TextEncoder();

export interface NewEvent {
  readonly uuid: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

export interface Append {
  readonly stream: string;
  /** The last revision the decision was made on, -1 for a stream that must not exist yet. */
  readonly expected: number | 'any';
  readonly events: readonly NewEvent[];
}

export interface Appended {
  /** Revision of the last event. */
  readonly revision: number;
  /** Commit position of the last event. */
  readonly position: bigint;
}

/** The stream is not at the revision the decision was made on: load again, decide again. */
export class RevisionConflict extends Error {
  override readonly name = 'RevisionConflict';
}

/** The stream was deleted for good (an erased subscriber's vault, an upload that has ended). */
export class StreamGone extends Error {
  override readonly name = 'StreamGone';
}

/**
 * Appends; resolved means stored durably. An append whose outcome is unknown (time-out, broken
 * connection) is looked up by its event ids, and repeated with the same ids at the same revision where
 * it is not found, which the store recognises if it was stored meanwhile.
 */
export const append = async (
  connection: EventStoreConnection,
  request: Append,
): Promise<Appended> => {
  const raw = toRaw(request);
  requireFits(raw);
  const beganAt = performance.now();
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      const appended = await connection.appends.append(raw);
      connection.measures.appended((performance.now() - beganAt) / 1000);
      return noteOf(connection, request, appended);
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) {
        connection.measures.conflicted();
        throw new RevisionConflict(request.stream);
      }
      if (error instanceof StreamDeletedError) throw new StreamGone(request.stream);
      if (!isUnknown(error)) throw error;
      const found = await findAppended(connection, raw);
      if (found !== null) return noteOf(connection, request, found);
      if (Date.now() >= giveUpAt) throw unavailable(error);
      await delay(PAUSE_MS * (0.5 + Math.random()));
    }
  }
};

/** Deletes a stream for good: it is empty, and can never be written again. Repeating it is harmless. */
export const deleteForGood = ({ client }: EventStoreConnection, stream: string): Promise<void> =>
  administer({
    name: `delete stream ${stream}`,
    call: (options) => client.tombstoneStream(stream, options),
    isDone: (error) => error instanceof StreamDeletedError,
  });

/** Lets a stream forget what is older (`$maxAge`); setting it again changes nothing. */
export const keepFor = (
  connection: EventStoreConnection,
  stream: string,
  seconds: number,
): Promise<void> => limit(connection, stream, { $maxAge: seconds });

/** Lets a stream forget everything but its last event; setting it again changes nothing. */
export const keepOnlyLast = (connection: EventStoreConnection, stream: string): Promise<void> =>
  limit(connection, stream, { $maxCount: 1 });

const limit = async (
  { appends }: EventStoreConnection,
  stream: string,
  metadata: JsonObject,
): Promise<void> => {
  const data = utf8.encode(JSON.stringify(metadata));
  const event = { uuid: randomUUID(), type: '$metadata', data, metadata: new Uint8Array() };
  const place = { stream: `$$${stream}`, expected: 'any' } as const;
  await appends.append({ ...place, events: [event], timeoutMs: TRY_TIMEOUT_MS });
};

/** Bytes as the server counts them (24.10.4): data, metadata, and the type's name as UTF-16. */
export const sizeOf = ({ type, data, metadata }: Omit<RawEvent, 'uuid'>): number =>
  data.length + metadata.length + 2 * type.length;

/** Every append says who caused it: what names nobody, the service did by itself. */
const withOrigin = (metadata: EventMetadata): EventMetadata =>
  metadata.origin === undefined ? { ...metadata, origin: BY_ITSELF } : metadata;

const BY_ITSELF = causedBySystem('service');

const toRaw = ({ stream, expected, events }: Append): RawAppend => ({
  stream,
  expected,
  events: events.map(({ uuid, type, data, metadata }) => ({
    uuid,
    type,
    data: utf8.encode(JSON.stringify(data)),
    metadata: utf8.encode(JSON.stringify(withOrigin(metadata))),
  })),
  timeoutMs: TRY_TIMEOUT_MS,
});

/** The server would refuse it, and a real one answers an append that is too large twice. */
const requireFits = ({ events }: RawAppend): void => {
  const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
  if (bytes <= APPEND_BYTES_MAX) return;
  throw new DomainError(
    'payload_too_large',
    `This would store ${bytes} bytes at once, and the event store takes ${APPEND_BYTES_MAX} at most. ` +
      'Send less in one request.',
  );
};

const noteOf = (
  { links }: EventStoreConnection,
  { stream }: Append,
  appended: Appended,
): Appended => {
  links.appended(stream, appended.position);
  return appended;
};

/** What became of an append of unknown outcome; null where its events are not in the stream (yet). */
const findAppended = async (
  { client }: EventStoreConnection,
  { stream, expected, events }: RawAppend,
): Promise<Appended | null> => {
  const wanted = new Set(events.map(({ uuid }) => uuid));
  let last: Appended | null = null;
  const place =
    expected === 'any'
      ? ({ direction: 'backwards', fromRevision: 'end', maxCount: LOOKED_BACK_EVENTS } as const)
      : ({ fromRevision: BigInt(expected + 1), maxCount: events.length } as const);
  try {
    const read = client.readStream(stream, { ...place, deadline: LOOK_TIMEOUT_MS });
    await each(read, ({ event }) => {
      if (event === undefined || !wanted.delete(event.id)) return;
      const revision = Number(event.revision);
      if (last !== null && revision < last.revision) return;
      last = { revision, position: event.position?.commit ?? 0n };
    });
  } catch {
    // The store is still away: the next try says more.
    return null;
  }
  return wanted.size === 0 ? last : null;
};

/** The store was away or did not say what became of the append; it may have been stored. */
const isUnknown = (error: unknown): boolean => isAway(error) || error instanceof UnknownError;

const unavailable = (cause: unknown): DomainError => {
  const error = new DomainError(
    'service_unavailable',
    'The event store does not answer. Repeat the request.',
  );
  error.cause = cause;
  return error;
};
