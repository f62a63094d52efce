import { EventStoreDBClient } from '@eventstore/db-client';

const CREDENTIALS = /(:\/\/).*@/g;

/**
 * Opens the client of an export's target. The client repeats the whole connection string, with the
 * password, in its warnings and errors. So warnings are shown without user and password, and an
 * error names only the part that is wrong.
 */
export const openTarget = (connectionString: string): EventStoreDBClient => {
  const { warn } = console;
  console.warn = (...parts: unknown[]): void => {
    warn(...parts.map((part) => String(part).replace(CREDENTIALS, '$1***@')));
  };
  try {
    return EventStoreDBClient.connectionString(connectionString);
  } catch (error) {
    // eslint-disable-next-line preserve-caught-error -- The client's error holds the password.
    throw new Error(describeRefusedString(error));
  } finally {
    console.warn = warn;
  }
};

const describeRefusedString = (error: unknown): string => {
  const { expected, code } = error as { readonly expected?: string; readonly code?: string };
  if (expected !== undefined) return `--to cannot be read: a part of it must be ${expected}.`;
  return code === undefined
    ? '--to is not accepted: use esdb://USER:PASSWORD@HOST:PORT, with %25 for each %.'
    : `--to names a certificate or key file that cannot be read (${code}).`;
};
