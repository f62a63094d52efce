import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { FrameScanner } from './frame-scanner';

/**
 * A connection as the HTTP/2 session sees it: the socket without the client's RST_STREAM frames.
 *
 * Node's HTTP/2 (nghttp2 1.57 and later) ends a connection whose client resets more than 33 streams
 * a second, and Node 20 has no option for that limit. A client that reads the first event and
 * cancels does nothing wrong. So this filter takes the frames out and closes the streams itself: for
 * the session they were closed by the server, which is not counted.
 */
export class ResetFilter extends Duplex {
  readonly #scanner = new FrameScanner();
  readonly #streams = new Map<number, ServerHttp2Stream>();
  /** Chunks that were received and not scanned yet. */
  readonly #inbox: Buffer[] = [];
  /** True while streams are being closed. Bytes that came after their resets wait until then. */
  #isWaiting = false;
  #ended = false;

  constructor(private readonly socket: Socket) {
    super();
    socket.on('data', (chunk: Buffer) => {
      this.#inbox.push(chunk);
      this.passOn();
    });
    socket.on('end', () => {
      this.#ended = true;
      this.passOn();
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Tells the filter which session reads from it. */
  serve(session: ServerHttp2Session): void {
    session.on('stream', (stream: ServerHttp2Stream) => {
      this.addStream(stream);
    });
  }

  override _read(): void {
    if (!this.#isWaiting) this.socket.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    done: (error?: Error | null) => void,
  ): void {
    this.socket.cork();
    for (const [index, { chunk }] of chunks.entries()) {
      this.socket.write(chunk, index === chunks.length - 1 ? done : undefined);
    }
    this.socket.uncork();
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  /**
   * Passes on what was received. After a reset the rest waits for two turns of the event loop: in the
   * first one the session handles what came before the reset, in the second one it has closed the
   * stream, and a stream that the client opens instead fits its limit of concurrent streams.
   */
  private passOn(): void {
    let wantsMore = true;
    while (!this.#isWaiting && !this.destroyed) {
      const chunk = this.#inbox.shift();
      if (!chunk) break;
      const { passed, resets, rest } = this.#scanner.scan(chunk);
      for (const part of passed) wantsMore = this.push(part);
      if (rest.length > 0) this.#inbox.unshift(rest);
      if (resets.length > 0) this.closeStreams(resets);
    }
    if (this.#isWaiting || !wantsMore) this.socket.pause();
    else if (this.#ended && this.#inbox.length === 0) this.push(null);
  }

  private closeStreams(ids: readonly number[]): void {
    this.#isWaiting = true;
    setImmediate(() => {
      // A stream that is not known has already ended.
      for (const id of ids) this.#streams.get(id)?.close(constants.NGHTTP2_CANCEL);
      setImmediate(() => {
        this.#isWaiting = false;
        this.socket.resume();
        this.passOn();
      });
    });
  }

  private addStream(stream: ServerHttp2Stream): void {
    const id = stream.id ?? 0;
    this.#streams.set(id, stream);
    stream.once('close', () => this.#streams.delete(id));
  }
}
