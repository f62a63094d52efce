import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { newRequestId } from '../../event-store/entropy';
import { createErrorBody } from './error-body';
import { ERROR_TABLE } from './error-table';
import { ANSWER_HEADERS } from './secure-headers';

/**
 * Answers requests that cannot be read and never reach the pipeline. The responses have a request
 * id and the body of D-80, as all others.
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
  void reply
    .code(400)
    .headers({ ...ANSWER_HEADERS, 'x-request-id': id, 'content-type': 'application/json' })
    // No hook runs here, and without a serializer of its own Fastify adds a charset to the type.
    .serializer(JSON.stringify)
    .send(createErrorBody(error, id));
};

/**
 * Answers data that Node's parser refuses. There is no request object, so the response is written
 * to the connection, which is then closed.
 */
export const answerUnparsed = (
  thrown: Error & { readonly code?: string },
  socket: Socket,
): void => {
  // The client has disconnected and cannot receive a response.
  if (thrown.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) endWithAnswer(socket, createRawAnswer(toError(thrown.code)));
  else socket.destroy(thrown);
};

/** The time for which a closing connection still reads the rest of the request. */
const LINGER_MS = 2_000;

/**
 * Sends the response, and reads and discards what the client is still sending until it closes the
 * connection. A connection that is closed with unread data is reset, and the reset may overtake the
 * response (as `lingering_close` of nginx).
 */
const endWithAnswer = (socket: Socket, answer: string): void => {
  socket.removeAllListeners('data').on('data', () => undefined);
  socket.end(answer);
  const limit = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(limit);
  });
};

const toError = (code: string | undefined): DomainError => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large', 'The headers are larger than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout', 'The headers did not arrive in time.');
    default:
      return new DomainError('request_malformed', 'The request is not well-formed HTTP.');
  }
};

const createRawAnswer = (error: DomainError): string => {
  const { status } = ERROR_TABLE[error.code];
  const id = newRequestId();
  const body = JSON.stringify(createErrorBody(error, id));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    ...Object.entries(ANSWER_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
};

/**
 * Headers that a request may contain only once. If there are several, Node uses the first one or
 * joins them, and a proxy in front of the service might use another one.
 */
const SINGLE_HEADERS: ReadonlyMap<string, string> = new Map(
  ['Host', 'Authorization', 'Content-Type', 'Idempotency-Key'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/**
 * A name or an address with an optional port. Links that the service creates contain the header.
 */
const HOST = /^[\w.:[\]-]+$/;

/**
 * Refuses an HTTP/1.1 request without a Host header, and a request with an invalid or repeated
 * header or an unknown transfer coding. Node would refuse a missing Host header without an error body, so `requireHostHeader` is
 * off.
 */
export const requireUnambiguousHeaders = ({ raw, headers }: FastifyRequest): void => {
  if (raw.httpVersion === '1.1' && headers.host === undefined) {
    throw new DomainError('request_malformed', 'The request has no Host header.');
  }
  if (headers.host !== undefined && !HOST.test(headers.host)) {
    throw new DomainError('request_malformed', 'The Host header is not a host name or an address.');
  }
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked')) {
    // Node would read a compressed body as if it were plain.
    throw new DomainError('request_malformed', 'The Transfer-Encoding may only be chunked.');
  }
  const repeated = findRepeatedHeader(raw.rawHeaders);
  if (repeated === null) return;
  throw new DomainError('request_malformed', `The request has more than one ${repeated} header.`);
};

/**
 * Returns the name of a header that is sent more than once but must not be; null if there is none.
 */
const findRepeatedHeader = (rawHeaders: readonly string[]): string | null => {
  const seen = new Set<string>();
  // In `rawHeaders`, names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = SINGLE_HEADERS.get((rawHeaders[at] ?? '').toLowerCase());
    if (name === undefined) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
};

/** Ignores unknown values of `Expect`. Node would refuse the request without an error body. */
export const ignoreExpectations = ({ server }: FastifyInstance): void => {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
};
