import { ConfigError } from '../config/config';
import { type LogPosition, readNewestPosition } from '../event-store/catch-up';
import type { EventStoreConnection } from '../event-store/connection';
import { checkUntilAnswered } from '../event-store/start-check';
import type { Database } from '../read-models/database';
import { PROJECTOR_CHECKPOINT, readCheckpoint } from './checkpoint';

const READ_TIMEOUT_MS = 10_000;
/** gRPC status: what a server answers for a position where no event of its log lies. */
const INVALID_ARGUMENT = 3;

interface LogCheckParts {
  readonly connection: EventStoreConnection;
  readonly database: Database;
}

/**
 * Resolves when the read models are known to be of this log; throws where they go on from a position
 * that it does not have: a log restored from a backup beside the SQL database of a later time, or
 * another log altogether. Rows would show what is not in the log, and new events would be passed over.
 */
export const checkLog = (parts: LogCheckParts, signal: AbortSignal): Promise<void> =>
  checkUntilAnswered('the read models', () => check(parts), signal);

const check = async ({ connection, database }: LogCheckParts): Promise<void> => {
  const { position } = await readCheckpoint(database, PROJECTOR_CHECKPOINT);
  if (position !== null && !(await hasPosition(connection, position))) throw otherLog(position);
};

/** Servers refuse a position between two events, and answer one behind the newest event with nothing. */
const hasPosition = async (
  connection: EventStoreConnection,
  fromPosition: LogPosition,
): Promise<boolean> => {
  try {
    const options = { fromPosition, maxCount: 1, deadline: READ_TIMEOUT_MS };
    for await (const _ of connection.client.readAll(options)) return true;
    // The event at the position may have been removed, and those behind it too: then the log is longer.
    const newest = await readNewestPosition(connection);
    return newest !== null && newest.commit >= fromPosition.commit;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === INVALID_ARGUMENT) return false;
    throw error;
  }
};

const otherLog = ({ commit }: LogPosition): ConfigError =>
  new ConfigError([
    `the SQL database has read models up to position ${commit}, which this event store does not ` +
      'have: one of the two is of another time. Restore the log it belongs to, or drop the SQL ' +
      'database (DATABASE_URL; without the variable delete DATA_DIR/sql): it is rebuilt from the log',
  ]);
