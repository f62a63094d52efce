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

/** Which event goes to which destination: what the journal says of every attempt. */
export interface Addressed {
  readonly eventId: string;
  readonly eventType: string;
  readonly subscriberId: string;
  readonly sequence: number;
  /** Of the event in its category stream; -1 where it is not known (replays). */
  readonly categoryRevision: number;
  readonly createdAt: Instant;
}

/** A delivery in this process. */
export interface Work extends Delivery, Addressed {
  /** Live attempts made so far. */
  readonly attempts: number;
  /** Those of them that somebody asked for while it was pending: they use up no schedule. */
  readonly byHand?: number;
  /** When it was first sent live; null = never, left out = to be looked up (replays). */
  readonly firstSentAt?: Instant | null;
  /** Null where it must be read first: what waits long does not keep its event in memory. */
  readonly event: DeliverableEvent | null;
  /** Whether the journal knows of it; then its message needs no outcome to be acked. */
  readonly journalled: boolean;
}

/** Whether a message of the category is for the destination at all. */
export const isWanted = (
  { event, categoryRevision }: GroupMessage,
  { filter, registeredAtPosition, skipped }: DeliveryDestination,
): boolean =>
  event?.owner != null &&
  isForDelivery(event) &&
  event.position > registeredAtPosition &&
  filter.matches(event.type) &&
  !skipped.some(({ from, to }) => categoryRevision >= from && categoryRevision < to);

/** A delivery nobody has tried yet. */
export const toWork = (
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

type Facts = Partial<Outcome> & Pick<Outcome, 'kind' | 'at'>;

const STATUS = {
  delivered: 'delivered',
  failed: 'failed',
  retrying: 'pending',
  deferred: 'pending',
} as const;

/** Below this the store's clock and ours may differ. */
const APART_MS = 1_000;

/** When the event was stored, where that is not when it says that it happened. */
const storedApart = ({ event, createdAt }: Work): Pick<Outcome, 'stored_at'> =>
  event === null || event.storedAtMs - toMillis(createdAt) < APART_MS
    ? {}
    : { stored_at: fromMillis(event.storedAtMs) };

/**
 * The journal's record of what became of a delivery, live or replayed (then with `replay_id`). A
 * replay never makes a delivery pending, and its failure leaves the status as it was.
 */
export const outcomeOf = (delivery: Work, scope: Scope, facts: Facts): Outcome => ({
  attempt_id: randomUUID(),
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  scope: scopeName(scope),
  subscriber_id: delivery.subscriberId,
  sequence: delivery.sequence,
  category_revision: delivery.categoryRevision,
  created_at: delivery.createdAt,
  ...storedApart(delivery),
  status: facts.replay_id == null || facts.kind === 'delivered' ? STATUS[facts.kind] : null,
  replay_id: null,
  attempt: delivery.attempts,
  ...(delivery.byHand === undefined ? {} : { by_hand: delivery.byHand }),
  duration_ms: 0,
  status_code: null,
  error: null,
  response_body: null,
  next_attempt_at: null,
  ...facts,
});
