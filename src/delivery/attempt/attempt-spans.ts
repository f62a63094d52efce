import { type Instant, toMillis } from '../../kernel/time';
import type { Tracing } from '../../ops/tracing';
import type { DeliverableEvent } from '../journal/work';
import type { DeliveryDestination } from '../model/destination';
import type { AttemptResult, Verdict } from '../model/verdict';
import type { AttemptTrace } from './attempt-trace';

interface MadeAttempt {
  readonly destination: DeliveryDestination;
  readonly event: DeliverableEvent;
  readonly attempt: number;
  readonly trigger: 'live' | 'retry' | 'manual' | 'replay';
  readonly trace: AttemptTrace;
  readonly result: AttemptResult;
  readonly verdict: Verdict;
}

interface Times {
  /** Start of the work on the delivery, in Unix milliseconds. */
  readonly beganAtMs: number;
  /** Time at which the request was sent. */
  readonly at: Instant;
}

/**
 * Records a delivery and its attempt as two spans of a trace. The span of a first delivery begins
 * when its event was stored, so the trace shows how long it waited.
 */
export const recordAttempt = (
  tracing: Tracing,
  { destination, event, attempt, trigger, trace, result, verdict }: MadeAttempt,
  { beganAtMs, at }: Times,
): void => {
  const { cause, deliveryId, linked } = trace;
  const links = linked === null ? [] : [linked];
  const startedAtMs = trigger === 'live' ? Math.min(event.storedAtMs, beganAtMs) : beganAtMs;
  const attributes = {
    'event.id': event.id,
    'event.type': event.type,
    'destination.id': destination.id,
    attempt,
    trigger,
    verdict: verdict.kind,
  };
  const failure = verdict.kind === 'delivered' ? {} : { error: describeFailure(result) };
  tracing.record({
    name: 'deliver',
    trace: { ...trace, parentId: deliveryId },
    causeId: cause?.parentId ?? null,
    links,
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    attributes,
    ...failure,
  });
  tracing.record({
    name: 'attempt',
    trace,
    causeId: deliveryId,
    links,
    startedAtMs: toMillis(at),
    durationMs: result.durationMs,
    attributes: {
      ...attributes,
      ...(result.statusCode === null ? {} : { 'http.response.status_code': result.statusCode }),
    },
    ...failure,
  });
};

const describeFailure = ({ statusCode, error }: AttemptResult): string =>
  error ?? `status ${statusCode ?? 'unknown'}`;
