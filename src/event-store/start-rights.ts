import {
  AccessDeniedError,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionExistsError,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import { ConfigError } from '../config/config';
import { describeError, log, warnSeldom } from '../ops/log';
import { isUnreachable, withTimeout } from './availability';
import { awaited } from './category-links';
import type { EventStoreConnection } from './connection';
import { each } from './read';
import { categoryStream } from './streams';

const CALL_TIMEOUT_MS = 5_000;
const PAUSE_MS = 500;
const WARN_EVERY_MS = 60_000;
/** A store that is up answers within this; one that starts or changes its leader is asked again. */
const TLS_PROBE_TIMEOUT_MS = 2_000;
/** Nothing is ever stored in it. */
const TRIED_STREAM = 'start_check-rights';
const TRIED_GROUP = 'start-check';
const NEVER_REACHED = 1_000_000;
/** gRPC status codes. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** What the connection string says, as far as messages name it. */
export interface StoreAddress {
  readonly address: string;
  /** Null where the URL names none. */
  readonly user: string | null;
  readonly tls: boolean;
}

interface Right {
  /** "The user may not …" */
  readonly what: string;
  /** What gives the right, for an operator. */
  readonly givenBy: string;
  /** Resolves where the right is there. */
  readonly prove: (connection: EventStoreConnection) => Promise<unknown>;
}

const READ_ALL: Right = {
  what: 'read $all, the whole log',
  givenBy:
    'put the user into the group $admins, or let the access list of $all name it: append to the ' +
    'stream $$$all an event of type $metadata with {"$acl":{"$r":["$admins","USER"]}}',
  prove: async ({ client }) => {
    const read = client.readAll({
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: 1,
      deadline: CALL_TIMEOUT_MS,
    });
    for await (const _ of read) continue;
  },
};

const READ_STREAMS: Right = {
  what: 'read a stream',
  givenBy: 'name the user under $r in $userStreamAcl, in an event of the stream $settings',
  prove: ({ client }) => readLast(client, TRIED_STREAM),
};

const READ_CATEGORIES: Right = {
  what: 'read category streams ($ce-…), from which deliveries are made',
  givenBy:
    'put the user into the group $admins, or name it under $r in $systemStreamAcl, in an event of ' +
    'the stream $settings',
  prove: ({ client }) => readLast(client, categoryStream('start_check')),
};

const APPEND: Right = {
  what: 'append to a stream',
  givenBy: 'name the user under $w in $userStreamAcl, in an event of the stream $settings',
  // At a revision that the stream does not have: the server checks the right first and stores nothing.
  prove: ({ appends }) =>
    appends
      .append({
        stream: TRIED_STREAM,
        expected: NEVER_REACHED,
        events: [],
        timeoutMs: CALL_TIMEOUT_MS,
      })
      .catch(unless(WrongExpectedVersionError)),
};

const CREATE_GROUPS: Right = {
  what: 'create a persistent subscription group, of which each destination has one',
  givenBy: 'put the user into the group $ops or $admins',
  prove: async ({ client }) => {
    const settings = persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START });
    const options = { deadline: CALL_TIMEOUT_MS };
    await client
      .createPersistentSubscriptionToStream(TRIED_STREAM, TRIED_GROUP, settings, options)
      .catch(unless(PersistentSubscriptionExistsError));
    await client
      .deletePersistentSubscriptionToStream(TRIED_STREAM, TRIED_GROUP, options)
      .catch(unless(PersistentSubscriptionDoesNotExistError));
  },
};

const SEE_PROJECTION: Right = {
  what: 'see the state of the projection $by_category',
  givenBy: 'put the user into the group $ops or $admins',
  prove: ({ client }) => client.getProjectionStatus('$by_category', { deadline: CALL_TIMEOUT_MS }),
};

/** In the order in which they are tried: the first that is refused is told. */
const RIGHTS: readonly Right[] = [
  READ_ALL,
  READ_STREAMS,
  APPEND,
  READ_CATEGORIES,
  CREATE_GROUPS,
  SEE_PROJECTION,
];

/**
 * Tries one after the other what the service needs of the event store. Resolves when all of it works,
 * waits for a store that is away, and throws a `ConfigError` that says what was refused, to whom, and
 * what gives the right.
 */
