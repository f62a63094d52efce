import { toFilter } from '../../kernel/event-filter';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Database } from '../../read-models/database';

/** The events of each destination are counted up to this number, so that the query stays fast. */
export const UNATTEMPTED_COUNTED_MAX = 10_000;

interface CountedDestination {
  readonly id: string;
  readonly scope: Scope;
  /** Null selects all types. */
  readonly event_types: readonly string[] | null;
}

interface CountRow {
  readonly id: string;
  readonly type: string;
  readonly count: number;
}

/**
 * Counts the events that wait in the log for a destination and have no delivery yet. A destination
 * that is down or disabled takes only a few events from the log, and the others stay there. They are
 * the events after the newest one that it has taken.
 */
export const countUnattemptedEvents = async (
  database: Database,
  destinations: readonly CountedDestination[],
): Promise<ReadonlyMap<string, number>> => {
  if (destinations.length === 0) return new Map();
  const rows = await database.query<CountRow>({
    name: 'events that a destination has not taken',
    text: `select d.id, e.type, count(*)::int as count
      from unnest($1::text[], $2::text[]) as d(id, scope)
        cross join lateral (select event_id from deliveries
          where destination_id = d.id and category_revision >= 0
          order by category_revision desc limit 1) newest
        join events taken on taken.scope = d.scope and taken.id = newest.event_id
        cross join lateral (select type from events
          where scope = d.scope and created_at >= taken.created_at and position > taken.position
            and metadata->'import'->>'deliver' is distinct from 'false'
            and not exists (select 1 from deliveries
              where destination_id = d.id and event_id = events.id
                and status in ('pending', 'delivered'))
          order by created_at, id limit ${UNATTEMPTED_COUNTED_MAX}) e
      group by d.id, e.type`,
    values: [destinations.map(({ id }) => id), destinations.map(({ scope }) => scopeName(scope))],
  });
  return new Map(
    destinations.map(({ id, event_types }) => {
      const filter = toFilter(event_types);
      const counts = rows.filter((row) => row.id === id && filter.matches(row.type));
      return [id, counts.reduce((sum, { count }) => sum + count, 0)];
    }),
  );
};
