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
    traceId: digestTrace(event.id, 32),
    parentId: digestTrace(event.id, 16),
    isSampled: false,
  };

/** Derives an id with the given number of hex digits from a text. */
export const digestTrace = (text: string, digits: 16 | 32): string =>
  hash('sha256', text).slice(0, digits);

/** Creates the id of a span that no other process needs to know. */
export const newStepId = (): string => randomBytes(8).toString('hex');
