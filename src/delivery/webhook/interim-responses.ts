import type { Socket } from 'node:net';

const CONTINUE_PREFIX = Buffer.from('HTTP/1.1 100 ');
/** Position of the last status digit, which turns 100 into 102. */
const LAST_STATUS_DIGIT = CONTINUE_PREFIX.length - 2;
const HEAD_END = '\r\n\r\n';

type Connected = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;
/** The function by which undici opens a connection. */
type Connector<Options> = (options: Options, callback: Connected) => void;

/**
 * Makes undici skip unexpected "100 Continue" responses. A client must be able to read interim
 * responses that it did not ask for (RFC 9110, section 15.2). undici skips all of them but "100
 * Continue", on which it closes the connection (`onHeadersComplete` in its
 * `lib/dispatcher/client-h1.js`), so a delivered event would count as failed. The response is
 * therefore shown to undici as a 102. An interim response that is not at the beginning of a chunk still
 * causes a failure.
 */
export const skipContinue =
  <Options>(connect: Connector<Options>): Connector<Options> =>
  (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      rewriteReads(socket);
      callback(null, socket);
    });
  };

/** Replaces `read` of a socket, which is the only function by which undici receives data. */
const rewriteReads = (socket: Socket): void => {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (chunk !== null) replaceContinue(chunk);
    return chunk;
  };
};

/**
 * Changes the status 100 to 102 in every interim response at the beginning of a chunk. It changes the
 * bytes of the chunk itself. If a chunk of a body begins with the text `HTTP/1.1 100`, that digit is
 * changed too.
 */
const replaceContinue = (chunk: Buffer): void => {
  let at = 0;
  while (startsWithContinue(chunk, at)) {
    chunk[at + LAST_STATUS_DIGIT] = 0x32;
    const end = chunk.indexOf(HEAD_END, at);
    if (end < 0) return;
    at = end + HEAD_END.length;
  }
};

const startsWithContinue = (chunk: Buffer, at: number): boolean =>
  chunk.length >= at + CONTINUE_PREFIX.length &&
  chunk.compare(CONTINUE_PREFIX, 0, CONTINUE_PREFIX.length, at, at + CONTINUE_PREFIX.length) === 0;
