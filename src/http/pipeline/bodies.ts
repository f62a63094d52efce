import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { describeJsonFault } from '../fields/json-fault';
import { findSizeFlaw } from '../fields/raw-size';
import { createRefusal } from '../fields/validation';

/**
 * Accepts JSON bodies, and NDJSON for operations that read it; other media types are answered with
 * 415. An empty body counts as no body, whatever its content type, because some clients send a form
 * type with every POST.
 */
export const acceptJsonOnly = (server: FastifyInstance): void => {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(JSON_TYPE, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (!isUtf8(bytes)) {
      done(new DomainError('invalid_json', 'The body is not valid JSON: it is not UTF-8.'));
      return;
    }
    const body = bytes.toString();
    const flaw = findSizeFlaw(body);
    if (body === '') done(null, undefined);
    else if (flaw !== null) done(createRefusal([flaw]));
    else
      void parse(request, body, (error, value: unknown) => {
        done(error === null ? null : invalidJsonError(body), value);
      });
  });
  // A handler that accepts NDJSON reads the stream itself. Other operations do not accept the media
  // type.
  server.addContentTypeParser(NDJSON, (request, payload, done) => {
    if (takesLines(request)) done(null, payload);
    else done(wrongMediaTypeError(request));
  });
  server.addContentTypeParser('*', (request, _, done) => {
    if (isEmpty(request)) done(null, undefined);
    else done(wrongMediaTypeError(request));
  });
  // Compressed bodies are refused before a byte is read, because the size of their content is
  // unknown. So are bodies in another encoding than UTF-8, because they would be misread.
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (isEmpty(request)) done(null, payload);
    else if (isEncoded(request)) done(encodedBodyError());
    else if (isInOtherCharset(request)) done(charsetError());
    else done(null, payload);
  });
};

/** The parser also refuses the keys by which a body could change objects of the service. */
const invalidJsonError = (body: string): DomainError => {
  const fault = describeJsonFault(body);
  const message =
    fault === null
      ? 'The body contains a key that no operation accepts: __proto__ or constructor.'
      : `The body is not valid JSON: ${fault}.`;
  return new DomainError('invalid_json', message);
};

const isEmpty = ({ method, headers }: FastifyRequest): boolean =>
  UNREAD.has(method) ||
  (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0);

/** Methods whose body is not read. */
const UNREAD = new Set(['GET', 'HEAD']);

const isEncoded = ({ headers }: FastifyRequest): boolean =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity';

const encodedBodyError = (): DomainError =>
  new DomainError(
    'unsupported_media_type',
    'Send the body as it is: Content-Encoding is not supported.',
    { param: 'Content-Encoding' },
  );

/** JSON is always UTF-8 (RFC 8259). Text in another encoding would be stored with wrong characters. */
const isInOtherCharset = ({ headers }: FastifyRequest): boolean => {
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '') ?? [];
  return charset !== undefined && !/^utf-?8$/i.test(charset);
};

const charsetError = (): DomainError =>
  new DomainError(
    'unsupported_media_type',
    'Send the body in UTF-8: the Content-Type names another charset, which JSON does not have.',
    { param: 'Content-Type' },
  );

export const wrongMediaTypeError = (request: FastifyRequest): DomainError =>
  new DomainError(
    'unsupported_media_type',
    `Send the body as ${takesLines(request) ? `${NDJSON} or ${JSON_TYPE}` : JSON_TYPE}.`,
    { param: 'Content-Type' },
  );

const JSON_TYPE = 'application/json';
const NDJSON = 'application/x-ndjson';
/** Operations that accept any number of lines of JSON as well as a JSON body. */
const TAKE_LINES = new Set(['/v1/imports']);

const takesLines = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  TAKE_LINES.has(url ?? '');

/** True for an NDJSON body, which the handler reads itself. */
export const isStreamed = (request: FastifyRequest): boolean =>
  takesLines(request) && (request.headers['content-type'] ?? '').toLowerCase().startsWith(NDJSON);
