import {
  findCause,
  deriveTraceId,
  type TracedEvent,
  findTrace,
} from '../../event-store/event-trace';
import type { TraceContext } from '../../kernel/trace';

interface TracedAttempt {
  readonly destinationId: string;
  readonly attempt: number;
  /** Set for an attempt of a replay, which has a trace of its own. */
  readonly replayId: string | null;
}

/**
 * The trace of an attempt. `parentId` is the id of the attempt's own span, which the receiver gets.
 */
export interface AttemptTrace extends TraceContext {
  /** Id of the delivery's span, which is the parent of the attempt's span. */
  readonly deliveryId: string;
  /** The span that caused the delivery; null if the delivery is the first span of its trace. */
  readonly cause: TraceContext | null;
  /** The trace in which the event happened; set only for an attempt of a replay. */
  readonly linked: TraceContext | null;
}

/**
 * Creates the trace context of an attempt. A live attempt continues the trace of the request that
 * caused the event; without such a trace the id is derived from the event's id. A replay may run
 * years later, so it is a new trace whose id is derived from the replay's id; it is linked to the
 * old one. The span id is derived from the facts of the attempt, so each attempt has its own.
 */
export const createAttemptTrace = (
  event: TracedEvent,
  { destinationId, attempt, replayId }: TracedAttempt,
): AttemptTrace => {
  const facts = `${event.id} ${destinationId} ${replayId ?? ''} ${attempt}`;
  const ids = {
    parentId: deriveTraceId(facts, 16),
    deliveryId: deriveTraceId(`deliver ${facts}`, 16),
  };
  const happened = findTrace(event);
  if (replayId === null) {
    return { ...happened, ...ids, cause: findCause(event), linked: null };
  }
  const cause = createReplayTrace(replayId);
  return { ...cause, ...ids, cause, linked: happened };
};

export const createReplayTrace = (replayId: string): TraceContext => ({
  traceId: deriveTraceId(replayId, 32),
  parentId: deriveTraceId(replayId, 16),
  isSampled: false,
});
