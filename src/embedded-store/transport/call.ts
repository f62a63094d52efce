import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { asRpcError, type RpcError, Status } from '../protocol/rpc-error';
import { frameOf, MessageSplitter } from '../protocol/framing';

/** Above this, what a handler sends waits until the connection has taken some of it. */
const OUTBOX_BYTES_MAX = 64 * 1024;

const CONTENT_TYPE = 'application/grpc';

/** One call: messages come in, framed messages go out, and it ends once with a status. */
export class Call {
  readonly #splitter = new MessageSplitter();
  #outbox: Buffer[] = [];
  #outboxBytes = 0;
  #flushing = false;
  #ended = false;
  #closed = false;
  #writable: (() => void)[] = [];
  readonly #onClosed: (() => void)[] = [];

  constructor(
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
    /** The authenticated user, or none on a server without users. */
    readonly user: string | undefined,
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
    const socket = this.stream.session?.socket;
    return `${socket?.remoteAddress ?? ''}:${socket?.remotePort ?? 0}`;
  }

  /** Delivers the incoming messages, and then the client's half-close. */
  receive(onMessage: (message: Buffer) => void, onEnd: () => void = () => undefined): void {
    const guarded = (work: () => void): void => {
      if (this.closed) return;
      try {
        work();
      } catch (error) {
        this.fail(asRpcError(error));
      }
    };
    this.stream.on('data', (chunk: Buffer) => {
      guarded(() => {
        this.#splitter.push(chunk, onMessage);
      });
    });
    this.stream.on('end', () => {
      guarded(onEnd);
    });
  }

  /** Runs when the call is over, for whatever reason, also when it already is. */
  onClosed(callback: () => void): void {
    if (this.#closed) callback();
    else this.#onClosed.push(callback);
  }

  /**
   * Queues framed messages. False means: wait for `writable()` before sending more. What is sent
   * within one turn leaves in one write.
   */
  send(frames: Buffer): boolean {
    if (this.closed) return false;
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
  writable(): Promise<void> {
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
    this.send(frameOf(message.serializeBinary()));
    this.end();
  }

  end(): void {
    if (this.closed) return;
    this.flush();
    this.#ended = true;
    this.open();
    this.finish({ 'grpc-status': String(Status.ok) });
  }

  fail(error: RpcError): void {
    if (this.closed) return;
    this.flush();
    this.#ended = true;
    const trailers = {
      'grpc-status': String(error.code),
      'grpc-message': percentEncoded(error.message),
      ...asciiOnly(error.trailers),
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
    this.open();
    this.stream.write(bytes);
  }

  /** Sends the response headers early, so that the client knows the call was accepted. */
  open(): void {
    if (this.#closed || this.stream.headersSent || this.stream.destroyed) return;
    this.stream.respond(
      { ':status': 200, 'content-type': CONTENT_TYPE },
      { waitForTrailers: true },
    );
  }

  private finish(trailers: Record<string, string>): void {
    if (this.stream.destroyed) return;
    this.stream.on('wantTrailers', () => {
      this.stream.sendTrailers(trailers);
      this.discardRest();
    });
    this.stream.end();
  }

  /** The client may still be sending; nobody listens any more. */
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

/** grpc-message is percent-encoded UTF-8, and a percent sign itself needs it. */
const percentEncoded = (text: string): string => text.replace(/[^\x20-\x7e]+|%/g, percentEncode);

/** Header values are ASCII; stream names need not be. */
const asciiOnly = (trailers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(trailers).map(([key, value]) => [
      key,
      value.replace(/[^\x20-\x7e]+/g, percentEncode),
    ]),
  );

const percentEncode = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
