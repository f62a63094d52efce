import { type Instant, toMillis } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import { BatchLoader } from '../../read-models/batch-loader';
import type { DeliveryDestination, FailureFacts } from '../model/destination';
import type { Delivery } from '../schedule/lanes';
import type { DeliveryIdentity } from './work';

/** A pending delivery as it is loaded after a restart. */
export interface PendingDelivery extends Delivery, DeliveryIdentity {
  readonly attempts: number;
  readonly unscheduledAttempts: number;
  readonly firstSentAt: Instant | null;
}

/** A delivery that has ended but is to be attempted once more because somebody asked for it. */
export interface RequestedDelivery extends PendingDelivery {
  readonly status: 'delivered' | 'failed';
}

export interface RecoveredState {
  readonly pending: readonly PendingDelivery[];
  readonly requestedEnded: readonly RequestedDelivery[];
  /** Event ids of the pending deliveries that somebody asked to attempt now. */
  readonly requestedPending: readonly string[];
  /** The highest category revision in the journal; -1 if the journal is empty. */
  readonly journalledTo: number;
  /** The failed attempts since the last success or the last enabling; null if there are none. */
  readonly failure: FailureFacts | null;
  /** Event ids of the pending deliveries whose last attempt is one of these failures. */
  readonly failing: readonly string[];
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
  /**
   * Null if the delivery already waited when the destination was enabled. The receiver works then,
   * so the delivery is due at once.
   */
  readonly next_attempt_at: Instant | null;
  readonly last_attempt_at: Instant | null;
  readonly retry_requested_at: Instant | null;
}

interface JournalStateRow {
  readonly destination_id: string;
  readonly journalled_to: string | null;
  readonly failing_since: Instant | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

type RecoveryRequest = Pick<DeliveryDestination, 'id' | 'activeSince'>;

/**
 * Loads the state that consumers need before their first message. At a start very many consumers
 * ask, so the queries are batched.
 */
export const createRecoveryLoader = (
  database: Database,
): BatchLoader<RecoveryRequest, RecoveredState> =>
  new BatchLoader<RecoveryRequest, RecoveredState>(async (requests) => {
    const journalStates = await loadJournalStates(database, requests);
    const waiting = await loadWaitingDeliveries(database, requests);
    return requests.map(({ id }) => {
      const rows = waiting.get(id) ?? [];
      const state = journalStates.get(id);
      const failure = state === undefined ? null : toFailure(state);
      return {
        pending: rows.filter(({ status }) => status === 'pending').map(toPending),
        requestedEnded: rows.flatMap((row) =>
          row.status === 'pending' ? [] : [{ ...toPending(row), status: row.status }],
        ),
        requestedPending: rows.flatMap(({ status, event_id, retry_requested_at }) =>
          status === 'pending' && retry_requested_at !== null ? [event_id] : [],
        ),
        journalledTo: Number(state?.journalled_to ?? -1),
        failure,
        failing: failure === null ? [] : findFailingEvents(failure.since, rows),
      };
    });
  });

/**
 * SQL for the first or last failed attempt since the last success (`h`) and since the last
 * enabling.
 */
export const createFailedAttemptSql = (direction: 'asc' | 'desc'): string => `
  select a.at, a.status_code, a.error from delivery_attempts a
  where a.destination_id = d.id and a.at >= d.active_since
    and a.at > coalesce(h.last_success_at, '-infinity')
    and (a.error is not null or a.status_code is null or a.status_code not between 200 and 299)
  order by a.at ${direction} limit 1`;

const toFailure = (row: JournalStateRow): FailureFacts | null =>
  row.failing_since === null
    ? null
    : { since: row.failing_since, lastStatus: row.last_status, lastError: row.last_error };

/**
 * Returns the pending deliveries whose last attempt failed in this outage. A delivery without an
 * attempt only waits behind an older one.
 */
const findFailingEvents = (since: Instant, rows: readonly DeliveryRow[]): string[] =>
  rows.flatMap(({ status, attempt_count, last_attempt_at: at, event_id }) =>
    status === 'pending' && attempt_count > 0 && at !== null && at >= since ? [event_id] : [],
  );

const loadJournalStates = async (
  database: Database,
  requests: readonly RecoveryRequest[],
): Promise<Map<string, JournalStateRow>> => {
  const rows = await database.query<JournalStateRow>({
    name: 'journals reached',
    text: `select d.id as destination_id,
        (select max(category_revision) from deliveries where destination_id = d.id)
          as journalled_to,
        first.at as failing_since, last.status_code as last_status, last.error as last_error
      from unnest($1::text[], $2::timestamptz[]) as d(id, active_since)
        left join destination_health h on h.destination_id = d.id
        left join lateral (${createFailedAttemptSql('asc')}) first on true
        left join lateral (${createFailedAttemptSql('desc')}) last on true`,
    values: [requests.map(({ id }) => id), requests.map(({ activeSince }) => activeSince)],
  });
  return new Map(rows.map((row) => [row.destination_id, row]));
};

const loadWaitingDeliveries = async (
  database: Database,
  requests: readonly RecoveryRequest[],
): Promise<Map<string, DeliveryRow[]>> => {
  const rows = await database.query<DeliveryRow>({
    name: 'waiting deliveries',
    text: `select destination_id, event_id, event_type, subscriber_id, sequence, category_revision,
        created_at, status, attempt_count, by_hand, first_sent_at, last_attempt_at, retry_requested_at,
        case when coalesce(last_attempt_at, active_since) >= active_since then next_attempt_at end
          as next_attempt_at
      from deliveries
        join unnest($1::text[], $2::timestamptz[]) as d(id, active_since) on d.id = destination_id
      where destination_id = any($1)
        and (status = 'pending' or retry_requested_at is not null) order by sequence`,
    values: [requests.map(({ id }) => id), requests.map(({ activeSince }) => activeSince)],
  });
  const found = new Map<string, DeliveryRow[]>(requests.map(({ id }) => [id, []]));
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
    unscheduledAttempts: row.by_hand,
    firstSentAt: row.first_sent_at,
    // A delivery without an attempt only waits behind an older one and may start when that one has
    // ended.
    notBeforeMs: row.attempt_count === 0 ? 0 : dueMs,
    heldUntilMs: dueMs,
  };
};
