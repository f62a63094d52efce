import { findCause, newStepId, findTrace } from '../event-store/event-trace';
import type { StoredEvent } from '../event-store/stored-event';
import type { Tracing } from '../ops/tracing';

/**
 * Records the projection of events. They are projected together, but each event is a span of its
 * own trace.
 */
export const recordProjection = (
  tracing: Tracing,
  events: readonly StoredEvent[],
  startedAtMs: number,
): void => {
  const durationMs = Date.now() - startedAtMs;
  for (const event of events) {
    const cause = findCause(event);
    const { traceId } = findTrace(event);
    tracing.record({
      name: 'project',
      trace: { traceId, parentId: newStepId(), isSampled: tracing.isSampled(traceId, cause) },
      causeId: cause?.parentId ?? null,
      startedAtMs,
      durationMs,
      attributes: { 'event.id': event.id, 'event.type': event.type, events: events.length },
    });
  }
};
