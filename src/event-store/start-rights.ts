import {
  AccessDeniedError,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  NotLeaderError,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionExistsError,
  persistentSubscriptionToStreamSettingsFromDefaults,
  RUNNING,
  START,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { pause } from '../ops/polling';
import { ConfigError } from '../config/config';
import { describeError, log, limitWarnings } from '../ops/log';
import { isDiscoveryFailure, isUnavailable, isUnreachable, withTimeout } from './availability';
import { describeWait, PROJECTION } from './category-links';
import type { EventStoreConnection } from './connection';
import { forEachEntry } from './read';
import { categoryStream } from './streams';
import { probeTls, type TlsAnswer } from './tls-probe';

const CALL_TIMEOUT_MS = 5_000;
const PAUSE_MS = 500;
const WARN_EVERY_MS = 60_000;
/** Time without a leader after which the start fails. An election takes a few seconds. */
const LEADER_WAIT_LIMIT_MS = 30_000;
/** Name of a stream for tests in which nothing is ever stored. */
const TEST_STREAM = 'start_check-rights';
const TEST_GROUP = 'start-check';
const UNREACHABLE_REVISION = 1_000_000;
/** Status codes of gRPC. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** The parts of the connection string that messages name. */
export interface StoreAddress {
  readonly address: string;
  /** The user; null if the URL names none. */
  readonly user: string | null;
  readonly tls: boolean;
}

interface AccessRight {
  /** The right, as the end of "the user may not …". */
  readonly action: string;
  /** Instruction for the operator how to grant the right. */
  readonly howToGrant: string;
  /** Resolves if the user has the right. */
  readonly test: (connection: EventStoreConnection) => Promise<unknown>;
}

const READ_ALL: AccessRight = {
  action: 'read $all, the whole log',
  howToGrant:
    'put the user into the group $admins, or let the access list of $all name it: append to the ' +
    'stream $$$all an event of type $metadata with {"$acl":{"$r":["$admins","USER"]}}',
  test: async ({ client }) => {
    const read = client.readAll({
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: 1,
      deadline: CALL_TIMEOUT_MS,
    });
    for await (const _ of read) continue;
  },
};

const READ_STREAMS: AccessRight = {
  action: 'read a stream',
  howToGrant: 'name the user under $r in $userStreamAcl, in an event of the stream $settings',
  test: ({ client }) => readLast(client, TEST_STREAM),
};

const READ_CATEGORIES: AccessRight = {
  action: 'read category streams ($ce-…), from which deliveries are made',
  howToGrant:
    'put the user into the group $admins, or name it under $r in $systemStreamAcl, in an event of ' +
    'the stream $settings',
  test: ({ client }) => readLast(client, categoryStream('start_check')),
};

const APPEND: AccessRight = {
  action: 'append to a stream',
  howToGrant: 'name the user under $w in $userStreamAcl, in an event of the stream $settings',
  // The append uses a revision that the stream does not have. The server checks the right first and
  // stores nothing.
  test: ({ appends }) =>
    appends
      .append({
        stream: TEST_STREAM,
        expected: UNREACHABLE_REVISION,
        events: [],
        timeoutMs: CALL_TIMEOUT_MS,
      })
      .catch(ignoreError(WrongExpectedVersionError)),
};

const CREATE_GROUPS: AccessRight = {
  action: 'create a persistent subscription group, of which each destination has one',
  howToGrant: 'put the user into the group $ops or $admins',
  test: async ({ client }) => {
    const settings = persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START });
    const options = { deadline: CALL_TIMEOUT_MS };
    await client
      .createPersistentSubscriptionToStream(TEST_STREAM, TEST_GROUP, settings, options)
      .catch(ignoreError(PersistentSubscriptionExistsError));
    await client
      .deletePersistentSubscriptionToStream(TEST_STREAM, TEST_GROUP, options)
      .catch(ignoreError(PersistentSubscriptionDoesNotExistError));
  },
};

const SEE_PROJECTION: AccessRight = {
  action: `see the state of the projection ${PROJECTION}`,
  howToGrant: 'put the user into the group $ops or $admins',
  test: ({ client }) => client.getProjectionStatus(PROJECTION, { deadline: CALL_TIMEOUT_MS }),
};

const START_PROJECTION: AccessRight = {
  action: `start the projection ${PROJECTION}, which is stopped`,
  howToGrant:
    'put the user into the group $ops or $admins, or start it yourself in the web page of the ' +
    `event store (Projections, ${PROJECTION}, Start)`,
  test: async ({ client }) => {
    const options = { deadline: CALL_TIMEOUT_MS };
    const { projectionStatus } = await client.getProjectionStatus(PROJECTION, options);
    if (projectionStatus !== RUNNING) await client.enableProjection(PROJECTION, options);
  },
};

/** The rights in the order of the tests. The first refusal is reported. */
const RIGHTS: readonly AccessRight[] = [
  READ_ALL,
  READ_STREAMS,
  APPEND,
  READ_CATEGORIES,
  CREATE_GROUPS,
  SEE_PROJECTION,
  START_PROJECTION,
];

/**
 * Tests all rights that the service needs. It resolves if all tests succeed, waits for a store that
 * does not answer, and throws a `ConfigError` that says what was refused, to whom, and how to grant
 * it. A cluster whose members answer and have no leader is refused after a time.
 */
