import { constants, type ServerHttp2Stream } from 'node:http2';
import { MessageSplitter } from '../protocol/framing';
import { findPeer } from './port';
import type { Wire, WireListener } from './wire';

const RESPONSE_HEADERS = { ':status': 200, 'content-type': 'application/grpc' };

/** The transport of a call that is a stream of an HTTP/2 connection. */
export class Http2Wire implements Wire {
  readonly #splitter = new MessageSplitter();

  constructor(private readonly stream: ServerHttp2Stream) {
    // A broken connection is not an error of the server. The event `close` follows.
    stream.on('error', () => undefined);
  }

  get peer(): string {
    const { session } = this.stream;
    return session ? findPeer(session) : '';
  }

  get needsDrain(): boolean {
    return this.stream.writableNeedDrain;
  }

  onDrain(callback: () => void): void {
    this.stream.on('drain', callback);
  }

  onClose(callback: () => void): void {
    this.stream.on('close', callback);
  }

  receive({ onMessage, onEnd, onUnreadable }: WireListener): void {
    this.stream.on('data', (chunk: Buffer) => {
      try {
        this.#splitter.push(chunk, onMessage);
      } catch (error) {
        onUnreadable(error);
      }
    });
    this.stream.on('end', onEnd);
  }

  discard(): void {
    this.stream.resume();
  }

  sendHeaders(): void {
    if (this.stream.headersSent || this.isGone) return;
    this.stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
  }

  write(frames: Buffer): void {
    if (!this.isGone) this.stream.write(frames);
  }

  finish(trailers: Readonly<Record<string, string>>): void {
    if (this.isGone) return;
    if (!this.stream.headersSent) {
      this.stream.respond({ ...RESPONSE_HEADERS, ...trailers }, { endStream: true });
      this.discardRest();
      return;
    }
    this.stream.on('wantTrailers', () => {
      this.stream.sendTrailers(trailers);
      this.discardRest();
    });
    this.stream.end();
  }

  /** True once the client or the server has closed the stream, even before the event `close`. */
  private get isGone(): boolean {
    return this.stream.destroyed || this.stream.closed;
  }

  /** Discards what the client still sends and closes the stream. */
  private discardRest(): void {
    this.stream.resume();
    setImmediate(() => {
      if (!this.stream.closed) this.stream.close(constants.NGHTTP2_NO_ERROR);
    });
  }
}
