import type { StoredEvent } from '../event-store/stored-event';
import { log } from '../ops/log';
import type { WritingSession } from '../read-models/database';
import type { Projection } from './projection';
import { RowChanges } from './rows';

/** Returns the changes of several events together. It throws the error of a projection. */
export const projectEvents = (
  projections: readonly Projection[],
  events: readonly StoredEvent[],
): RowChanges => {
  const changes = new RowChanges();
  for (const event of events) {
    for (const projection of projections) projection.project(event, changes);
  }
  return changes;
};

/**
 * True if the events themselves cause the error: a value that no row can hold (SQLSTATE classes 22
 * and 23), or an event that a projection cannot read. Repeating would always fail.
 */
export const isEventError = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  /^2[23]/.test(String((error as { code?: unknown }).code));

/**
 * Writes events one by one, so that one that cannot be projected does not affect the others. It is
 * skipped and logged. Returns the number of skipped events. This is slow and only for batches that
 * failed as a whole.
 */
export const writeOneByOne = async (
  session: WritingSession,
  projections: readonly Projection[],
  events: readonly StoredEvent[],
): Promise<number> => {
  let leftOut = 0;
  for (const event of events) {
    await session.query({ text: 'savepoint one_event' });
    try {
      await projectEvents(projections, [event]).write(session);
      await session.query({ text: 'release savepoint one_event' });
    } catch (error) {
      if (!isEventError(error)) throw error;
      await session.query({ text: 'rollback to savepoint one_event' });
      leftOut += 1;
      await recordSkipped(session, event, error);
      logSkipped(event, error);
    }
  }
  return leftOut;
};

/** The name of an error: its message may quote the event's data. */
const readErrorName = (error: unknown): string => {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return String(code ?? name);
};

/** Stores a skipped event for the operator. It stays when a rebuild projects the event later. */
const recordSkipped = async (
  session: WritingSession,
  event: StoredEvent,
  error: unknown,
): Promise<void> => {
  const { id, type, stream, position, metadata } = event;
  await session.query({
    text: `insert into unprojected_events (id, created_at, type, stream, position, error)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (id) do update set error = excluded.error, seen_at = now()`,
    values: [id, metadata.at, type, stream, String(position), readErrorName(error)],
  });
};

/** Logs a skipped event without the error message, which may quote the event's data. */
const logSkipped = ({ id, type, stream, position }: StoredEvent, error: unknown): void => {
  log.error(
    { event_id: id, type, stream, position: String(position), error: readErrorName(error) },
    'an event cannot be projected: the read models leave it out',
  );
};

/** Writes events inside a transaction: all together, or one by one if that fails. */
export const writeEvents = async (
  session: WritingSession,
  projections: readonly Projection[],
  events: readonly StoredEvent[],
): Promise<void> => {
  await session.query({ text: 'savepoint events' });
  try {
    await projectEvents(projections, events).write(session);
  } catch (error) {
    if (!isEventError(error)) throw error;
    await session.query({ text: 'rollback to savepoint events' });
    await writeOneByOne(session, projections, events);
  }
};
