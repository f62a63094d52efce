import { isDiskFull, isUnavailable } from './availability';
import { DomainError } from '../kernel/errors';

/**
 * SQLSTATE codes of an outage: no connection (`ConnectionLost` has such a code), no resources, a
 * server that stops or starts, and a server that is read-only, such as a standby.
 */
const SQL_OUTAGE_STATES = /^(08...|53...|57P..|25006)$/;
const SOCKET_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

/** Describes which store is unavailable; null if the error is of another kind. */
export const describeOutage = (error: unknown): string | null => {
  if (isDiskFull(error)) return 'the disk of the event store is full';
  if (isUnavailable(error)) return 'the event store cannot be reached or does not answer';
  const code = String((error as { readonly code?: unknown } | null)?.code);
  if (SQL_OUTAGE_STATES.test(code) || SOCKET_ERRORS.includes(code)) {
    return 'the SQL database cannot be reached';
  }
  return error instanceof DomainError && error.cause !== undefined
    ? describeOutage(error.cause)
    : null;
};

/**
 * True if a store is unavailable. The work itself is not at fault and is repeated for as long as
 * the outage lasts.
 */
export const isOutage = (error: unknown): boolean =>
  describeOutage(error) !== null ||
  (error instanceof DomainError && error.code === 'service_unavailable');
