import {
  CancelledError,
  DeadlineExceededError,
  type EventStoreDBClient,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from '@eventstore/db-client';
import { forEachEntry } from './read';

/** A stream that is never written. The response that it does not exist shows that the store works. */
const UNWRITTEN_STREAM = 'health';
const HEALTH_TIMEOUT_MS = 2_000;
/** gRPC status codes: CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE. */
const GRPC_UNAVAILABLE_CODES = [1, 4, 14];

/** Thrown when no response came within the time limit. The call may have had an effect or not. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/** True if no store accepted the call. */
export const isUnreachable = (error: unknown): boolean =>
  isOneOf(error, [CancelledError, NotLeaderError, UnavailableError]) ||
  isRawStatus(error) ||
  isDiscoveryFailure(error);

/** True if no store accepted the call, or the response did not come in time. */
export const isUnavailable = (error: unknown): boolean =>
  isUnreachable(error) || isOneOf(error, [DeadlineExceededError, NoResponse, TimeoutError]);

interface WithClient {
  readonly client: EventStoreDBClient;
}

/**
 * gRPC status code RESOURCE_EXHAUSTED. The embedded event store answers it, and nothing else does.
 */
const GRPC_DISK_FULL = 8;

/**
 * True if the embedded event store refused a write because its disk is full. Nothing was written.
 */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof UnknownError && Number(error._raw?.code) === GRPC_DISK_FULL;

/** True if the store answers now. */
export const isAnswering = async ({ client }: WithClient): Promise<boolean> => {
  const read = client.readStream(UNWRITTEN_STREAM, { maxCount: 1, deadline: HEALTH_TIMEOUT_MS });
  try {
    await withTimeout(
      forEachEntry(read, () => undefined),
      HEALTH_TIMEOUT_MS,
    );
    return true;
  } catch {
    return false;
  }
};

/**
 * Limits the time of a call. The client has no timer for batch appends, so one without a response
 * would never end.
 */
export const withTimeout = async <T>(work: Promise<T>, timeoutMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new NoResponse(`no response from the event store within ${timeoutMs} ms`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
};

const isOneOf = (
  error: unknown,
  kinds: readonly (abstract new (...args: never[]) => Error)[],
): boolean => kinds.some((kind) => error instanceof kind);

/**
 * True for an error with a raw gRPC status. The client's own first call on a connection asks what
 * the server can do, and the client passes on its failure unchanged.
 */
const isRawStatus = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && 'details' in error
    ? GRPC_UNAVAILABLE_CODES.includes(error.code as number)
    : false;

/**
 * True if no member of a cluster (`esdb+discover`) answered, or none of them can be used. The
 * client has only a message for this case.
 */
export const isDiscoveryFailure = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Failed to discover after');
