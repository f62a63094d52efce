import type { IncomingHttpHeaders } from 'node:http2';
import { asRpcError, type RpcError, Status } from '../protocol/rpc-error';
import { createFrame } from '../protocol/framing';
import type { Wire } from './wire';

/** The number of unsent bytes above which handlers are asked to wait. */
const OUTBOX_BYTES_MAX = 64 * 1024;

/** Runs the functions that send bytes, at once or later, in the order in which they were passed. */
export interface Gate {
  pass(send: () => void): void;
}

const OPEN_GATE: Gate = {
  pass: (send) => {
    send();
  },
};

/** One call. It receives messages, sends framed messages, and ends once with a status. */
export class Call {
  #outbox: Buffer[] = [];
  #outboxBytes = 0;
  #flushing = false;
  #ended = false;
  #closed = false;
  #muted = false;
  #writable: (() => void)[] = [];
  readonly #onClosed: (() => void)[] = [];

  constructor(
    private readonly wire: Wire,
    readonly headers: IncomingHttpHeaders,
    /** The authenticated user; undefined on a server without users. */
    readonly user: string | undefined,
    /** Runs the functions that send bytes. A fault may delay them. */
    private readonly gate: Gate = OPEN_GATE,
  ) {
    wire.onDrain(() => {
      this.releaseWriters();
    });
    wire.onClose(() => {
      this.#closed = true;
      this.releaseWriters();
      for (const callback of this.#onClosed.splice(0)) callback();
    });
  }

  get closed(): boolean {
    return this.#closed || this.#ended;
  }

  get peer(): string {
    return this.wire.peer;
  }

  /** Sets the handlers of incoming messages and of the client's half-close. */
  receive(onMessage: (message: Buffer) => void, onEnd: () => void = () => undefined): void {
    const runGuarded = (work: () => void): void => {
      if (this.closed) return;
      try {
        work();
      } catch (error) {
        this.fail(asRpcError(error));
      }
    };
    this.wire.receive({
      onMessage: (message) => {
        runGuarded(() => {
          onMessage(message);
        });
      },
      onEnd: () => {
        runGuarded(onEnd);
      },
      onUnreadable: (error) => {
        this.fail(asRpcError(error));
      },
    });
  }

  /** Discards what the client sends and never answers. */
  ignore(): void {
    this.mute();
    this.wire.discard();
  }

  /**
   * Sends nothing more, not even the end of the call. Only the client can end the call, by
   * cancelling it.
   */
  mute(): void {
    this.#muted = true;
  }

  /** Calls back when the call is over, or at once if it already is. */
  callWhenClosed(callback: () => void): void {
    if (this.#closed) callback();
    else this.#onClosed.push(callback);
  }

  /**
   * Queues framed messages. Returns false if the caller should wait for `writable()` before it
   * sends more. Messages of one turn of the event loop are sent in one write.
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
    return this.#outboxBytes < OUTBOX_BYTES_MAX && !this.wire.needsDrain;
  }

  /** Resolves when more can be sent, or when the call is over. */
  waitUntilWritable(): Promise<void> {
    if (this.#flushing) this.flush();
    if (this.closed || !this.wire.needsDrain) return Promise.resolve();
    return new Promise((resolve) => this.#writable.push(resolve));
  }

  /** Sends the only response of a unary call and ends the call. */
  respond(message: { serializeBinary(): Uint8Array }): void {
    this.send(createFrame(message.serializeBinary()));
    this.end();
  }

  end(): void {
    if (this.closed || this.#muted) return;
    this.flush();
    this.#ended = true;
    this.gate.pass(() => {
      this.wire.sendHeaders();
      this.wire.finish({ 'grpc-status': String(Status.ok) });
    });
  }

  fail(error: RpcError): void {
    if (this.closed || this.#muted) return;
    this.flush();
    this.#ended = true;
    this.gate.pass(() => {
      this.wire.finish({
        'grpc-status': String(error.code),
        'grpc-message': encodeMessage(error.message),
        ...encodeTrailers(error.trailers),
      });
    });
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
      this.wire.sendHeaders();
      this.wire.write(bytes);
    });
  }

  /** Sends the response headers early, so that the client knows the call was accepted. */
  open(): void {
    if (this.#muted) return;
    this.gate.pass(() => {
      this.wire.sendHeaders();
    });
  }

  private releaseWriters(): void {
    const waiting = this.#writable;
    this.#writable = [];
    for (const resolve of waiting) resolve();
  }
}

/**
 * The longest value of a trailer in bytes. Clients accept about 16 KiB of trailers together. With
 * more they break the connection, and the caller never learns the status.
 */
const TRAILER_BYTES_MAX = 2_048;

/** Encodes the text of `grpc-message`: percent-encoded UTF-8, including the percent sign itself. */
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

/** Cuts an encoded value at the limit, but not inside an encoded byte. */
const cut = (encoded: string): string =>
  encoded.length <= TRAILER_BYTES_MAX
    ? encoded
    : encoded.slice(0, TRAILER_BYTES_MAX).replace(/%[0-9a-f]?$/, '');