export const proveRights = async (
  connection: EventStoreConnection,
  signal: AbortSignal,
): Promise<void> => {
  const warn = warnSeldom(WARN_EVERY_MS);
  const facts = connection.facts;
  for (const right of RIGHTS) {
    while (!signal.aborted) {
      try {
        await withTimeout(right.prove(connection), 2 * CALL_TIMEOUT_MS);
        break;
      } catch (error) {
        const refusal = refusalOf(right, error, facts) ?? (await encryptionMismatch(facts, error));
        if (refusal !== null) throw new ConfigError([refusal]);
        if (isFruitless(error)) {
          log.warn(describeError(error), `cannot try whether the service may ${right.what}`);
          break;
        }
        warn(describeError(error), waitingFor(connection, error));
        await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }
};

/** What an error says about the user, the encryption or the right; null where it says neither. */
export const refusalOf = (
  { what, givenBy }: Pick<Right, 'what' | 'givenBy'>,
  error: unknown,
  { address, user, tls }: StoreAddress,
): string | null => {
  const message = error instanceof Error ? error.message : '';
  const { code } = error as { readonly code?: unknown };
  if (code === UNAUTHENTICATED) return unauthenticated({ address, user, tls });
  if (code === PERMISSION_DENIED || error instanceof AccessDeniedError) {
    const who = user === null || !tls ? 'a caller without a user' : `the user "${user}"`;
    return `the event store at ${address} does not let ${who} of EVENTSTORE_URL ${what}: ${givenBy}`;
  }
  if (/wrong version number|packet length too long/.test(message)) {
    return (
      `the event store at ${address} speaks no TLS on this port, and EVENTSTORE_URL asks for it: ` +
      'add tls=false to the URL, or give the server a certificate'
    );
  }
  if (/certificate|altnames|unable to verify/i.test(message)) {
    return (
      `the certificate of the event store at ${address} is not trusted (${reasonIn(message)}): name ` +
      'the file of its certificate authority in EVENTSTORE_URL (tlsCAFile=/path/ca.crt), and use a ' +
      'host name that the certificate has'
    );
  }
  return null;
};

const unauthenticated = ({ address, user, tls }: StoreAddress): string => {
  if (user === null) {
    return (
      `the event store at ${address} asks for a user, and EVENTSTORE_URL names none ` +
      '(esdb://USER:PASSWORD@HOST:PORT)'
    );
  }
  if (!tls) {
    return (
      `the event store at ${address} asks for a user, and with tls=false in EVENTSTORE_URL none is ` +
      'sent: connect with TLS'
    );
  }
  return `the event store at ${address} refuses the user "${user}" of EVENTSTORE_URL: its name or its password is wrong`;
};

/** A server with TLS ends a plain connection without a word; whether it has TLS is asked for then. */
const encryptionMismatch = async (
  { address, tls }: StoreAddress,
  error: unknown,
): Promise<string | null> => {
  if (tls || !isUnreachable(error) || !(await speaksTls(address.split(',')[0] ?? ''))) return null;
  return (
    `the event store at ${address} speaks TLS on this port, and EVENTSTORE_URL has tls=false: take ` +
    'it out of the URL, and name a user and the certificate authority (tlsCAFile=/path/ca.crt)'
  );
};

const speaksTls = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(`tcp://${address}`);
    const host = hostname.replace(/^\[|\]$/g, '');
    // Only whether there is TLS is asked, nothing is sent: whose certificate it is does not matter.
    const socket = connect({ host, port: Number(port) || 2113, rejectUnauthorized: false });
    const answer = (found: boolean): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(TLS_PROBE_TIMEOUT_MS, () => {
      answer(false);
    });
    socket.once('secureConnect', () => {
      answer(true);
    });
    socket.once('error', () => {
      answer(false);
    });
  });

/** Neither a refusal nor an absence: such as an answer that only a newer server gives. */
const isFruitless = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'number' && !isUnreachable(error) && ![2, 4, 10, 13].includes(code);
};

const waitingFor = (connection: EventStoreConnection, error: unknown): string =>
  error instanceof Error && error.message.startsWith('Failed to discover')
    ? `waiting for a leader of the event store at ${connection.address} (EVENTSTORE_URL): no member ` +
      'answers as leader; check that most members run and reach each other'
    : awaited(connection);

const reasonIn = (message: string): string =>
  /Last error: (?:Error: )?(.*?)\.? Resolution note/s.exec(message)?.[1]?.trim() ?? message;

const readLast = (client: EventStoreDBClient, stream: string): Promise<void> => {
  const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  const read = client.readStream(stream, { ...options, deadline: CALL_TIMEOUT_MS });
  return each(read, () => undefined);
};

const unless =
  (kind: abstract new (...args: never[]) => Error) =>
  (error: unknown): void => {
    if (!(error instanceof kind)) throw error;
  };
