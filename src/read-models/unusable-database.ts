import { ConfigError } from '../config/config';

/**
 * SQLSTATE codes of a server that refuses what the URL says: the account (class 28), the database,
 * a parameter of the connection, and an account without the right to create tables.
 */
const WRONG_URL_STATES = /^(28...|3D000|22023|42501|42601|42704)$/;
const MISSING_RIGHT = '42501';

/** Error codes of Node for a certificate that it does not trust. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_/;
const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
/** The end of PostgreSQL's message if it accepts the account over TLS only. */
const NEEDS_TLS = ', no encryption';

/**
 * Throws an error that explains to the operator why the database cannot be used at the start. If
 * DATABASE_URL is wrong, this is a `ConfigError` that says how to correct it.
 */
export const explainUnusableDatabase = (error: unknown): never => {
  if (error instanceof ConfigError) throw error;
  const refusal = findInCauses(error, describeRefusal);
  if (refusal !== null) throw new ConfigError([`DATABASE_URL ${refusal}`]);
  throw new Error('the SQL database cannot be used (DATABASE_URL, if it is set)', { cause: error });
};

/** Returns the end of a sentence about DATABASE_URL; null if the error does not come from it. */
const describeRefusal = (error: Error): string | null => {
  const code = String((error as { code?: unknown }).code);
  if (code === MISSING_RIGHT) {
    return `names an account that may not create tables (${error.message}): make it the owner of the database, or name the owner`;
  }
  if (error.message.endsWith(NEEDS_TLS)) {
    return `connects without TLS, and its server refuses that (${error.message}): add sslmode=verify-full`;
  }
  if (WRONG_URL_STATES.test(code)) {
    return `is refused by its server (${error.message}): write the account, the database and the options that the server has`;
  }
  if (error.message.includes('does not support SSL')) {
    return 'asks for TLS and its server speaks none: write sslmode=disable, or give the server a certificate';
  }
  if (code === OTHER_NAME) {
    return `names a host that the certificate of its server does not name (${error.message}): write the host as the certificate has it`;
  }
  return UNTRUSTED.test(code)
    ? `leads to a server whose certificate is not trusted (${error.message}): name the file of its certificate authority (sslrootcert=/path/ca.crt), or write sslmode=no-verify, which encrypts and checks nothing`
    : null;
};

/** Searches an error and its causes, because another error may wrap the response of the server. */
const findInCauses = <T>(error: unknown, find: (error: Error) => T | null): T | null =>
  error instanceof Error ? (find(error) ?? findInCauses(error.cause, find)) : null;
