import { once } from 'node:events';
import type { Database, Session } from './database';

/**
 * A constant number. Together with a hash of the id of a process it identifies the advisory lock
 * that the process holds as long as it lives.
 */
const PRESENCE_LOCK = 4_310_878;

/** True if the process holds the lock that shows its presence. */
export const isPresent = async (session: Session, instanceId: string): Promise<boolean> => {
  const [found] = await session.query<{ present: boolean }>({
    name: 'presence of a process',
    text: `select exists (select from pg_locks
        where locktype = 'advisory' and classid = $1
          and objid = (hashtext($2)::bigint & 4294967295)::oid
          and database = (select oid from pg_database where datname = current_database())
      ) as present`,
    values: [PRESENCE_LOCK, instanceId],
  });
  return found?.present === true;
};

/**
 * Shows the other processes that this one lives, until the signal aborts. A connection of its own
 * holds a shared advisory lock. PostgreSQL releases it as soon as the process has died, so that the
 * others need not wait until a heartbeat is too old. Resolves when the server has ended the
 * connection, and throws when it broke; the caller then calls this again.
 */
export const showPresence = async (
  database: Database,
  instanceId: string,
  { signal, onShown }: { readonly signal: AbortSignal; readonly onShown: () => void },
): Promise<void> => {
  const session = await database.openSession();
  const ended = once(session.client, 'end', { signal });
  ended.catch(() => undefined);
  try {
    await session.client.query('select pg_advisory_lock_shared($1, hashtext($2))', [
      PRESENCE_LOCK,
      instanceId,
    ]);
    onShown();
    await ended;
  } finally {
    await session.close();
  }
};
