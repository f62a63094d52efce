const LENGTH_BYTES = 4;
const TYPE_BYTES = 1;
/**
 * Codes of the two requests that are sent instead of a start-up message. They are in the place of
 * its protocol version.
 */
const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;

const toTypeCode = (letter: string): number => letter.charCodeAt(0);
/**
 * Types of messages after which the client waits for a response: Query, Sync, Flush, CopyDone,
 * CopyFail, Terminate.
 */
const REQUEST_ENDS: ReadonlySet<number> = new Set(['Q', 'S', 'H', 'c', 'f', 'X'].map(toTypeCode));

/** A request of a client: its messages up to one after which it waits for the response. */
export type Request =
  | { readonly kind: 'ssl' | 'cancel' | 'terminate' }
  | { readonly kind: 'work'; readonly messages: Buffer };

/** Splits the bytes of one PostgreSQL connection into requests. */
export class RequestParser {
  private received: Buffer = Buffer.alloc(0);
  /** Offset up to which the received bytes have been scanned. */
  private scanned = 0;
  private hasBegun = false;

  /** Adds received bytes and returns the requests that are complete. */
  parse(chunk: Buffer): Request[] {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const found: Request[] = [];
    for (let next = this.readNextRequest(); next !== null; next = this.readNextRequest())
      found.push(next);
    return found;
  }

  private readNextRequest(): Request | null {
    if (!this.hasBegun) return this.readBeforeStart();
    while (this.received.length >= this.scanned + TYPE_BYTES + LENGTH_BYTES) {
      const type = this.received.readUInt8(this.scanned);
      const end = this.scanned + TYPE_BYTES + this.received.readUInt32BE(this.scanned + TYPE_BYTES);
      if (this.received.length < end) return null;
      this.scanned = end;
      if (type === toTypeCode('X')) return { kind: 'terminate' };
      if (REQUEST_ENDS.has(type)) return { kind: 'work', messages: this.removeScanned() };
    }
    return null;
  }

  /** Reads the first messages of a connection, which have no type. */
  private readBeforeStart(): Request | null {
    if (this.received.length < 2 * LENGTH_BYTES) return null;
    const length = this.received.readUInt32BE(0);
    if (this.received.length < length) return null;
    const code = this.received.readUInt32BE(LENGTH_BYTES);
    this.scanned = length;
    const messages = this.removeScanned();
    if (code === SSL_REQUEST) return { kind: 'ssl' };
    if (code === CANCEL_REQUEST) return { kind: 'cancel' };
    this.hasBegun = true;
    return { kind: 'work', messages };
  }

  private removeScanned(): Buffer {
    const messages = this.received.subarray(0, this.scanned);
    this.received = this.received.subarray(this.scanned);
    this.scanned = 0;
    return messages;
  }
}
