import { BatchLoader } from '../../read-models/batch-loader';
import type { Database } from '../../read-models/database';

interface KnownQuery {
  readonly destinationId: string;
  readonly eventIds: readonly string[];
}

/**
 * Loads which events need no live delivery any more. After a start, the event store sends all
 * unacknowledged messages again and every consumer asks about them. The queries are batched.
 */
export const createKnownLoader = (database: Database): BatchLoader<KnownQuery, Set<string>> =>
  new BatchLoader<KnownQuery, Set<string>>(async (questions) => {
    const rows = await database.query<{ destination_id: string; event_id: string }>({
      name: 'known deliveries',
      text: `select destination_id, event_id from deliveries
        where destination_id = any($1) and event_id = any($2)
          and (attempt_count > 0 or status <> 'failed')`,
      values: [
        [...new Set(questions.map(({ destinationId }) => destinationId))],
        [...new Set(questions.flatMap(({ eventIds }) => eventIds))],
      ],
    });
    const known = new Map<string, Set<string>>();
    for (const { destination_id, event_id } of rows) {
      const events = known.get(destination_id) ?? new Set<string>();
      known.set(destination_id, events.add(event_id));
    }
    return questions.map(
      ({ destinationId, eventIds }) =>
        new Set(eventIds.filter((id) => known.get(destinationId)?.has(id))),
    );
  });
