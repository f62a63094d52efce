import type { FastifyReply, FastifyRequest } from 'fastify';
import { newTraceparent } from '../../event-store/entropy';
import { newStepId } from '../../event-store/event-trace';
import { formatTraceparent, parseTraceparent } from '../../kernel/trace';
import type { Tracing } from '../../ops/tracing';
import { factsOf, type RequestFacts } from './request-facts';

/**
 * The trace of a request: its client's, or a new one. A header that is no trace context is ignored, as
 * the specification of it says. The request is a step of its own where steps are recorded.
 */
export const traceOfRequest = (
  header: unknown,
  tracing: Tracing,
): Pick<RequestFacts, 'traceparent' | 'cause'> => {
  const cause = parseTraceparent(header);
  if (!tracing.isOn) {
    return { traceparent: cause === null ? newTraceparent() : (header as string), cause };
  }
  const traceId = cause?.traceId ?? parseTraceparent(newTraceparent())?.traceId ?? '';
  const isSampled = tracing.isSampled(traceId, cause);
  return { traceparent: formatTraceparent({ traceId, parentId: newStepId(), isSampled }), cause };
};

/** Records a request that was answered: its route and never its target, which may hold personal data. */
export const recordRequest = (
  tracing: Tracing,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  const { traceparent, cause, id } = factsOf(request);
  const trace = parseTraceparent(traceparent);
  if (trace === null) return;
  const { statusCode, elapsedTime: durationMs } = reply;
  tracing.record({
    name: 'request',
    trace,
    causeId: cause?.parentId ?? null,
    startedAtMs: Date.now() - durationMs,
    durationMs,
    attributes: {
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? 'unknown',
      'http.response.status_code': statusCode,
      'request.id': id,
    },
    ...(statusCode >= 500 ? { error: `status ${statusCode}` } : {}),
  });
};
