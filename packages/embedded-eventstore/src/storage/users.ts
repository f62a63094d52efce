import { appendSystemEvent } from './appends';
import type { EventLog } from './event-log';
import { readData } from './record';
import { computeVisibleRange } from './stream-reader';

/** The stream that lists the users: one event for each of them, with the login name as its data. */
const USERS_STREAM = '$users';

/** The details of a user, without the password. */
export interface UserDetails {
  readonly loginName: string;
  readonly fullName: string;
  readonly groups: readonly string[];
}

/**
 * The two users, with their groups, that a new EventStoreDB has. Nobody can log in with them unless
 * they have a password.
 */
const BUILT_IN: readonly UserDetails[] = [
  { loginName: 'admin', fullName: 'Event Store Administrator', groups: ['$admins'] },
  { loginName: 'ops', fullName: 'Event Store Operations', groups: ['$ops'] },
];

export const BUILT_IN_USERS: readonly string[] = BUILT_IN.map(({ loginName }) => loginName);

/** Returns the groups of a user. Only `admin` and `ops` belong to one. */
export const describeUser = (loginName: string): UserDetails =>
  BUILT_IN.find((each) => each.loginName === loginName) ?? {
    loginName,
    fullName: loginName,
    groups: [],
  };

/**
 * Writes the events of users that the log does not have yet. So $all is never empty, as clients
 * expect, and tools find the users in `$users`.
 */
export const writeUsers = (log: EventLog, loginNames: Iterable<string>): void => {
  const listed = readListedUsers(log);
  for (const loginName of new Set([...BUILT_IN_USERS, ...loginNames])) {
    const userStream = `$user-${loginName}`;
    if ((log.streams.find(userStream)?.head.lastRevision ?? -1) < 0) {
      const data = Buffer.from(JSON.stringify(describeUser(loginName)));
      appendSystemEvent(log, userStream, { type: '$UserCreated', json: true, data });
    }
    if (listed.has(loginName)) continue;
    const data = Buffer.from(loginName);
    appendSystemEvent(log, USERS_STREAM, { type: '$User', json: false, data });
  }
};

const readListedUsers = (log: EventLog): ReadonlySet<string> => {
  const stream = log.streams.find(USERS_STREAM);
  const names = new Set<string>();
  if (!stream) return names;
  const { first, last } = computeVisibleRange(log, stream);
  for (let revision = first; revision <= last; revision++) {
    const entry = log.reader.find(stream.number, revision);
    if (entry) names.add(readData(entry.record).toString());
  }
  return names;
};
