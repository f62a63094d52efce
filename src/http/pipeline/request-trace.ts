import type { FastifyReply, FastifyRequest } from 'fastify';
import { newTraceparent, newTraceId } from '../../event-store/entropy';
import { newSpanId } from '../../event-store/event-trace';
import { formatTraceparent, parseTraceparent } from '../../kernel/trace';
import type { Tracing } from '../../ops/tracing';
import { getFacts, type RequestFacts } from './request-facts';

/**
 * Returns the trace of a request: its client's, or a new one. An invalid trace header is ignored,
 * as the W3C specification requires. If spans are recorded, the request is a span of its own.
 */
export const createRequestTrace = (
  header: unknown,
  tracing: Tracing,
): Pick<RequestFacts, 'traceparent' | 'cause'> => {
  const cause = parseTraceparent(header);
  if (!tracing.isOn) {
    return { traceparent: cause === null ? newTraceparent() : (header as string), cause };
  }
  const traceId = cause?.traceId ?? newTraceId();
  const isSampled = tracing.isSampled(traceId, cause);
  return { traceparent: formatTraceparent({ traceId, parentId: newSpanId(), isSampled }), cause };
};

/**
 * Records the span of an answered request with its route. The target is not recorded because it may
 * contain personal data.
 */
export const recordRequest = (
  tracing: Tracing,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  const { traceparent, cause, id } = getFacts(request);
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
