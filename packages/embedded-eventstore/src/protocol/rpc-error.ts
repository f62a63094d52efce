/** The gRPC status codes that this server uses. */
export const Status = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

export type StatusCode = (typeof Status)[keyof typeof Status];

/**
 * The error with which a call ends. It has a status, a text, and the trailers by which clients
 * recognise it.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: StatusCode,
    message: string,
    readonly trailers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

interface GroupName {
  readonly source: string;
  readonly group: string;
}

const createGroupTrailers = (key: GroupName, exception: string): Record<string, string> => ({
  exception,
  'stream-name': key.source,
  'group-name': key.group,
});

/**
 * The errors of EventStoreDB v24.10 with its status codes, texts and trailers. Clients compare them
 * literally: first the trailer `exception`, then the status.
 */
export const errors = {
  unauthenticated: () => new RpcError(Status.unauthenticated, 'Unauthenticated'),

  wrongExpectedVersion: (facts: {
    readonly streamName: string;
    readonly expected: string;
    readonly actual: string;
  }) =>
    new RpcError(
      Status.failedPrecondition,
      `Append failed due to WrongExpectedVersion. Stream: ${facts.streamName}, ` +
        `Expected version: ${facts.expected}, Actual version: ${facts.actual}`,
      {
        exception: 'wrong-expected-version',
        'stream-name': facts.streamName,
        'expected-version': facts.expected,
        'actual-version': facts.actual,
      },
    ),

  streamDeleted: (streamName: string) =>
    new RpcError(Status.failedPrecondition, `Event stream '${streamName}' is deleted.`, {
      exception: 'stream-deleted',
      'stream-name': streamName,
    }),

  appendTooBig: (bytesMax: number) =>
    new RpcError(Status.invalidArgument, `Maximum Append Size of ${bytesMax} Exceeded.`, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(bytesMax),
    }),

  missingMetadata: (missing: readonly string[]) =>
    new RpcError(
      Status.invalidArgument,
      `Required Metadata Property '${missing.join(', ')}' is missing`,
      {
        exception: 'missing-required-metadata-property',
        'required-metadata-properties': missing.join(','),
      },
    ),

  notLeader: (host: string, port: number) =>
    new RpcError(Status.notFound, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': String(port),
    }),

  groupDoesNotExist: (key: GroupName) =>
    new RpcError(
      Status.notFound,
      `Subscription group ${key.group} on stream ${key.source} does not exist.`,
      createGroupTrailers(key, 'persistent-subscription-does-not-exist'),
    ),

  groupExists: (key: GroupName) =>
    new RpcError(
      Status.alreadyExists,
      `Subscription group ${key.group} on stream ${key.source} exists.`,
      createGroupTrailers(key, 'persistent-subscription-exists'),
    ),

  groupDropped: (key: GroupName) =>
    new RpcError(
      Status.cancelled,
      `Subscription group ${key.group} on stream ${key.source} was dropped.`,
      createGroupTrailers(key, 'persistent-subscription-dropped'),
    ),

  groupFull: (key: GroupName) =>
    new RpcError(
      Status.failedPrecondition,
      `Maximum subscriptions reached for subscription group ${key.group} on stream ${key.source}.`,
      createGroupTrailers(key, 'maximum-subscribers-reached'),
    ),

  groupFailed: (key: GroupName, reason: string) =>
    new RpcError(
      Status.internal,
      `Subscription group ${key.group} on stream ${key.source} failed: '${reason}'`,
      { ...createGroupTrailers(key, 'persistent-subscription-failed'), reason },
    ),

  accessDenied: () =>
    new RpcError(Status.permissionDenied, 'Access Denied', { exception: 'access-denied' }),

  scavengeNotFound: (scavengeId: string) =>
    new RpcError(Status.notFound, `Scavenge ${scavengeId} was not found.`, {
      exception: 'scavenge-not-found',
      'scavenge-id': scavengeId,
    }),

  userNotFound: (loginName: string) =>
    new RpcError(Status.notFound, `User '${loginName}' is not found.`, {
      exception: 'user-not-found',
      'login-name': loginName,
    }),

  cancelled: (message: string) => new RpcError(Status.cancelled, message),
  timeout: () => new RpcError(Status.aborted, 'Operation timed out'),
  unavailable: (message: string) => new RpcError(Status.unavailable, message),
  /** The disk is full. EventStoreDB has no such error, because it ends in this case. */
  diskFull: (message: string) => new RpcError(Status.resourceExhausted, message),
  invalidArgument: (message: string) => new RpcError(Status.invalidArgument, message),
  unimplemented: (message: string) => new RpcError(Status.unimplemented, message),
  projectionNotFound: () => new RpcError(Status.notFound, 'NotFound'),
} as const;

/** Converts anything that a handler threw into the error that the client receives. */
export const asRpcError = (error: unknown): RpcError => {
  if (error instanceof RpcError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RpcError(Status.unknown, message);
};
