import { appendSystemEvent } from './appends';
import type { EventLog } from './event-log';

/**
 * A new server is not empty: it holds its built-in users. Here they are written because clients may
 * rely on $all having system events from the start; nobody logs in with them.
 */
export const writeFirstEvents = (log: EventLog): void => {
  for (const loginName of ['admin', 'ops']) {
    const user = { loginName, fullName: `Event Store ${loginName}`, groups: [`$${loginName}s`] };
    const data = Buffer.from(JSON.stringify(user));
    appendSystemEvent(log, `$user-${loginName}`, { type: '$UserCreated', json: true, data });
  }
};
