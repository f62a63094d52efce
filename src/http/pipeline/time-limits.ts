import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { isStreamed } from './bodies';

/** The time after which a client without a complete request head is disconnected. */
export const HEADERS_TIMEOUT_MS = 15_000;
/** The interval at which Node looks for connections that exceeded their time. */
export const CONNECTION_CHECK_INTERVAL_MS = 2_000;
/** The time without a read or write after which a connection is closed. */
export const IDLE_CONNECTION_MS = 120_000;
/** Up to this size the rest of a body is read and dropped, so that the client gets its response. */
const DROPPED_BYTES_MAX = 16 * 1024 * 1024;

export interface TimeLimits {
  /** A JSON body (at most 1 MiB) must arrive within this time. */
  readonly bodyMs: number;
  /**
   * The interval in which the progress of a streamed upload is checked. The upload may take any
   * time as long as data arrives.
   */
  readonly uploadCheckedEveryMs: number;
  readonly uploadBytesPerSecondMin: number;
  /** A client that still sends this long after its response is disconnected. */
  readonly leftoverMs: number;
}

const LIMITS: TimeLimits = {
  bodyMs: 30_000,
  uploadCheckedEveryMs: 5_000,
  uploadBytesPerSecondMin: 1_024,
  leftoverMs: 5_000,
};

/** Disconnects clients that are slow, or that send data that is not read. */
export const installTimeLimits = (server: FastifyInstance, limits: TimeLimits = LIMITS): void => {
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (!hasBody(request) || !isRead(request)) done(null, payload);
    else if (isStreamed(request)) done(null, requireMinimumRate(payload as Readable, limits));
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
    if (isUnread(request)) closeLater(request, limits);
    done();
  });
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** True if Fastify reads the body of the method. */
const isRead = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD';

const isUnread = (request: FastifyRequest): boolean => hasBody(request) && !request.raw.complete;

/** True if Node may read and drop the rest of the body because its length is known to be small. */
export const isDroppable = ({ headers }: FastifyRequest): boolean =>
  Number(headers['content-length'] ?? Infinity) <= DROPPED_BYTES_MAX;

const limitBody = (body: Readable, { bodyMs }: TimeLimits): void => {
  const timer = setTimeout(() => {
    body.emit('error', tooSlowError(`The body did not arrive within ${bodyMs / 1000} s.`));
  }, bodyMs);
  clearTimerAtEnd(body, timer);
};

/**
 * Returns the body as it arrives. The body fails if an interval brings fewer bytes than the
 * minimum.
 */
const requireMinimumRate = (
  body: Readable,
  { uploadCheckedEveryMs, uploadBytesPerSecondMin }: TimeLimits,
): Readable => {
  const limited = new PassThrough();
  // The upload may fail before its handler reads it. Without a listener, the error would end the
  // process. The handler still gets the error.
  limited.on('error', () => undefined);
  let bytes = 0;
  body.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const timer = setInterval(() => {
    const isAwaited = limited.readableLength === 0;
    const enough = (uploadBytesPerSecondMin * uploadCheckedEveryMs) / 1000;
    if (isAwaited && bytes < enough) {
      limited.destroy(tooSlowError('The upload is slower than 1 KiB a second.'));
    }
    bytes = 0;
  }, uploadCheckedEveryMs);
  clearTimerAtEnd(body, timer);
  limited.once('close', () => {
    clearInterval(timer);
  });
  body.once('error', (error) => limited.destroy(error));
  return body.pipe(limited);
};

const clearTimerAtEnd = (body: Readable, timer: NodeJS.Timeout): void => {
  const stop = (): void => {
    clearTimeout(timer);
  };
  body.once('end', stop);
  body.once('error', stop);
  body.once('close', stop);
};

const tooSlowError = (message: string): DomainError => new DomainError('request_timeout', message);

/** Disconnects the client after `leftoverMs` if its body has not ended by then. */
const closeLater = ({ raw }: FastifyRequest, { leftoverMs }: TimeLimits): void => {
  setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, leftoverMs).unref();
};
