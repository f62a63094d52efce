import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';
import { type Outcome, OUTCOMES_RECORDED } from './journal';
import { RETRY_REQUESTED, type RetryRequest } from './retry-requests';

const KEPT_COLUMNS = ['status', 'next_attempt_at'];
const deliveriesTable: Table = {
  name: 'deliveries',
  key: ['destination_id', 'event_id'],
  keepsFirst: ['first_sent_at', 'delivered_at'],
  keepsHighest: ['attempt_count', 'by_hand'],
  // A process that is no longer the owner may still journal a failed attempt after the new owner
  // has ended the delivery. The delivery must not become pending again. A delivery that failed for
  // good may still be delivered by a manual retry or a replay, or become pending by an attempt that
  // is not yet counted.
  finalValues: [
    { column: 'status', value: 'delivered', finalColumns: KEPT_COLUMNS },
    {
      column: 'status',
      value: 'failed',
      finalColumns: KEPT_COLUMNS,
      onlyAgainst: { value: 'pending', countColumn: 'attempt_count' },
    },
  ],
  perishable: true,
};
const attemptsTable: Table = {
  name: 'delivery_attempts',
  key: ['destination_id', 'event_id', 'attempt_id'],
  perishable: true,
};

const healthTable: Table = {
  name: 'destination_health',
  key: ['destination_id'],
  keepsHighest: ['last_success_at'],
};

/** Projects the destinations' journals to the delivery log and the retry schedule. */
export class DeliveryProjection extends Projection {
  readonly name = 'deliveries';
  readonly tables = [deliveriesTable, attemptsTable, healthTable];

  project({ type, data, metadata }: StoredEvent, changes: RowChanges): void {
    if (type === RETRY_REQUESTED) {
      const request = data as unknown as RetryRequest;
      changes.upsert(deliveriesTable, {
        ...toIdentityColumns(request.destination_id, request),
        // A retry may be requested before the first attempt has made a row. This row shows the
        // delivery as waiting.
        ...(request.status === 'pending' ? { status: request.status } : {}),
        retry_requested_at: metadata.at,
      });
      return;
    }
    if (type !== OUTCOMES_RECORDED) return;
    const destinationId = data['destination_id'] as string;
    for (const outcome of data['outcomes'] as readonly Outcome[]) {
      changes.upsert(deliveriesTable, {
        ...toIdentityColumns(destinationId, outcome),
        ...(outcome.replay_id === null ? toLiveColumns(outcome) : replayColumns(outcome)),
      });
      if (outcome.kind !== 'deferred') {
        changes.upsert(attemptsTable, attemptColumns(destinationId, outcome));
      }
      if (outcome.kind === 'delivered') {
        changes.upsert(healthTable, { destination_id: destinationId, last_success_at: outcome.at });
      }
    }
  }
}

const toIdentityColumns = (destinationId: string, about: Outcome | RetryRequest) => ({
  destination_id: destinationId,
  event_id: about.event_id,
  scope: about.scope,
  event_type: about.event_type,
  subscriber_id: about.subscriber_id,
  sequence: about.sequence,
  created_at: about.created_at,
});

const toLiveColumns = (outcome: Outcome) => ({
  category_revision: outcome.category_revision,
  status: outcome.status,
  attempt_count: outcome.attempt,
  ...(outcome.by_hand === undefined ? {} : { by_hand: outcome.by_hand }),
  next_attempt_at: outcome.next_attempt_at,
  ...(outcome.kind === 'deferred'
    ? {}
    : { ...toLastAttemptColumns(outcome), first_sent_at: outcome.at, retry_requested_at: null }),
});

/**
 * Columns that an attempt of a replay changes. It leaves the live schedule alone, except that a
 * delivered event needs no more attempts.
 */
const replayColumns = (outcome: Outcome) => ({
  ...toLastAttemptColumns(outcome),
  ...(outcome.awaits_live === true ? { awaits_live: true } : {}),
  ...(outcome.kind === 'delivered'
    ? { status: 'delivered', next_attempt_at: null, replay_id: outcome.replay_id }
    : {}),
});

const toLastAttemptColumns = (outcome: Outcome) => ({
  last_attempt_at: outcome.at,
  last_status_code: outcome.status_code,
  last_error: outcome.error,
  ...(outcome.kind === 'delivered' ? { delivered_at: outcome.at } : {}),
});

const attemptColumns = (destinationId: string, outcome: Outcome) => ({
  destination_id: destinationId,
  event_id: outcome.event_id,
  attempt_id: outcome.attempt_id,
  attempt: outcome.attempt,
  at: outcome.at,
  duration_ms: outcome.duration_ms,
  status_code: outcome.status_code,
  error: outcome.error,
  response_body: outcome.response_body,
  replay_id: outcome.replay_id,
  trace_id: outcome.trace_id ?? null,
  linked_trace_id: outcome.linked_trace_id ?? null,
});
