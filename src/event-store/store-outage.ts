import { isAway } from './availability';
import { DomainError } from '../kernel/errors';

/**
 * SQLSTATE: no connection (`ConnectionLost` has such a code), no resources, a server that stops or
 * starts, one that only reads, as a standby does.
 */
const SQL_AWAY = /^(08...|53...|57P..|25006)$/;
const SOCKET_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

/** Says in words which store is away; null where the error says nothing of the kind. */
export const outageOf = (error: unknown): string | null => {
  if (isAway(error)) return 'the event store cannot be reached or does not answer';
  const code = String((error as { readonly code?: unknown } | null)?.code);
  if (SQL_AWAY.test(code) || SOCKET_ERRORS.includes(code)) {
    return 'the SQL database cannot be reached';
  }
  return error instanceof DomainError && error.cause !== undefined ? outageOf(error.cause) : null;
};

/** A store is away: that says nothing against the work, which waits for it however long that lasts. */
export const isOutage = (error: unknown): boolean =>
  outageOf(error) !== null ||
  (error instanceof DomainError && error.code === 'service_unavailable');
