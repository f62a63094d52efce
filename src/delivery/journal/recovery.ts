import { type Instant, toMillis } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import { Together } from '../../read-models/together';
import type { DeliveryDestination, FailureFacts } from '../model/destination';
import type { Delivery } from '../schedule/lanes';
import type { Addressed } from './work';

/** A delivery that waits, as it is found again after a restart. */
export interface PendingDelivery extends Delivery, Addressed {
  readonly attempts: number;
  readonly byHand: number;
  readonly firstSentAt: Instant | null;
}

/** A delivery that has ended and is to be attempted once more, because somebody asked for it. */
export interface RequestedDelivery extends PendingDelivery {
  readonly status: 'delivered' | 'failed';
}

export interface Recovered {
  readonly pending: readonly PendingDelivery[];
  readonly requested: readonly RequestedDelivery[];
  /** Pending ones that are to be attempted now because somebody asked for it, by event id. */
  readonly asked: readonly string[];
  /** The journal knows no event beyond this category revision; -1 when it is empty. */
  readonly journalledTo: number;
  /** Attempts that failed since the last success, or since it was enabled; null = none. */
  readonly failure: FailureFacts | null;
}

interface DeliveryRow {
  readonly destination_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly category_revision: string;
  readonly created_at: Instant;
  readonly status: 'delivered' | 'pending' | 'failed';
  readonly attempt_count: number;
  readonly by_hand: number;
  readonly first_sent_at: Instant | null;
  /** Null for what waited when the destination was enabled: then the receiver is well, and it may go. */
  readonly next_attempt_at: Instant | null;
  readonly retry_requested_at: Instant | null;
}

interface ReachedRow {
  readonly destination_id: string;
  readonly journalled_to: string | null;
  readonly failing_since: Instant | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

type Asking = Pick<DeliveryDestination, 'id' | 'activeSince'>;

/** What consumers have to know before their first message; at a start very many of them ask. */
export const recovery = (database: Database): Together<Asking, Recovered> =>
  new Together<Asking, Recovered>(async (asking) => {
    const reached = await reachedBy(database, asking);
    const waiting = await waitingFor(database, asking);
    return asking.map(({ id }) => {
      const rows = waiting.get(id) ?? [];
      const found = reached.get(id);
      return {
        pending: rows.filter(({ status }) => status === 'pending').map(toPending),
        requested: rows.flatMap((row) =>
          row.status === 'pending' ? [] : [{ ...toPending(row), status: row.status }],
        ),
        asked: rows.flatMap(({ status, event_id, retry_requested_at }) =>
          status === 'pending' && retry_requested_at !== null ? [event_id] : [],
        ),
        journalledTo: Number(found?.journalled_to ?? -1),
        failure: found === undefined ? null : toFailure(found),
      };
    });
  });

/** The first or last attempt that failed since `h`, the last success, and since it was enabled. */
export const failedAttempt = (direction: 'asc' | 'desc'): string => `
  select a.at, a.status_code, a.error from delivery_attempts a
  where a.destination_id = d.id and a.at >= d.active_since
    and a.at > coalesce(h.last_success_at, '-infinity')
    and (a.error is not null or a.status_code is null or a.status_code not between 200 and 299)
  order by a.at ${direction} limit 1`;

const toFailure = (row: ReachedRow): FailureFacts | null =>
  row.failing_since === null
    ? null
    : { since: row.failing_since, lastStatus: row.last_status, lastError: row.last_error };

const reachedBy = async (
  database: Database,
  asking: readonly Asking[],
): Promise<Map<string, ReachedRow>> => {
  const rows = await database.query<ReachedRow>({
    name: 'journals reached',
    text: `select d.id as destination_id,
        (select max(category_revision) from deliveries where destination_id = d.id)
          as journalled_to,
        first.at as failing_since, last.status_code as last_status, last.error as last_error
      from unnest($1::text[], $2::timestamptz[]) as d(id, active_since)
        left join destination_health h on h.destination_id = d.id
        left join lateral (${failedAttempt('asc')}) first on true
        left join lateral (${failedAttempt('desc')}) last on true`,
    values: [asking.map(({ id }) => id), asking.map(({ activeSince }) => activeSince)],
  });
  return new Map(rows.map((row) => [row.destination_id, row]));
};

const waitingFor = async (
  database: Database,
  asking: readonly Asking[],
): Promise<Map<string, DeliveryRow[]>> => {
  const rows = await database.query<DeliveryRow>({
    name: 'waiting deliveries',
    text: `select destination_id, event_id, event_type, subscriber_id, sequence, category_revision,
        created_at, status, attempt_count, by_hand, first_sent_at, retry_requested_at,
        case when coalesce(last_attempt_at, active_since) >= active_since then next_attempt_at end
          as next_attempt_at
      from deliveries
        join unnest($1::text[], $2::timestamptz[]) as d(id, active_since) on d.id = destination_id
      where destination_id = any($1)
        and (status = 'pending' or retry_requested_at is not null) order by sequence`,
    values: [asking.map(({ id }) => id), asking.map(({ activeSince }) => activeSince)],
  });
  const found = new Map<string, DeliveryRow[]>(asking.map(({ id }) => [id, []]));
  for (const row of rows) found.get(row.destination_id)?.push(row);
  return found;
};

const toPending = (row: DeliveryRow): PendingDelivery => {
  const dueMs = row.next_attempt_at === null ? 0 : toMillis(row.next_attempt_at);
  return {
    eventId: row.event_id,
    eventType: row.event_type,
    subscriberId: row.subscriber_id,
    sequence: row.sequence,
    categoryRevision: Number(row.category_revision),
    createdAt: row.created_at,
    attempts: row.attempt_count,
    byHand: row.by_hand,
    firstSentAt: row.first_sent_at,
    // One that was never tried only waits behind an older one; it may go once that is done.
    notBeforeMs: row.attempt_count === 0 ? 0 : dueMs,
    heldUntilMs: dueMs,
  };
};
