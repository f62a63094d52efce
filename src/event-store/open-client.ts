import { EventStoreDBClient } from '@eventstore/db-client';
import { ConfigError } from '../config/config';

const PASSWORD = /(:\/\/[^:@/]+:)[^@]+@/g;

/**
 * Creates a client for a connection string. The client quotes the whole string, with the password,
 * in its warnings, so the password is taken out. It throws a `ConfigError` if the client refuses the
 * string.
 */
export const openClient = (connectionString: string): EventStoreDBClient => {
  const { warn } = console;
  console.warn = (...parts: unknown[]): void => {
    warn(...parts.map((part) => String(part).replace(PASSWORD, '$1***@')));
  };
  try {
    return EventStoreDBClient.connectionString(connectionString);
  } catch (error) {
    throw new ConfigError([describeRefusedString(error)]);
  } finally {
    console.warn = warn;
  }
};

const describeRefusedString = (error: unknown): string => {
  if (error instanceof URIError) {
    return 'EVENTSTORE_URL has a % that begins no escape sequence: write %25 for a %';
  }
  const { message, code, expected } = error as Error & { code?: string; expected?: string };
  if (expected !== undefined) {
    return `EVENTSTORE_URL cannot be read: a part of it, such as the value of a parameter, must be ${expected}`;
  }
  if (code !== undefined) {
    return `EVENTSTORE_URL names a certificate or key file that cannot be read (${code})`;
  }
  if (message.includes('key file')) {
    return 'EVENTSTORE_URL names a key file that does not exist (userKeyFile): give its whole path';
  }
  if (message.includes('certificate file')) {
    return (
      'EVENTSTORE_URL names a certificate file that does not exist (tlsCAFile or userCertFile): ' +
      'give its whole path'
    );
  }
  return message.includes('userKeyFile')
    ? 'EVENTSTORE_URL needs userCertFile and userKeyFile together'
    : 'EVENTSTORE_URL is not accepted by the client of the event store';
};
