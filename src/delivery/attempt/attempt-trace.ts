import { hash } from 'node:crypto';
import { parseTraceparent, type TraceContext } from '../../kernel/trace';
import type { Deliverable } from '../model/render';

interface TracedAttempt {
  readonly destinationId: string;
  readonly attempt: number;
  /** Set for an attempt of a replay, which is a trace of its own. */
  readonly replayId: string | null;
}

/** The trace of an attempt. `parentId` is the step that the attempt itself is, for its receiver. */
export interface AttemptTrace extends TraceContext {
  /** Of an attempt of a replay: the trace in which the event happened. */
  readonly linked: TraceContext | null;
}

/** What the trace of an attempt follows from. */
export type TracedEvent = Pick<Deliverable, 'id' | 'metadata'>;

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
  const cause = traceOfEvent(event);
  const parentId = digest(`${event.id} ${destinationId} ${replayId ?? ''} ${attempt}`, 16);
  return replayId === null
    ? { ...cause, parentId, linked: null }
    : { ...traceOfReplay(replayId), parentId, linked: cause };
};

/** The trace in which an event happened. */
export const traceOfEvent = ({ id, metadata }: TracedEvent): TraceContext =>
  parseTraceparent(metadata.origin?.traceparent) ?? {
    traceId: digest(id, 32),
    parentId: digest(id, 16),
    isSampled: false,
  };

export const traceOfReplay = (replayId: string): TraceContext => ({
  traceId: digest(replayId, 32),
  parentId: digest(replayId, 16),
  isSampled: false,
});

const digest = (text: string, digits: number): string => hash('sha256', text).slice(0, digits);
