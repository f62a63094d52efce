/** The callbacks by which a call receives what the client sends. */
export interface WireListener {
  readonly onMessage: (message: Buffer) => void;
  /** Called when the client sends no more messages. */
  readonly onEnd: () => void;
  /** Called when a message of the client cannot be read. */
  readonly onUnreadable: (error: unknown) => void;
}

/**
 * The transport of one call: a stream of HTTP/2, or a port between two threads. After the end of the
 * call its functions do nothing.
 */
export interface Wire {
  /** The address and port of the client; empty if it has none. */
  readonly peer: string;
  /** True while the client has not read enough of what was written. */
  readonly needsDrain: boolean;
  /** Calls back when `needsDrain` has become false. */
  onDrain(callback: () => void): void;
  /** Calls back once, when the call is over for both sides. */
  onClose(callback: () => void): void;
  /** Delivers what the client sends, from its first message on. */
  receive(listener: WireListener): void;
  /** Discards what the client sends and never answers. */
  discard(): void;
  /** Accepts the call, before any message; a second time it does nothing. */
  sendHeaders(): void;
  /** Sends whole framed messages. */
  write(frames: Buffer): void;
  /** Ends the call with gRPC trailers, whose values are ASCII. */
  finish(trailers: Readonly<Record<string, string>>): void;
}
