const LENGTH_BYTES = 4;
const TYPE_BYTES = 1;
/** In the place where a start-up message has the version of the protocol. */
const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;

const typeOf = (letter: string): number => letter.charCodeAt(0);
/** After these the client waits for an answer: Query, Sync, Flush, CopyDone, CopyFail, Terminate. */
const BOUNDARIES: ReadonlySet<number> = new Set(['Q', 'S', 'H', 'c', 'f', 'X'].map(typeOf));

/** What a client asks for at once: its messages up to one after which it waits for the answer. */
export type Request =
  | { readonly kind: 'ssl' | 'cancel' | 'terminate' }
  | { readonly kind: 'work'; readonly messages: Buffer };

/** Cuts the bytes of one PostgreSQL connection into requests. */
export class Requests {
  private received: Buffer = Buffer.alloc(0);
  /** The start of the received bytes that no whole message has been found in yet. */
  private scanned = 0;
  private hasBegun = false;

  /** Takes the next bytes, and answers the requests that are complete by them. */
  take(chunk: Buffer): Request[] {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const found: Request[] = [];
    for (let next = this.next(); next !== null; next = this.next()) found.push(next);
    return found;
  }

  private next(): Request | null {
    if (!this.hasBegun) return this.nextBeforeStart();
    while (this.received.length >= this.scanned + TYPE_BYTES + LENGTH_BYTES) {
      const type = this.received[this.scanned] ?? 0;
      const end = this.scanned + TYPE_BYTES + this.received.readUInt32BE(this.scanned + TYPE_BYTES);
      if (this.received.length < end) return null;
      this.scanned = end;
      if (type === typeOf('X')) return { kind: 'terminate' };
      if (BOUNDARIES.has(type)) return { kind: 'work', messages: this.cut() };
    }
    return null;
  }

  /** The first messages of a connection have no type. */
  private nextBeforeStart(): Request | null {
    if (this.received.length < 2 * LENGTH_BYTES) return null;
    const length = this.received.readUInt32BE(0);
    if (this.received.length < length) return null;
    const code = this.received.readUInt32BE(LENGTH_BYTES);
    this.scanned = length;
    const messages = this.cut();
    if (code === SSL_REQUEST) return { kind: 'ssl' };
    if (code === CANCEL_REQUEST) return { kind: 'cancel' };
    this.hasBegun = true;
    return { kind: 'work', messages };
  }

  private cut(): Buffer {
    const messages = this.received.subarray(0, this.scanned);
    this.received = this.received.subarray(this.scanned);
    this.scanned = 0;
    return messages;
  }
}
