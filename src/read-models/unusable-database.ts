import { ConfigError } from '../config/config';

/** SQLSTATE codes of a wrong password or account (class 28), and of a database that does not exist. */
const WRONG_URL_STATES = /^(28...|3D000)$/;

/**
 * Throws the error that a database which cannot be used at the start means: that DATABASE_URL is wrong
 * if the server refused the account or has no such database, or else the given error.
 */
export const explainUnusableDatabase = (error: unknown): never => {
  if (error instanceof ConfigError) throw error;
  const refusal = findRefusal(error);
  if (refusal !== null) {
    throw new ConfigError([`DATABASE_URL is refused by its server: ${refusal.message}`]);
  }
  throw new Error('the SQL database cannot be used', { cause: error });
};

/** The server's own answer may be the cause of another error. */
const findRefusal = (error: unknown): Error | null => {
  if (!(error instanceof Error)) return null;
  return WRONG_URL_STATES.test(String((error as { code?: unknown }).code))
    ? error
    : findRefusal(error.cause);
};
