import { isAway } from './availability';
import { DomainError } from '../kernel/errors';

/**
 * SQLSTATE: no connection (`ConnectionLost` has such a code), no resources, a server that stops or
 * starts, one that only reads, as a standby does.
 */
const SQL_AWAY = /^(08...|53...|57P..|25006)$/;
const SOCKET_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

/** A store is away: that says nothing against the work, which waits for it however long that lasts. */
export const isOutage = (error: unknown): boolean => {
  const code = String((error as { readonly code?: unknown } | null)?.code);
  return (
    isAway(error) ||
    SQL_AWAY.test(code) ||
    SOCKET_ERRORS.includes(code) ||
    (error instanceof DomainError && error.code === 'service_unavailable')
  );
};
