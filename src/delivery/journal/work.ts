import { randomUUID } from 'node:crypto';
import type { GroupMessage } from '../../event-store/groups';
import { isForDelivery, type StoredEvent } from '../../event-store/stored-event';
import type { StreamOwner } from '../../event-store/streams';
import { type Scope, scopeName } from '../../kernel/scope';
import { fromMillis, type Instant, toMillis } from '../../kernel/time';
import type { DeliveryDestination } from '../model/destination';
import type { Outcome } from './journal';
import type { Delivery } from '../schedule/lanes';

export type DeliverableEvent = StoredEvent & { readonly owner: StreamOwner };

/** The event that is delivered, as the journal identifies it in every outcome. */
export interface DeliveryIdentity {
  readonly eventId: string;
  readonly eventType: string;
  readonly subscriberId: string;
  readonly sequence: number;
  /** Revision in the category stream; -1 if it is unknown (replays). */
  readonly categoryRevision: number;
  readonly createdAt: Instant;
}

/** A delivery in the memory of this process. */
export interface Work extends Delivery, DeliveryIdentity {
  /** Live attempts made so far. */
  readonly attempts: number;
  /**
   * Number of attempts among them that do not count in the schedule: those that somebody asked for
   * while the delivery was pending, and probes of an outage, which may last longer than the
   * schedule.
   */
  readonly unscheduledAttempts?: number;
  /**
   * The time of the first live attempt; null if there was none, undefined if it must be looked up
   * (replays).
   */
  readonly firstSentAt?: Instant | null;
  /** True if it is sent by a replay and its first live attempt is still to come. */
  readonly awaitsLive?: boolean;
  /**
   * The event; null if it must be read first. A delivery that waits long does not keep its event in
   * memory.
   */
  readonly event: DeliverableEvent | null;
  /** True if the journal contains it. Its message can then be acknowledged without an outcome. */
  readonly journalled: boolean;
}

type DeliverableMessage = GroupMessage & { readonly event: DeliverableEvent };

/** True if a message of the category is to be delivered live to the destination. */
export const isForDestination = (
  message: GroupMessage,
  { filter, registeredAtPosition, skipped }: DeliveryDestination,
): message is DeliverableMessage => {
  const { event, categoryRevision } = message;
  return (
    event?.owner != null &&
    isForDelivery(event) &&
    event.position > registeredAtPosition &&
    filter.matches(event.type) &&
    !skipped.some(({ from, to }) => categoryRevision >= from && categoryRevision < to)
  );
};

/** Creates a delivery without any attempt. */
export const createWork = (
  event: DeliverableEvent,
  categoryRevision: number,
  heldUntilMs: number,
): Work => ({
  eventId: event.id,
  eventType: event.type,
  subscriberId: event.owner.subscriberId,
  sequence: event.revision + 1,
  categoryRevision,
  createdAt: event.metadata.at,
  attempts: 0,
  firstSentAt: null,
  notBeforeMs: 0,
  heldUntilMs,
  event,
  journalled: false,
});

/** Returns the delivery before an attempt that does not count in the schedule. */
export const addUnscheduled = (work: Work): Work => ({
  ...work,
  unscheduledAttempts: (work.unscheduledAttempts ?? 0) + 1,
});

type Facts = Partial<Outcome> & Pick<Outcome, 'kind' | 'at'>;

const STATUS_BY_OUTCOME = {
  delivered: 'delivered',
  failed: 'failed',
  retrying: 'pending',
  deferred: 'pending',
} as const;

/** The store's clock and the service's clock may differ by less than this. */
const CLOCK_DIFFERENCE_MS = 1_000;

/**
 * Returns the time at which the event was stored, if it differs from the time at which it happened.
 */
const toStoredAtField = ({ event, createdAt }: Work): Pick<Outcome, 'stored_at'> =>
  event === null || event.storedAtMs - toMillis(createdAt) < CLOCK_DIFFERENCE_MS
    ? {}
    : { stored_at: fromMillis(event.storedAtMs) };

/**
 * Creates the journal's record of an attempt, live or replayed (then with `replay_id`). A replay
 * never makes a delivery pending, and its failure leaves the status unchanged.
 */
export const createOutcome = (delivery: Work, scope: Scope, facts: Facts): Outcome => ({
  attempt_id: randomUUID(),
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  scope: scopeName(scope),
  subscriber_id: delivery.subscriberId,
  sequence: delivery.sequence,
  category_revision: delivery.categoryRevision,
  created_at: delivery.createdAt,
  ...toStoredAtField(delivery),
  status:
    facts.replay_id == null || facts.kind === 'delivered' ? STATUS_BY_OUTCOME[facts.kind] : null,
  replay_id: null,
  attempt: delivery.attempts,
  ...(delivery.unscheduledAttempts === undefined ? {} : { by_hand: delivery.unscheduledAttempts }),
  ...(delivery.awaitsLive === true && facts.kind !== 'delivered' ? { awaits_live: true } : {}),
  duration_ms: 0,
  status_code: null,
  error: null,
  response_body: null,
  next_attempt_at: null,
  ...facts,
});
