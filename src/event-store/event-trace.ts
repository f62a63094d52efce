import { hash, randomBytes } from 'node:crypto';
import { parseTraceparent, type TraceContext } from '../kernel/trace';
import type { EventMetadata } from './stored-event';

/** What the trace of an event follows from. */
export interface TracedEvent {
  readonly id: string;
  readonly metadata: Pick<EventMetadata, 'origin'>;
}

/** The step that caused an event: a request; null where the service acted by itself. */
export const causeOfEvent = ({ metadata }: TracedEvent): TraceContext | null =>
  parseTraceparent(metadata.origin?.traceparent);

/** The trace in which an event happened: that of its request, or one that is named after the event. */
export const traceOfEvent = (event: TracedEvent): TraceContext =>
  causeOfEvent(event) ?? {
    traceId: traceDigest(event.id, 32),
    parentId: traceDigest(event.id, 16),
    isSampled: false,
  };

/** An id that follows from a text, with so many hex digits. */
export const traceDigest = (text: string, digits: 16 | 32): string =>
  hash('sha256', text).slice(0, digits);

/** The id of a step that no other process needs to know. */
export const newStepId = (): string => randomBytes(8).toString('hex');
