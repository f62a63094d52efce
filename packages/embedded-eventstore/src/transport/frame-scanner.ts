/** The bytes with which a client begins its connection (RFC 9113, 3.4). */
const CLIENT_PREFACE_BYTES = 24;

/**
 * The length in bytes of a frame header (RFC 9113, 4.1): length (3), type (1), flags (1), stream id
 * (4).
 */
const FRAME_HEADER_BYTES = 9;

const RST_STREAM_TYPE = 3;
const RST_STREAM_PAYLOAD_BYTES = 4;

export interface ScannedChunk {
  /** The bytes to pass on. */
  readonly passed: readonly Buffer[];
  /** The streams that the client resets after these bytes. */
  readonly resets: readonly number[];
  /** The bytes after those resets, which are still to be scanned. */
  readonly rest: Buffer;
}

const NOTHING = Buffer.alloc(0);

/**
 * Finds the RST_STREAM frames in the bytes of a client and takes them out. It reads frame headers
 * only. A header that is split over two chunks waits for its second part.
 */
export class FrameScanner {
  /**
   * The number of following bytes that belong to the preface or to the payload of a frame that is
   * passed on.
   */
  #skipBytes = CLIENT_PREFACE_BYTES;
  #partial: Buffer = NOTHING;

  scan(received: Buffer): ScannedChunk {
    const chunk = this.#partial.length === 0 ? received : Buffer.concat([this.#partial, received]);
    this.#partial = NOTHING;
    const resetsAt = this.findReset(chunk);
    if (resetsAt === undefined) {
      const complete = chunk.subarray(0, chunk.length - this.#partial.length);
      return { passed: complete.length === 0 ? [] : [complete], resets: [], rest: NOTHING };
    }
    const passed = resetsAt === 0 ? [] : [chunk.subarray(0, resetsAt)];
    return { passed, ...takeResets(chunk.subarray(resetsAt)) };
  }

  /** Skips whole frames and returns the offset of the first reset. */
  private findReset(chunk: Buffer): number | undefined {
    let at = 0;
    for (;;) {
      const skipped = Math.min(this.#skipBytes, chunk.length - at);
      this.#skipBytes -= skipped;
      at += skipped;
      if (at === chunk.length) return undefined;
      if (chunk.length - at < FRAME_HEADER_BYTES) {
        this.#partial = chunk.subarray(at);
        return undefined;
      }
      if (isReset(chunk, at)) {
        if (chunk.length - at >= RESET_BYTES) return at;
        this.#partial = chunk.subarray(at);
        return undefined;
      }
      this.#skipBytes = FRAME_HEADER_BYTES + chunk.readUIntBE(at, 3);
    }
  }
}

const RESET_BYTES = FRAME_HEADER_BYTES + RST_STREAM_PAYLOAD_BYTES;

/**
 * True for a valid reset. One of another length or of stream 0 is an error, which the HTTP/2
 * session reports.
 */
const isReset = (bytes: Buffer, at: number): boolean =>
  bytes[at + 3] === RST_STREAM_TYPE &&
  bytes.readUIntBE(at, 3) === RST_STREAM_PAYLOAD_BYTES &&
  (bytes.readUInt32BE(at + 5) & 0x7fffffff) !== 0;

/** Splits bytes that begin with resets into their stream ids and the rest. */
const takeResets = (bytes: Buffer): Omit<ScannedChunk, 'passed'> => {
  const resets: number[] = [];
  let at = 0;
  while (bytes.length - at >= RESET_BYTES && isReset(bytes, at)) {
    resets.push(bytes.readUInt32BE(at + 5) & 0x7fffffff);
    at += RESET_BYTES;
  }
  return { resets, rest: bytes.subarray(at) };
};
