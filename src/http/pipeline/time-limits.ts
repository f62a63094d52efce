import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { isStreamed } from './bodies';

/** The time after which a client without a complete request head is disconnected. */
export const HEADERS_TIMEOUT_MS = 15_000;
/** The interval at which Node looks for connections that exceeded their time. */
export const CONNECTIONS_CHECKED_EVERY_MS = 2_000;
/** The time without a read or write after which a connection is closed. */
export const IDLE_CONNECTION_MS = 120_000;
/** The size up to which the rest of a body is read and dropped, so that the answer is not lost. */
const DROPPED_BYTES_MAX = 16 * 1024 * 1024;

export interface TimeLimits {
  /** The time in which a JSON body (at most 1 MiB) must arrive. */
  readonly bodyMs: number;
  /**
   * The interval of the progress check. A streamed upload may take any time but must not stand
   * still.
   */
  readonly uploadCheckedEveryMs: number;
  readonly uploadBytesPerSecondMin: number;
  /** The time after its answer at which a client that still sends is disconnected. */
  readonly leftoverMs: number;
}

const LIMITS: TimeLimits = {
  bodyMs: 30_000,
  uploadCheckedEveryMs: 5_000,
  uploadBytesPerSecondMin: 1_024,
  leftoverMs: 5_000,
};

/** Ends connections of clients that are slow or send data that is not read. */
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

/** Returns the body as it arrives. It fails if less than the minimum arrives in an interval. */
const requireMinimumRate = (
  body: Readable,
  { uploadCheckedEveryMs, uploadBytesPerSecondMin }: TimeLimits,
): Readable => {
  const limited = new PassThrough();
  // An upload may be cut off before its handler reads it. The handler still gets the error later,
  // but an error without a listener would end the process.
  limited.on('error', () => undefined);
  let bytes = 0;
  body.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const timer = setInterval(() => {
    const isWaitedFor = limited.readableLength === 0;
    const enough = (uploadBytesPerSecondMin * uploadCheckedEveryMs) / 1000;
    if (isWaitedFor && bytes < enough) {
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

/**
 * Disconnects the client later. The body may end in the meantime: Node reads and drops the rest of
 * it.
 */
const closeLater = ({ raw }: FastifyRequest, { leftoverMs }: TimeLimits): void => {
  setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, leftoverMs).unref();
};
