import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { DeliveryDestination } from '../model/destination';
import { createFailedAttemptSql } from './recovery';

/** The outage of a destination, and the deliveries that wait for it. */
export interface Outage {
  readonly id: string;
  readonly last_success_at: Instant | null;
  /**
   * The first failed attempt since the last success and since it was enabled; null where none
   * failed.
   */
  readonly failing_since: Instant | null;
  readonly last_status_code: number | null;
  readonly last_error: string | null;
  readonly waiting: number;
  readonly oldest_waiting_at: Instant | null;
}

interface OutageQuery {
  readonly id: string;
  readonly active_since: Instant;
}

/** Reads the outages of destinations from the delivery log. */
export const readOutages = async (
  database: Database,
  asked: readonly OutageQuery[],
): Promise<Map<string, Outage>> => {
  const rows = await database.query<Outage>({
    name: 'outages of destinations',
    text: `select d.id, h.last_success_at, first.at as failing_since,
        last.status_code as last_status_code, last.error as last_error,
        waiting.count as waiting, waiting.oldest as oldest_waiting_at
      from unnest($1::text[], $2::timestamptz[]) as d(id, active_since)
        left join destination_health h on h.destination_id = d.id
        left join lateral (${createFailedAttemptSql('asc')}) first on true
        left join lateral (${createFailedAttemptSql('desc')}) last on true
        cross join lateral (select count(*)::int as count, min(created_at) as oldest
          from deliveries where destination_id = d.id and status = 'pending') waiting`,
    values: [asked.map(({ id }) => id), asked.map(({ active_since }) => active_since)],
  });
  return new Map(rows.map((row) => [row.id, row]));
};

/** Returns which of the destinations failed at their last attempt since they were enabled. */
export const findFailing = async (
  database: Database,
  destinations: readonly Pick<DeliveryDestination, 'id' | 'activeSince'>[],
): Promise<string[]> => {
  const rows = await database.query<{ id: string }>({
    name: 'failing destinations',
    text: `select d.id from unnest($1::text[], $2::timestamptz[]) as d(id, active_since)
        left join destination_health h on h.destination_id = d.id
      where exists (${createFailedAttemptSql('desc')})`,
    values: [destinations.map(({ id }) => id), destinations.map(({ activeSince }) => activeSince)],
  });
  return rows.map(({ id }) => id);
};
