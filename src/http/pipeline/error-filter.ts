import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { describeError, log } from '../../ops/log';
import { isOutage } from '../../event-store/store-outage';
import { chooseMediaType } from './accept';
import { wrongMediaTypeError } from './bodies';
import { createErrorBody, createProblemBody } from './error-body';
import { ERROR_TABLE } from './error-table';
import { isNotReadyAnswer } from './health-check';
import { RepeatedRequest, type StoredResponse } from './idempotency';
import { getFacts, getTraceId } from './request-facts';
import type { Routes } from './routes';
import { isDroppable } from './time-limits';

/**
 * Converts everything that is thrown to an HTTP response. The response to an unknown error contains
 * no detail of it.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly routes: Routes) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Answers a request with the error that was thrown, also on routes that Nest does not know. */
  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const facts = getFacts(request);
    const { id } = facts;
    if (thrown instanceof RepeatedRequest) {
      sendStoredAnswer(reply, thrown.response);
      return;
    }
    const error = this.toDomainError(thrown, request);
    facts.refusal = error.code;
    if (!isNotReadyAnswer(request, ERROR_TABLE[error.code].status)) {
      reportError(error, thrown, { request_id: id, trace_id: getTraceId(request) });
    }
    sendError(reply, request, { error: addEnvironment(error, request), id });
  }

  private toDomainError(thrown: unknown, request: FastifyRequest): DomainError {
    if (thrown instanceof DomainError) return thrown;
    switch (getStatus(thrown)) {
      case 400:
        return new DomainError('invalid_json', 'The body is not valid JSON.');
      case 404:
        return this.routes.createRefusal(request);
      case 413:
        return new DomainError('payload_too_large', 'The body is larger than 1 MiB.');
      case 415:
        return wrongMediaTypeError(request);
      default:
        return isDependencyFailure(thrown)
          ? new DomainError('service_unavailable', 'A store does not answer. Repeat the request.')
          : new DomainError(
              'internal_error',
              'The service failed. Its log contains the cause under this request id.',
            );
    }
  }
}

/** Says in which environment an id was searched: it is often one of the other environment. */
const addEnvironment = (error: DomainError, request: FastifyRequest): DomainError => {
  const { principal } = getFacts(request);
  if (principal === null || error.facts.wasSearched !== true) return error;
  const { code, message, facts } = error;
  const hint = `Only the ${principal.scope.environment} environment was searched.`;
  return new DomainError(code, `${message} ${hint}`, facts);
};

const sendStoredAnswer = (reply: FastifyReply, { status, headers, body }: StoredResponse): void => {
  void reply
    .code(status)
    .headers(headers)
    .header('idempotent-replayed', 'true')
    .send(body === '' ? undefined : body);
};

const reportError = (
  { code }: DomainError,
  thrown: unknown,
  request: Readonly<Record<'request_id' | 'trace_id', string | undefined>>,
): void => {
  const line = { ...request, code, ...describeError(thrown) };
  if (code === 'internal_error') log.error(line, 'request failed');
  if (code === 'service_unavailable') log.warn(line, 'request refused');
};

const sendError = (
  reply: FastifyReply,
  request: FastifyRequest,
  { error, id }: { error: DomainError; id: string },
): void => {
  const { status } = ERROR_TABLE[error.code];
  const body = createErrorBody(error, id);
  const type = chooseMediaType(request.headers.accept, ['application/json', PROBLEM_TYPE]);
  // Fastify closes the connection after a refused body, and a client that is still sending would
  // lose the response. Node instead reads and drops the rest of a bounded body.
  if (isDroppable(request) && error.code !== 'request_timeout') {
    void reply.removeHeader('connection');
  }
  for (const [name, value] of Object.entries(createHeaders(error))) void reply.header(name, value);
  void reply
    .code(status)
    .header('content-type', type)
    .send(type === PROBLEM_TYPE ? createProblemBody(body) : body);
};

/** The media type of RFC 9457. */
const PROBLEM_TYPE = 'application/problem+json';

const createHeaders = ({ code, facts }: DomainError): Record<string, string> => {
  const { status } = ERROR_TABLE[code];
  const { retry_after_seconds: retryAfter, reason } = facts.details ?? {};
  return {
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(code === 'service_unavailable' || code === 'idempotency_key_in_use'
      ? { 'retry-after': '1' }
      : {}),
    ...(typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : {}),
    ...(status === 429 && typeof reason === 'string'
      ? { 'x-service-rate-limited-reason': reason }
      : {}),
    ...(Array.isArray(facts.details?.['allowed_methods'])
      ? { allow: facts.details['allowed_methods'].join(', ') }
      : {}),
  };
};

/** Returns the status code that errors of Nest and of Fastify carry. */
const getStatus = (thrown: unknown): number | undefined => {
  if (thrown instanceof HttpException) return thrown.getStatus();
  return hasField(thrown, 'statusCode') ? Number(thrown.statusCode) : undefined;
};

/** SQLSTATE query_canceled: the statement exceeded its time limit. */
const QUERY_CANCELED = '57014';

/** True if a store is unavailable or too slow for this request. */
const isDependencyFailure = (thrown: unknown): boolean =>
  isOutage(thrown) || (hasField(thrown, 'code') && thrown.code === QUERY_CANCELED);

const hasField = <Name extends string>(
  value: unknown,
  name: Name,
): value is Record<Name, unknown> => typeof value === 'object' && value !== null && name in value;
