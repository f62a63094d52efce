import { hash, randomBytes } from 'node:crypto';
import { parseTraceparent, type TraceContext } from '../kernel/trace';
import type { EventMetadata } from './stored-event';

/** The parts of an event from which its trace is derived. */
export interface TracedEvent {
  readonly id: string;
  readonly metadata: Pick<EventMetadata, 'origin'>;
}

/**
 * Returns the span that caused an event, which is a request; null if the service acted by itself.
 */
export const findCause = ({ metadata }: TracedEvent): TraceContext | null =>
  parseTraceparent(metadata.origin?.traceparent);

/**
 * Returns the trace in which an event happened: the trace of its request, or one whose id is
 * derived from the event's id.
 */
export const findTrace = (event: TracedEvent): TraceContext =>
  findCause(event) ?? {
    traceId: deriveTraceId(event.id, 32),
    parentId: deriveTraceId(event.id, 16),
    isSampled: false,
  };

/** Derives a trace id (32 hex digits) or a span id (16) from a text. */
export const deriveTraceId = (text: string, digits: 16 | 32): string =>
  hash('sha256', text).slice(0, digits);

/** Creates a random span id. It is used where no other process must derive the same id. */
export const newSpanId = (): string => randomBytes(8).toString('hex');
