import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { newRequestId } from '../../event-store/entropy';
import { errorBody } from './error-body';
import { ERROR_TABLE } from './error-table';

/**
 * Requests that cannot be read never reach the pipeline. They are answered as all others are, with a
 * request id and the body of D-80.
 */

/** A URL that cannot be decoded. */
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

/** What Node's parser refuses: there is no request, only the connection, which ends here. */
export const answerUnparsed = (
  thrown: Error & { readonly code?: string },
  socket: Socket,
): void => {
  // A client that is gone hears nothing.
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
 * HTTP/1.1 wants a Host. Node would refuse a request without one by itself, without a body; it is
 * told not to (`requireHostHeader`), so that this can.
 */
export const requireHost = ({ raw, headers }: FastifyRequest): void => {
  if (raw.httpVersion === '1.1' && headers.host === undefined) {
    throw new DomainError('request_malformed', 'The request has no Host header.');
  }
  if (raw.rawHeaders.filter(isHostName).length > 1) {
    throw new DomainError('request_malformed', 'The request has more than one Host header.');
  }
};

/** Node keeps the first of several; a proxy in front of the service may go by another one. */
const isHostName = (text: string, at: number): boolean =>
  at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';

/** An `Expect` that Node does not know would be refused without a body; it may as well be ignored. */
export const ignoreExpectations = ({ server }: FastifyInstance): void => {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
};
