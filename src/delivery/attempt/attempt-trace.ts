import {
  causeOfEvent,
  traceDigest,
  type TracedEvent,
  traceOfEvent,
} from '../../event-store/event-trace';
import type { TraceContext } from '../../kernel/trace';

interface TracedAttempt {
  readonly destinationId: string;
  readonly attempt: number;
  /** Set for an attempt of a replay, which is a trace of its own. */
  readonly replayId: string | null;
}

/** The trace of an attempt. `parentId` is the step that the attempt itself is, for its receiver. */
export interface AttemptTrace extends TraceContext {
  /** The id of the delivery's step, of which the attempt is a part. */
  readonly deliveryId: string;
  /** The step that caused the delivery; null where its trace begins with it. */
  readonly cause: TraceContext | null;
  /** Of an attempt of a replay: the trace in which the event happened. */
  readonly linked: TraceContext | null;
}

/**
 * The trace context of an attempt. A live attempt continues the trace of the request that caused the
 * event; an event without one has a trace named after itself. A replay, perhaps years later, is a new
 * trace, named after the replay and linked to the old one. Each attempt is a step of its own with an id
 * that follows from its facts.
 */
export const traceOfAttempt = (
  event: TracedEvent,
  { destinationId, attempt, replayId }: TracedAttempt,
): AttemptTrace => {
  const facts = `${event.id} ${destinationId} ${replayId ?? ''} ${attempt}`;
  const ids = {
    parentId: traceDigest(facts, 16),
    deliveryId: traceDigest(`deliver ${facts}`, 16),
  };
  const happened = traceOfEvent(event);
  if (replayId === null) {
    return { ...happened, ...ids, cause: causeOfEvent(event), linked: null };
  }
  const cause = traceOfReplay(replayId);
  return { ...cause, ...ids, cause, linked: happened };
};

export const traceOfReplay = (replayId: string): TraceContext => ({
  traceId: traceDigest(replayId, 32),
  parentId: traceDigest(replayId, 16),
  isSampled: false,
});
