import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { newRequestId } from '../../event-store/entropy';
import { errorBody } from './error-body';
import { ERROR_TABLE } from './error-table';

/**
 * Answers requests that cannot be read and never reach the pipeline. The answers have a request id
 * and the body of D-80, as all others.
 */

/** Answers a URL that cannot be decoded. */
export const answerBadUrl = (
  _error: Error,
  _request: FastifyRequest,
  reply: FastifyReply,
): void => {
  const error = new DomainError('parameter_invalid', 'The URL is not well-formed.', {
    param: 'url',
  });
  const id = newRequestId();
  void reply.code(400).header('x-request-id', id).send(errorBody(error, id));
};

/**
 * Answers data that Node's parser refuses. There is no request, only the connection, which ends
 * here.
 */
export const answerUnparsed = (
  thrown: Error & { readonly code?: string },
  socket: Socket,
): void => {
  // The client has disconnected and cannot receive an answer.
  if (thrown.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.end(rawAnswer(errorOf(thrown.code)), () => socket.destroy());
  else socket.destroy(thrown);
};

const errorOf = (code: string | undefined): DomainError => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large', 'The headers are larger than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout', 'The headers did not arrive in time.');
    default:
      return new DomainError('request_malformed', 'The request is not well-formed HTTP.');
  }
};

const rawAnswer = (error: DomainError): string => {
  const { status } = ERROR_TABLE[error.code];
  const id = newRequestId();
  const body = JSON.stringify(errorBody(error, id));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
};

/**
 * Refuses an HTTP/1.1 request without a Host header. Node itself would refuse it without a body;
 * `requireHostHeader` turns that off.
 */
export const requireHost = ({ raw, headers }: FastifyRequest): void => {
  if (raw.httpVersion === '1.1' && headers.host === undefined) {
    throw new DomainError('request_malformed', 'The request has no Host header.');
  }
  if (raw.rawHeaders.filter(isHostName).length > 1) {
    throw new DomainError('request_malformed', 'The request has more than one Host header.');
  }
};

/**
 * True for the name of a Host header in Node's raw list. Node keeps the first of several; a proxy
 * in front of the service may use another one.
 */
const isHostName = (text: string, at: number): boolean =>
  at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';

/** Ignores unknown values of `Expect`. Node would refuse them without a body. */
export const ignoreExpectations = ({ server }: FastifyInstance): void => {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
};
