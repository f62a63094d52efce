import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { sizeFlawOf } from '../fields/raw-size';
import { refusal } from '../fields/validation';

/**
 * JSON bodies only, line by line where an operation takes that; anything else is a 415. An empty
 * body is no body, whatever its header says: some clients name a form on every POST.
 */
export const acceptJsonOnly = (server: FastifyInstance): void => {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<string>(JSON_TYPE, { parseAs: 'string' }, (request, body, done) => {
    const flaw = sizeFlawOf(body);
    if (body === '') done(null, undefined);
    else if (flaw !== null) done(refusal([flaw]));
    else void parse(request, body, done);
  });
  // Handlers that take a stream read it themselves; for all others it is the wrong type.
  server.addContentTypeParser(NDJSON, (request, payload, done) => {
    if (takesLines(request)) done(null, payload);
    else done(wrongMediaType(request));
  });
  server.addContentTypeParser('*', (request, _, done) => {
    if (isEmpty(request)) done(null, undefined);
    else done(wrongMediaType(request));
  });
  // Before a byte is read: a compressed body is no text, and no limit is known of what is in it.
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (isEncoded(request) && !isEmpty(request)) done(encoded());
    else done(null, payload);
  });
};

const isEmpty = ({ method, headers }: FastifyRequest): boolean =>
  UNREAD.has(method) ||
  (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0);

/** Methods whose body nobody reads. */
const UNREAD = new Set(['GET', 'HEAD']);

const isEncoded = ({ headers }: FastifyRequest): boolean =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity';

const encoded = (): DomainError =>
  new DomainError(
    'unsupported_media_type',
    'Send the body as it is: Content-Encoding is not supported.',
    { param: 'Content-Encoding' },
  );

export const wrongMediaType = (request: FastifyRequest): DomainError =>
  new DomainError(
    'unsupported_media_type',
    `Send the body as ${takesLines(request) ? `${NDJSON} or ${JSON_TYPE}` : JSON_TYPE}.`,
    { param: 'Content-Type' },
  );

const JSON_TYPE = 'application/json';
const NDJSON = 'application/x-ndjson';
/** Operations that take lines of JSON, however many, beside a JSON body. */
const TAKE_LINES = new Set(['/v1/imports']);

const takesLines = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  TAKE_LINES.has(url ?? '');

/** True for a body of lines: the handler reads it itself. */
export const isStreamed = (request: FastifyRequest): boolean =>
  takesLines(request) && (request.headers['content-type'] ?? '').toLowerCase().startsWith(NDJSON);
