import { hash } from 'node:crypto';
import { parseTraceparent, type TraceContext } from '../../kernel/trace';
import type { Deliverable } from '../model/render';

interface TracedAttempt {
  readonly destinationId: string;
  readonly attempt: number;
  /** Set for an attempt of a replay, which is a journey of its own. */
  readonly replayId: string | null;
}

/**
 * The trace context of an attempt. A live attempt continues the trace of the request that caused the
 * event; an event without one has a trace named after itself. A replay years later is a new trace, named
 * after the replay. Each attempt is a step of its own with an id that follows from its facts.
 */
export const traceOfAttempt = (
  event: Deliverable,
  { destinationId, attempt, replayId }: TracedAttempt,
): TraceContext => {
  const cause = parseTraceparent(event.metadata.origin?.traceparent);
  const parentId = digest(`${event.id} ${destinationId} ${replayId ?? ''} ${attempt}`, 16);
  if (replayId !== null) return { traceId: digest(replayId, 32), parentId, isSampled: false };
  return {
    traceId: cause?.traceId ?? digest(event.id, 32),
    parentId,
    isSampled: cause?.isSampled ?? false,
  };
};

const digest = (text: string, digits: number): string => hash('sha256', text).slice(0, digits);
