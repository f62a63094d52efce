import {
  ANY,
  type AppendExpectedRevision,
  jsonEvent,
  NO_STREAM,
  StreamDeletedError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../kernel/errors';
import { isAway, withTimeout } from './availability';
import type { EventStoreConnection } from './connection';
import type { EventMetadata, JsonObject } from './stored-event';

/** One try of an append; then its outcome counts as unknown and it is repeated. */
const TRY_TIMEOUT_MS = 4_000;
/** How long an append is repeated before the caller is told that the store is away. */
const GIVE_UP_AFTER_MS = 12_000;
const PAUSE_MS = 100;
/** The client takes bytes as they are; an object it would turn to base64 and back, twice an event. */
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
 * connection) is repeated with the same ids at the same revision, which the store recognises.
 */
export const append = async (
  connection: EventStoreConnection,
  request: Append,
): Promise<Appended> => {
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      return await appendOnce(connection, request);
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) throw new RevisionConflict(request.stream);
      if (error instanceof StreamDeletedError) throw new StreamGone(request.stream);
      if (!isPassing(error)) throw error;
      if (Date.now() >= giveUpAt) throw unavailable(error);
      await delay(PAUSE_MS);
    }
  }
};

/** Deletes a stream for good: it is empty, and can never be written again. Repeating it is harmless. */
export const deleteForGood = async (
  { client }: EventStoreConnection,
  stream: string,
): Promise<void> => {
  try {
    await client.tombstoneStream(stream);
  } catch (error) {
    if (!(error instanceof StreamDeletedError)) throw error;
  }
};

/** Lets a stream forget what is older (`$maxAge`); setting it again changes nothing. */
export const keepFor = async (
  { client }: EventStoreConnection,
  stream: string,
  seconds: number,
): Promise<void> => {
  await withTimeout(client.setStreamMetadata(stream, { maxAge: seconds }), TRY_TIMEOUT_MS);
};

const appendOnce = async (
  { client }: EventStoreConnection,
  { stream, expected, events }: Append,
): Promise<Appended> => {
  const result = await withTimeout(
    client.appendToStream(
      stream,
      events.map((event) =>
        jsonEvent({
          id: event.uuid,
          type: event.type,
          data: event.data,
          metadata: utf8.encode(JSON.stringify(event.metadata)),
        }),
      ),
      { expectedRevision: toExpectedRevision(expected) },
    ),
    TRY_TIMEOUT_MS,
  );
  return { revision: Number(result.nextExpectedRevision), position: result.position?.commit ?? 0n };
};

const toExpectedRevision = (expected: number | 'any'): AppendExpectedRevision => {
  if (expected === 'any') return ANY;
  return expected < 0 ? NO_STREAM : BigInt(expected);
};

/** The store was away or did not say what became of the append; it may have been stored. */
const isPassing = (error: unknown): boolean => isAway(error) || error instanceof UnknownError;

const unavailable = (cause: unknown): DomainError => {
  const error = new DomainError(
    'service_unavailable',
    'The event store does not answer. Repeat the request.',
  );
  error.cause = cause;
  return error;
};
