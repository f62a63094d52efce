import {
  CancelledError,
  DeadlineExceededError,
  type EventStoreDBClient,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
} from '@eventstore/db-client';
import { each } from './read';

/** Any stream that is never written: that it does not exist is an answer like any other. */
const UNWRITTEN = 'health';
const HEALTH_TIMEOUT_MS = 2_000;
/** gRPC status codes: CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE. */
const GRPC_AWAY = [1, 4, 14];

/** No answer within the time limit: what was asked for may have been done or not. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** No store has taken the call. */
export const isUnreachable = (error: unknown): boolean =>
  isOneOf(error, [CancelledError, NotLeaderError, UnavailableError]) ||
  isRawStatus(error) ||
  isUndiscovered(error);

/** No store has taken the call, or it did not answer in time. */
export const isAway = (error: unknown): boolean =>
  isUnreachable(error) || isOneOf(error, [DeadlineExceededError, NoAnswer, TimeoutError]);

interface WithClient {
  readonly client: EventStoreDBClient;
}

/** Whether the store answers now. */
export const answers = async ({ client }: WithClient): Promise<boolean> => {
  const read = client.readStream(UNWRITTEN, { maxCount: 1, deadline: HEALTH_TIMEOUT_MS });
  try {
    await withTimeout(
      each(read, () => undefined),
      HEALTH_TIMEOUT_MS,
    );
    return true;
  } catch {
    return false;
  }
};

/** The client has no timer of its own for batch appends: an unanswered one would never settle. */
export const withTimeout = async <T>(work: Promise<T>, timeoutMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new NoAnswer(`no answer from the event store within ${timeoutMs} ms`));
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
 * The client's own first call on a connection asks what the server can do, and is the one whose
 * failure it passes on as gRPC has it.
 */
const isRawStatus = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && 'details' in error
    ? GRPC_AWAY.includes(error.code as number)
    : false;

/** Of a cluster (`esdb+discover`), no member answered; the client has a message for it alone. */
const isUndiscovered = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Failed to discover after');
