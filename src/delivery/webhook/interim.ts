import type { Socket } from 'node:net';

const CONTINUE = Buffer.from('HTTP/1.1 100 ');
/** Of the digit that makes 102 of it. */
const DIGIT_AT = CONTINUE.length - 2;
const HEAD_END = '\r\n\r\n';

type Connected = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;
/** How undici asks for a connection. */
type Connector<Options> = (options: Options, callback: Connected) => void;

/**
 * A client must be able to read interim answers it did not ask for (RFC 9110, section 15.2). undici
 * skips all of them but "100 Continue", on which it gives up the connection (`onHeadersComplete` in
 * its `lib/dispatcher/client-h1.js`): what was delivered would count as failed. So it is shown a 102.
 * One that does not begin what was read at a time is still a failure.
 */
export const skippingContinue =
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

/** undici takes what has arrived by `read`, and by nothing else. */
const rewriteReads = (socket: Socket): void => {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (chunk !== null) disguise(chunk);
    return chunk;
  };
};

/** In place: a body that begins with the same words would show one digit changed. */
const disguise = (chunk: Buffer): void => {
  let at = 0;
  while (startsWithContinue(chunk, at)) {
    chunk[at + DIGIT_AT] = 0x32;
    const end = chunk.indexOf(HEAD_END, at);
    if (end < 0) return;
    at = end + HEAD_END.length;
  }
};

const startsWithContinue = (chunk: Buffer, at: number): boolean =>
  chunk.length >= at + CONTINUE.length &&
  chunk.compare(CONTINUE, 0, CONTINUE.length, at, at + CONTINUE.length) === 0;
