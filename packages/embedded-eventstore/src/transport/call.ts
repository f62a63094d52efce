import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { asRpcError, type RpcError, Status } from '../protocol/rpc-error';
import { createFrame, MessageSplitter } from '../protocol/framing';
import { findPeer } from './port';

/** Above this, handlers are asked to wait until the connection has sent a part. */
const OUTBOX_BYTES_MAX = 64 * 1024;

const CONTENT_TYPE = 'application/grpc';

/** Runs the functions that send bytes, at once or later, in the order in which they were passed. */
export interface Gate {
  pass(send: () => void): void;
}

const OPEN_GATE: Gate = {
  pass: (send) => {
    send();
  },
};

/** One call: messages come in, framed messages go out, and it ends once with a status. */
export class Call {
  readonly #splitter = new MessageSplitter();
  #outbox: Buffer[] = [];
  #outboxBytes = 0;
  #flushing = false;
  #ended = false;
  #closed = false;
  #muted = false;
  #writable: (() => void)[] = [];
  readonly #onClosed: (() => void)[] = [];

  constructor(
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
    /** The authenticated user, or none on a server without users. */
    readonly user: string | undefined,
    /** Everything sent passes here; a fault may hold it back for a time. */
    private readonly gate: Gate = OPEN_GATE,
  ) {
    // A connection that breaks is not an error of the server; 'close' follows.
    stream.on('error', () => undefined);
    stream.on('drain', () => {
      this.releaseWriters();
    });
    stream.on('close', () => {
      this.#closed = true;
      this.releaseWriters();
      for (const callback of this.#onClosed.splice(0)) callback();
    });
  }

  get closed(): boolean {
    return this.#closed || this.#ended;
  }

  get peer(): string {
    const { session } = this.stream;
    return session ? findPeer(session) : '';
  }

  /** Delivers the incoming messages, and then the client's half-close. */
  receive(onMessage: (message: Buffer) => void, onEnd: () => void = () => undefined): void {
    const runGuarded = (work: () => void): void => {
      if (this.closed) return;
      try {
        work();
      } catch (error) {
        this.fail(asRpcError(error));
      }
    };
    this.stream.on('data', (chunk: Buffer) => {
      runGuarded(() => {
        this.#splitter.push(chunk, onMessage);
      });
    });
    this.stream.on('end', () => {
      runGuarded(onEnd);
    });
  }

  /** Reads and forgets what the client sends, and never answers. */
  ignore(): void {
    this.mute();
    this.stream.resume();
  }

  /** From now on nothing is sent, not even the end of the call. The client's cancel ends it. */
  mute(): void {
    this.#muted = true;
  }

  /** Calls back when the call is over; at once if it is over already. */
  callWhenClosed(callback: () => void): void {
    if (this.#closed) callback();
    else this.#onClosed.push(callback);
  }

  /**
   * Queues framed messages. Returns false if the caller should wait for `writable()` before it sends
   * more. Messages of one turn of the event loop leave in one write.
   */
  send(frames: Buffer): boolean {
    if (this.closed) return false;
    if (this.#muted) return true;
    this.#outbox.push(frames);
    this.#outboxBytes += frames.length;
    if (!this.#flushing) {
      this.#flushing = true;
      process.nextTick(() => {
        this.flush();
      });
    }
    return this.#outboxBytes < OUTBOX_BYTES_MAX && !this.stream.writableNeedDrain;
  }

  /** Resolves when more can be sent, or when the call is over. */
  waitUntilWritable(): Promise<void> {
    if (this.#flushing) this.flush();
    if (this.closed || !this.stream.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => this.#writable.push(resolve));
  }

  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }

  /** The only response of a unary call, and its end. */
  respond(message: { serializeBinary(): Uint8Array }): void {
    this.send(createFrame(message.serializeBinary()));
    this.end();
  }

  end(): void {
    if (this.closed || this.#muted) return;
    this.flush();
    this.#ended = true;
    this.gate.pass(() => {
      this.sendHeaders();
      this.finish({ 'grpc-status': String(Status.ok) });
    });
  }

  fail(error: RpcError): void {
    if (this.closed || this.#muted) return;
    this.flush();
    this.#ended = true;
    this.gate.pass(() => {
      this.sendFailure(error);
    });
  }

  private sendFailure(error: RpcError): void {
    if (this.#closed || isGone(this.stream)) return;
    const trailers = {
      'grpc-status': String(error.code),
      'grpc-message': encodeMessage(error.message),
      ...encodeTrailers(error.trailers),
    };
    if (this.stream.headersSent) {
      this.finish(trailers);
      return;
    }
    const headers = { ':status': 200, 'content-type': CONTENT_TYPE, ...trailers };
    this.stream.respond(headers, { endStream: true });
    this.discardRest();
  }

  private flush(): void {
    this.#flushing = false;
    if (this.#outbox.length === 0 || this.closed) return;
    const [only] = this.#outbox;
    const bytes =
      this.#outbox.length === 1 && only ? only : Buffer.concat(this.#outbox, this.#outboxBytes);
    this.#outbox = [];
    this.#outboxBytes = 0;
    this.gate.pass(() => {
      this.sendHeaders();
      if (!this.#closed && !isGone(this.stream)) this.stream.write(bytes);
    });
  }

  /** Sends the response headers early, so that the client knows the call was accepted. */
  open(): void {
    if (this.#muted) return;
    this.gate.pass(() => {
      this.sendHeaders();
    });
  }

  private sendHeaders(): void {
    if (this.#closed || this.stream.headersSent || isGone(this.stream)) return;
    this.stream.respond(
      { ':status': 200, 'content-type': CONTENT_TYPE },
      { waitForTrailers: true },
    );
  }

  private finish(trailers: Record<string, string>): void {
    if (isGone(this.stream)) return;
    this.stream.on('wantTrailers', () => {
      this.stream.sendTrailers(trailers);
      this.discardRest();
    });
    this.stream.end();
  }

  /** Reads and forgets what the client still sends, and closes the stream. */
  private discardRest(): void {
    this.stream.resume();
    setImmediate(() => {
      if (!this.stream.closed) this.stream.close(constants.NGHTTP2_NO_ERROR);
    });
  }

  private releaseWriters(): void {
    const waiting = this.#writable;
    this.#writable = [];
    for (const resolve of waiting) resolve();
  }
}

/** True once the client or the server has closed the stream, before its 'close' event too. */
const isGone = (stream: ServerHttp2Stream): boolean => stream.destroyed || stream.closed;

/**
 * The longest value of a trailer, in bytes. Clients accept some 16 KiB of trailers together; with
 * more they break the connection, and the caller never learns the status.
 */
const TRAILER_BYTES_MAX = 2_048;

/** grpc-message is percent-encoded UTF-8, and a percent sign itself needs it. */
const encodeMessage = (text: string): string =>
  cut(text.replace(/[^\x20-\x7e]+|%/g, encodePercent));

/** Percent-encodes non-ASCII text, such as stream names, because header values must be ASCII. */
const encodeTrailers = (trailers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(trailers).map(([key, value]) => [
      key,
      cut(value.replace(/[^\x20-\x7e]+/g, encodePercent)),
    ]),
  );

const encodePercent = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Cuts an encoded value at its limit, but not inside the code of one byte. */
const cut = (encoded: string): string =>
  encoded.length <= TRAILER_BYTES_MAX
    ? encoded
    : encoded.slice(0, TRAILER_BYTES_MAX).replace(/%[0-9a-f]?$/, '');
