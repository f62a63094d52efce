import type { StoredEvent } from '../event-store/stored-event';
import { log } from '../ops/log';
import type { WritingSession } from '../read-models/database';
import type { Projection } from './projection';
import { RowChanges } from './rows';

/** What events change, all of them together. Throws what a projection throws. */
export const changesOf = (
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
 * Whether what failed lies in the events: in values that no row can hold (SQLSTATE classes 22 and
 * 23), or in a projection that cannot read them. Trying again would fail for ever.
 */
export const isOfEvents = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  /^2[23]/.test(String((error as { code?: unknown }).code));

/**
 * Writes events one after the other, so that one that cannot be projected harms no other: it is left
 * out and told of. Answers how many were. For batches that failed as a whole: this is slow.
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
      await changesOf(projections, [event]).write(session);
      await session.query({ text: 'release savepoint one_event' });
    } catch (error) {
      if (!isOfEvents(error)) throw error;
      await session.query({ text: 'rollback to savepoint one_event' });
      leftOut += 1;
      await note(session, event, error);
      tellOf(event, error);
    }
  }
  return leftOut;
};

/** Without the message: it may quote what the event holds. */
const nameOf = (error: unknown): string => {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return String(code ?? name);
};

/** Stays when a rebuild projects the event later: what was left out once should be looked at. */
const note = async (session: WritingSession, event: StoredEvent, error: unknown): Promise<void> => {
  const { id, type, stream, position, metadata } = event;
  await session.query({
    text: `insert into unprojected_events (id, created_at, type, stream, position, error)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (id) do update set error = excluded.error, seen_at = now()`,
    values: [id, metadata.at, type, stream, String(position), nameOf(error)],
  });
};

const tellOf = ({ id, type, stream, position }: StoredEvent, error: unknown): void => {
  log.error(
    { event_id: id, type, stream, position: String(position), error: nameOf(error) },
    'an event cannot be projected: the read models leave it out',
  );
};

/** Inside a transaction: all together, or where that fails one by one. */
export const writeEvents = async (
  session: WritingSession,
  projections: readonly Projection[],
  events: readonly StoredEvent[],
): Promise<void> => {
  await session.query({ text: 'savepoint events' });
  try {
    await changesOf(projections, events).write(session);
  } catch (error) {
    if (!isOfEvents(error)) throw error;
    await session.query({ text: 'rollback to savepoint events' });
    await writeOneByOne(session, projections, events);
  }
};
