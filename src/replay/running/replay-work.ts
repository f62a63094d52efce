import type { Outcome } from '../../delivery/journal/journal';
import { type DeliverableEvent, isForDestination, type Work } from '../../delivery/journal/work';
import type { DeliveryDestination } from '../../delivery/model/destination';
import { fromMillis, type Instant, toMillis } from '../../kernel/time';
import type { FailedEvent, WaitingEvent } from '../../domain/replays/replay.events';
import type { ScannedEvent } from './scan';

// This file converts between scanned events, deliveries of a replay, and waiting events in the
// stream of the job.

/** A scanned event of a subscriber, which a replay can deliver. */
export type SelectedEvent = ScannedEvent & DeliverableEvent;

export const isDeliverable = (event: ScannedEvent): event is SelectedEvent => event.owner !== null;

export const toFirstWork = (
  event: SelectedEvent,
  destination: DeliveryDestination,
  firstSentAt: Instant | null,
): Work => ({
  eventId: event.id,
  eventType: event.type,
  subscriberId: event.owner.subscriberId,
  sequence: event.revision + 1,
  categoryRevision: event.linkRevision,
  createdAt: event.metadata.at,
  attempts: 0,
  notBeforeMs: 0,
  // A failing event of a replay does not delay later events, unless the ordering of the destination
  // is strict.
  heldUntilMs: 0,
  firstSentAt,
  awaitsLive:
    firstSentAt === null &&
    isForDestination({ event, categoryRevision: event.linkRevision }, destination),
  event,
  journalled: false,
});

export const toRetryWork = (waiting: WaitingEvent): Work => ({
  eventId: waiting.event_id,
  eventType: waiting.event_type,
  subscriberId: waiting.subscriber_id,
  sequence: waiting.sequence,
  categoryRevision: waiting.revision,
  createdAt: waiting.created_at,
  attempts: waiting.attempts,
  notBeforeMs: toMillis(waiting.next_attempt_at),
  heldUntilMs: 0,
  event: null,
  journalled: true,
});

export const toWaitingEvent = (work: Work): WaitingEvent => ({
  revision: work.categoryRevision,
  event_id: work.eventId,
  event_type: work.eventType,
  subscriber_id: work.subscriberId,
  sequence: work.sequence,
  created_at: work.createdAt,
  attempts: work.attempts,
  next_attempt_at: fromMillis(work.notBeforeMs),
});

/** `now` is the time of a failure whose attempt was not sent. */
export const toFailedEvent = (work: Work, facts: Partial<Outcome>, now: Instant): FailedEvent => ({
  event_id: work.eventId,
  event_type: work.eventType,
  created_at: work.createdAt,
  attempts: work.attempts,
  last_status_code: facts.status_code ?? null,
  last_error: facts.error ?? null,
  last_attempt_at: facts.at ?? now,
});
