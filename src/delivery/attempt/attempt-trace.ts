import { hash } from 'node:crypto';
import { parseTraceparent, type TraceContext } from '../../kernel/trace';
import type { Deliverable } from '../model/render';

interface TracedAttempt {
  readonly destinationId: string;
  readonly attempt: number;
  /** Set for an attempt of a replay, which has a trace of its own. */
  readonly replayId: string | null;
}

/**
 * Creates the trace context of an attempt. A live attempt continues the trace of the request that
 * caused the event; without such a trace the id is derived from the event's id. A replay may run
 * years later, so it is a new trace whose id is derived from the replay's id. The span id is
 * derived from the facts of the attempt, so each attempt has its own.
 */
export const createAttemptTrace = (
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
