/**
 * The wire format of Protocol Buffers, as far as frequent calls need it (appends, reads,
 * acknowledgements). Rare calls use the generated messages of the official client. Integers are
 * JavaScript numbers: revisions and positions stay below 2^53, and a greater number from a client
 * means "the end".
 */

const TWO_TO_7 = 128;
const TWO_TO_31 = 2 ** 31;

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The revision of a tombstone on EventStoreDB, 2^63 - 1, as a varint. */
const INT64_MAX_VARINT = Buffer.from('ffffffffffffffff7f', 'hex');

export const measureVarint = (value: number): number => {
  let size = 1;
  for (let rest = value; rest >= TWO_TO_7; rest = Math.floor(rest / TWO_TO_7)) size++;
  return size;
};

/** Writes an unsigned integer below 2^53 and returns the offset after it. */
export const putVarint = (target: Buffer, offset: number, value: number): number => {
  let rest = value;
  let at = offset;
  while (rest >= TWO_TO_31) {
    target[at++] = (rest % TWO_TO_7) | TWO_TO_7;
    rest = Math.floor(rest / TWO_TO_7);
  }
  while (rest >= TWO_TO_7) {
    target[at++] = (rest & 0x7f) | TWO_TO_7;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
};

export const INT64_MAX_VARINT_BYTES = INT64_MAX_VARINT.length;

export const putInt64Max = (target: Buffer, offset: number): number => {
  INT64_MAX_VARINT.copy(target, offset);
  return offset + INT64_MAX_VARINT_BYTES;
};

/**
 * Returns the size of a length-delimited field whose tag takes one byte (field numbers up to 15).
 */
export const measureBytesField = (length: number): number => 1 + measureVarint(length) + length;

export const putBytesField = (
  target: Buffer,
  offset: number,
  field: number,
  value: Uint8Array,
): number => {
  const at = putBytesHeader(target, offset, field, value.length);
  target.set(value, at);
  return at + value.length;
};

/** Writes the tag and the length of a field. The caller writes the content after them. */
export const putBytesHeader = (
  target: Buffer,
  offset: number,
  field: number,
  length: number,
): number => {
  target[offset] = (field << 3) | BYTES;
  return putVarint(target, offset + 1, length);
};

export const measureVarintField = (value: number): number => 1 + measureVarint(value);

export const putVarintField = (
  target: Buffer,
  offset: number,
  field: number,
  value: number,
): number => {
  target[offset] = (field << 3) | VARINT;
  return putVarint(target, offset + 1, value);
};

export class WireError extends Error {
  override readonly name = 'WireError';
}

/**
 * Reads the fields of one message, one after another. `readTag()` returns the field number, or 0 at
 * the end.
 */
export class WireReader {
  #tag = 0;

  constructor(
    private readonly bytes: Buffer,
    private at = 0,
    private readonly end = bytes.length,
  ) {}

  readTag(): number {
    if (this.at >= this.end) return 0;
    this.#tag = this.readVarint();
    return this.#tag >>> 3;
  }

  readVarint(): number {
    let value = 0;
    let scale = 1;
    for (let read = 0; read < 10; read++) {
      const byte = this.bytes[this.at++];
      if (byte === undefined || this.at > this.end) throw new WireError('truncated varint');
      value += (byte & 0x7f) * scale;
      if (byte < TWO_TO_7) return value;
      scale *= TWO_TO_7;
    }
    throw new WireError('varint of more than ten bytes');
  }

  /** Reads all 64 bits, for the few fields that are not counters. */
  readVarint64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined || this.at > this.end) throw new WireError('truncated varint');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < TWO_TO_7) return value;
    }
    throw new WireError('varint of more than ten bytes');
  }

  /** Returns a part of the message without a copy. */
  readBytes(): Buffer {
    const [from, to] = this.readRange();
    return this.bytes.subarray(from, to);
  }

  readText(): string {
    const [from, to] = this.readRange();
    return this.bytes.toString('utf8', from, to);
  }

  readMessage(): WireReader {
    const [from, to] = this.readRange();
    return new WireReader(this.bytes, from, to);
  }

  skip(): void {
    switch (this.#tag & 7) {
      case VARINT:
        this.readVarint();
        return;
      case FIXED64:
        this.advance(8);
        return;
      case BYTES:
        this.readRange();
        return;
      case FIXED32:
        this.advance(4);
        return;
      default:
        throw new WireError(`wire type ${this.#tag & 7}`);
    }
  }

  private readRange(): readonly [from: number, to: number] {
    const length = this.readVarint();
    const from = this.at;
    this.advance(length);
    return [from, this.at];
  }

  private advance(length: number): void {
    this.at += length;
    if (this.at > this.end) throw new WireError('truncated field');
  }
}
