import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';
import { type Outcome, OUTCOMES_RECORDED } from './journal';
import { RETRY_REQUESTED, type RetryRequest } from './retry-requests';

const ENDED = ['status', 'next_attempt_at'];
const deliveriesTable: Table = {
  name: 'deliveries',
  key: ['destination_id', 'event_id'],
  keepsFirst: ['first_sent_at', 'delivered_at'],
  keepsHighest: ['attempt_count', 'by_hand'],
  // A process that has lost its place may still journal how an attempt of its own failed, after the
  // one that took over has ended the delivery: it must not wait to be sent once more. What had failed
  // for good may still be delivered, by hand or by a replay, or wait for an attempt not yet counted.
  settles: [
    { column: 'status', value: 'delivered', keeps: ENDED },
    {
      column: 'status',
      value: 'failed',
      keeps: ENDED,
      against: { value: 'pending', counted: 'attempt_count' },
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

/** The delivery log and the retry schedule, from the destinations' journals. */
export class DeliveryProjection extends Projection {
  readonly name = 'deliveries';
  readonly tables = [deliveriesTable, attemptsTable, healthTable];

  project({ type, data, metadata }: StoredEvent, changes: RowChanges): void {
    if (type === RETRY_REQUESTED) {
      const request = data as unknown as RetryRequest;
      changes.upsert(deliveriesTable, {
        ...identity(request.destination_id, request),
        retry_requested_at: metadata.at,
      });
      return;
    }
    if (type !== OUTCOMES_RECORDED) return;
    const destinationId = data['destination_id'] as string;
    for (const outcome of data['outcomes'] as readonly Outcome[]) {
      changes.upsert(deliveriesTable, {
        ...identity(destinationId, outcome),
        ...(outcome.replay_id === null ? live(outcome) : replayed(outcome)),
      });
      if (outcome.kind !== 'deferred') {
        changes.upsert(attemptsTable, attemptRow(destinationId, outcome));
      }
      if (outcome.kind === 'delivered') {
        changes.upsert(healthTable, { destination_id: destinationId, last_success_at: outcome.at });
      }
    }
  }
}

const identity = (destinationId: string, about: Outcome | RetryRequest) => ({
  destination_id: destinationId,
  event_id: about.event_id,
  scope: about.scope,
  event_type: about.event_type,
  subscriber_id: about.subscriber_id,
  sequence: about.sequence,
  created_at: about.created_at,
});

const live = (outcome: Outcome) => ({
  category_revision: outcome.category_revision,
  status: outcome.status,
  attempt_count: outcome.attempt,
  ...(outcome.by_hand === undefined ? {} : { by_hand: outcome.by_hand }),
  next_attempt_at: outcome.next_attempt_at,
  ...(outcome.kind === 'deferred'
    ? {}
    : { ...attempted(outcome), first_sent_at: outcome.at, retry_requested_at: null }),
});

/** A replay says nothing of the live schedule, except that a delivery needs no more attempts. */
const replayed = (outcome: Outcome) => ({
  ...attempted(outcome),
  ...(outcome.kind === 'delivered'
    ? { status: 'delivered', next_attempt_at: null, replay_id: outcome.replay_id }
    : {}),
});

const attempted = (outcome: Outcome) => ({
  last_attempt_at: outcome.at,
  last_status_code: outcome.status_code,
  last_error: outcome.error,
  ...(outcome.kind === 'delivered' ? { delivered_at: outcome.at } : {}),
});

const attemptRow = (destinationId: string, outcome: Outcome) => ({
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