export const checkRights = async (
  connection: EventStoreConnection,
  signal: AbortSignal,
  leaderWaitLimitMs = LEADER_WAIT_LIMIT_MS,
): Promise<void> => {
  const warn = limitWarnings(WARN_EVERY_MS);
  const facts = connection.facts;
  let leaderlessSinceMs: number | null = null;
  for (const right of RIGHTS) {
    while (!signal.aborted) {
      try {
        await withTimeout(right.test(connection), 2 * CALL_TIMEOUT_MS);
        leaderlessSinceMs = null;
        break;
      } catch (error) {
        const answers = isUnavailable(error) ? await probeMembers(facts) : [];
        const refusal =
          describeRefusal(right, error, facts) ?? describeEncryptionMismatch(answers, facts);
        if (refusal !== null) throw new ConfigError([refusal]);
        const hasNoLeader =
          error instanceof NotLeaderError || (isDiscoveryFailure(error) && answers.length > 0);
        leaderlessSinceMs = hasNoLeader ? (leaderlessSinceMs ?? performance.now()) : null;
        if (
          leaderlessSinceMs !== null &&
          performance.now() - leaderlessSinceMs > leaderWaitLimitMs
        ) {
          throw new ConfigError([describeNoLeader(facts)]);
        }
        if (isNotRetryable(error)) {
          log.warn(describeError(error), `cannot test whether the service may ${right.action}`);
          break;
        }
        warn(describeError(error), describeWaiting(connection, error));
        await pause(PAUSE_MS, signal);
      }
    }
  }
};

/** Describes an error about the user, the encryption or the right; null for any other error. */
export const describeRefusal = (
  { action, howToGrant }: Pick<AccessRight, 'action' | 'howToGrant'>,
  error: unknown,
  { address, user, tls }: StoreAddress,
): string | null => {
  const message = error instanceof Error ? error.message : '';
  const { code } = error as { readonly code?: unknown };
  if (code === UNAUTHENTICATED) return describeUnauthenticated({ address, user, tls });
  if (code === PERMISSION_DENIED || error instanceof AccessDeniedError) {
    const who = user === null || !tls ? 'a caller without a user' : `the user "${user}"`;
    return `the event store at ${address} does not let ${who} of EVENTSTORE_URL ${action}: ${howToGrant}`;
  }
  if (/wrong version number|packet length too long/.test(message)) {
    return describePlainServer(address);
  }
  if (/certificate|altnames|unable to verify/i.test(message)) {
    return describeUntrusted(address, extractReason(message));
  }
  return null;
};

const describeUnauthenticated = ({ address, user, tls }: StoreAddress): string => {
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

/** Returns the responses of the members that answer at all. */
const probeMembers = async ({
  address,
  caFile,
}: StoreAddress & { readonly caFile: string | null }): Promise<TlsAnswer[]> => {
  const answers = await Promise.all(address.split(',').map((member) => probeTls(member, caFile)));
  return answers.filter(({ kind }) => kind !== 'silent');
};

/**
 * Describes a mismatch between the encryption of EVENTSTORE_URL and of the server, which the error
 * of the client does not show; null if there is none. Of a cluster, all members that answer must
 * agree.
 */
const describeEncryptionMismatch = (
  answers: readonly TlsAnswer[],
  facts: StoreAddress,
): string | null => {
  const problems = answers.map((answer) => describeTlsAnswer(answer, facts));
  return problems.includes(null) ? null : (problems[0] ?? null);
};

const describeTlsAnswer = (answer: TlsAnswer, { address, tls }: StoreAddress): string | null => {
  if (tls) {
    if (answer.kind === 'plain') return describePlainServer(address);
    return answer.kind === 'untrusted' ? describeUntrusted(address, answer.reason) : null;
  }
  return answer.kind === 'plain'
    ? null
    : `the event store at ${address} speaks TLS on this port, and EVENTSTORE_URL has tls=false: take ` +
        'it out of the URL, and name a user and the certificate authority (tlsCAFile=/path/ca.crt)';
};

const describePlainServer = (address: string): string =>
  `the event store at ${address} speaks no TLS on this port, and EVENTSTORE_URL asks for it: ` +
  'add tls=false to the URL, or give the server a certificate';

const describeNoLeader = ({ address }: StoreAddress): string =>
  `the event store at ${address} (EVENTSTORE_URL) answers and has no leader, so it takes no writes: ` +
  'check that most members of the cluster run and reach each other, then start the service again';

const describeUntrusted = (address: string, reason: string): string =>
  `the certificate of the event store at ${address} is not trusted (${reason}): name ` +
  'the file of its certificate authority in EVENTSTORE_URL (tlsCAFile=/path/ca.crt), and use a ' +
  'host name that the certificate has';

/**
 * True for an error that no repetition will change, such as a response that only a newer server
 * gives.
 */
const isNotRetryable = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'number' && !isUnreachable(error) && ![2, 4, 10, 13].includes(code);
};

const describeWaiting = (connection: EventStoreConnection, error: unknown): string =>
  error instanceof NotLeaderError || isDiscoveryFailure(error)
    ? `waiting for a leader of the event store at ${connection.address} (EVENTSTORE_URL): no member ` +
      'answers as leader; check that most members run and reach each other'
    : describeWait(connection);

const extractReason = (message: string): string =>
  /Last error: (?:Error: )?(.*?)\.? Resolution note/s.exec(message)?.[1]?.trim() ?? message;

const readLast = (client: EventStoreDBClient, stream: string): Promise<void> => {
  const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  const read = client.readStream(stream, { ...options, deadline: CALL_TIMEOUT_MS });
  return forEachEntry(read, () => undefined);
};

const ignoreError =
  (kind: abstract new (...args: never[]) => Error) =>
  (error: unknown): void => {
    if (!(error instanceof kind)) throw error;
  };
