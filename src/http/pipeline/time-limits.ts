import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { isStreamed } from './bodies';

/** A client that has sent no whole head by then is cut off. */
export const HEADERS_TIMEOUT_MS = 15_000;
/** How often Node looks for connections whose time is over. */
export const CONNECTIONS_CHECKED_EVERY_MS = 2_000;
/** Nothing was read or written on the connection for so long. */
export const IDLE_CONNECTION_MS = 120_000;
/** What is left of a body is read and dropped up to this size, so that the answer is not lost. */
const DROPPED_BYTES_MAX = 16 * 1024 * 1024;

export interface TimeLimits {
  /** A body of JSON (at most 1 MiB) must be here by then. */
  readonly bodyMs: number;
  /** A streamed upload may take as long as it likes, but not stand still. */
  readonly uploadCheckedEveryMs: number;
  readonly uploadBytesPerSecondMin: number;
  /** A client that still sends so long after its answer is cut off. */
  readonly leftoverMs: number;
}

const LIMITS: TimeLimits = {
  bodyMs: 30_000,
  uploadCheckedEveryMs: 5_000,
  uploadBytesPerSecondMin: 1_024,
  leftoverMs: 5_000,
};

/** No client holds a connection by being slow, or by sending what nobody reads. */
export const installTimeLimits = (server: FastifyInstance, limits: TimeLimits = LIMITS): void => {
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (!hasBody(request) || !isRead(request)) done(null, payload);
    else if (isStreamed(request)) done(null, withMinimumRate(payload as Readable, limits));
    else {
      limitBody(payload, limits);
      done(null, payload);
    }
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (isUnread(request) && !isDroppable(request)) void reply.header('connection', 'close');
    done(null, payload);
  });
  server.addHook('onResponse', (request, _reply, done) => {
    if (isUnread(request)) cutOffLater(request, limits);
    done();
  });
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Fastify reads no body of these methods. */
const isRead = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD';

const isUnread = (request: FastifyRequest): boolean => hasBody(request) && !request.raw.complete;

/** True if Node may read and drop what is left of the body: it is known not to be long. */
export const isDroppable = ({ headers }: FastifyRequest): boolean =>
  Number(headers['content-length'] ?? Infinity) <= DROPPED_BYTES_MAX;

const limitBody = (body: Readable, { bodyMs }: TimeLimits): void => {
  const timer = setTimeout(() => {
    body.emit('error', tooSlow(`The body did not arrive within ${bodyMs / 1000} s.`));
  }, bodyMs);
  stopWith(body, timer);
};

/** The body as it arrives; ends in an error where less than the minimum arrives in an interval. */
const withMinimumRate = (
  body: Readable,
  { uploadCheckedEveryMs, uploadBytesPerSecondMin }: TimeLimits,
): Readable => {
  const limited = new PassThrough();
  // An upload may be cut off while nobody reads it yet: whoever reads it later still gets the error, and
  // an error without a listener would end the process.
  limited.on('error', () => undefined);
  let bytes = 0;
  body.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const timer = setInterval(() => {
    const isWaitedFor = limited.readableLength === 0;
    const enough = (uploadBytesPerSecondMin * uploadCheckedEveryMs) / 1000;
    if (isWaitedFor && bytes < enough) {
      limited.destroy(tooSlow('The upload is slower than 1 KiB a second.'));
    }
    bytes = 0;
  }, uploadCheckedEveryMs);
  stopWith(body, timer);
  limited.once('close', () => {
    clearInterval(timer);
  });
  body.once('error', (error) => limited.destroy(error));
  return body.pipe(limited);
};

const stopWith = (body: Readable, timer: NodeJS.Timeout): void => {
  const stop = (): void => {
    clearTimeout(timer);
  };
  body.once('end', stop);
  body.once('error', stop);
  body.once('close', stop);
};

const tooSlow = (message: string): DomainError => new DomainError('request_timeout', message);

/** The body may end meanwhile: Node reads and drops what is left of it. */
const cutOffLater = ({ raw }: FastifyRequest, { leftoverMs }: TimeLimits): void => {
  setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, leftoverMs).unref();
};
