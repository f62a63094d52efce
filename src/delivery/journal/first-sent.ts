import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import { Together } from '../../read-models/together';

/** Null: there is a delivery, but it was never attempted live. Undefined: there is none. */
type Found = Instant | null | undefined;

interface Question {
  readonly destinationId: string;
  readonly eventId: string;
}

/** When events were first sent live. A replay asks for each of its events. */
export const firstSent = (database: Database): Together<Question, Found> =>
  new Together<Question, Found>(async (questions) => {
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
