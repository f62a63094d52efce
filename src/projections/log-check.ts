import { ConfigError } from '../config/config';
import { type LogPosition, readNewestPosition } from '../event-store/catch-up';
import type { EventStoreConnection } from '../event-store/connection';
import { checkUntilAnswered } from '../event-store/start-check';
import type { Database } from '../read-models/database';
import { PROJECTOR_CHECKPOINT, readCheckpoint } from './checkpoint';

const READ_TIMEOUT_MS = 10_000;
/** Status code of gRPC for a position at which the log has no event. */
const INVALID_ARGUMENT = 3;

interface LogCheckParts {
  readonly connection: EventStoreConnection;
  readonly database: Database;
}

/**
 * Resolves if the read models belong to this log. It throws if their position does not exist in it:
 * either the log was restored from a backup and the SQL database is of a later time, or it is
 * another log. Rows would then show events that are not in the log, and new events would be
 * skipped.
 */
export const checkLog = (parts: LogCheckParts, signal: AbortSignal): Promise<void> =>
  checkUntilAnswered('the read models', () => checkPosition(parts), signal);

const checkPosition = async ({ connection, database }: LogCheckParts): Promise<void> => {
  const { position } = await readCheckpoint(database, PROJECTOR_CHECKPOINT);
  if (position !== null && !(await hasPosition(connection, position)))
    throw otherLogError(position);
};

/**
 * True if the log has a position. A server refuses a position between two events, and returns
 * nothing for a position after the newest event.
 */
const hasPosition = async (
  connection: EventStoreConnection,
  fromPosition: LogPosition,
): Promise<boolean> => {
  try {
    const options = { fromPosition, maxCount: 1, deadline: READ_TIMEOUT_MS };
    let isFound = false;
    // The loop reads to the end: a client that closes waits for a read that was left early.
    for await (const _ of connection.client.readAll(options)) isFound = true;
    if (isFound) return true;
    // A scavenge may have removed this event and all later ones. The newest position of the log is
    // then still at or after `fromPosition`.
    const newest = await readNewestPosition(connection);
    return newest !== null && newest.commit >= fromPosition.commit;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === INVALID_ARGUMENT) return false;
    throw error;
  }
};

const otherLogError = ({ commit }: LogPosition): ConfigError =>
  new ConfigError([
    `the SQL database has read models up to position ${commit}, which this event store does not ` +
      'have: one of the two is of another time. Restore the log it belongs to, or drop the SQL ' +
      'database (DATABASE_URL; without the variable delete DATA_DIR/sql): it is rebuilt from the log',
  ]);
