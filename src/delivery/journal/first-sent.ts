import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import { BatchLoader } from '../../read-models/batch-loader';

/**
 * The time of the first live attempt. Null means that the delivery exists but has no live attempt.
 * Undefined means that there is no delivery.
 */
type FirstSentAt = Instant | null | undefined;

interface FirstSentQuery {
  readonly destinationId: string;
  readonly eventId: string;
}

/**
 * Loads when events were first sent live. A replay asks this for each of its events, so the
 * queries are batched.
 */
export const createFirstSentLoader = (
  database: Database,
): BatchLoader<FirstSentQuery, FirstSentAt> =>
  new BatchLoader<FirstSentQuery, FirstSentAt>(async (questions) => {
    const rows = await database.query<{
      destination_id: string;
      event_id: string;
      first_sent_at: Instant | null;
    }>({
      name: 'first sent',
      text: `select destination_id, event_id, first_sent_at from deliveries
        where destination_id = any($1) and event_id = any($2)`,
      values: [
        [...new Set(questions.map(({ destinationId }) => destinationId))],
        questions.map(({ eventId }) => eventId),
      ],
    });
    const found = new Map(
      rows.map((row) => [`${row.destination_id} ${row.event_id}`, row.first_sent_at]),
    );
    return questions.map(({ destinationId, eventId }) => found.get(`${destinationId} ${eventId}`));
  });
