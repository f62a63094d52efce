import { EventStoreDBClient } from '@eventstore/db-client';
import { ConfigError } from '../config/config';

const PASSWORD_PATTERN = /(:\/\/[^:@/]+:)[^@]+@/g;

/**
 * Creates a client for a connection string. The client quotes the whole string, with the password,
 * in its warnings, so the password is taken out. It throws a `ConfigError` if the client refuses the
 * string.
 */
export const openClient = (connectionString: string): EventStoreDBClient => {
  const { warn } = console;
  console.warn = (...parts: unknown[]): void => {
    warn(...parts.map((part) => String(part).replace(PASSWORD_PATTERN, '$1***@')));
  };
  try {
    return EventStoreDBClient.connectionString(connectionString);
  } catch {
    // The error of the client may quote the password.
    throw new ConfigError([
      'EVENTSTORE_URL is not accepted by the client of the event store: write it as esdb://user:password@host.example:2113?tls=true',
    ]);
  } finally {
    console.warn = warn;
  }
};
