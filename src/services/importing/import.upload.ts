import { isUtf8 } from 'node:buffer';

const LINES_PER_CHUNK = 1_000;
/**
 * Maximum size of a chunk as JSON without its last line. Sealing makes it a third longer, and it
 * must fit into one append.
 */
const CHUNK_BYTES_MAX = 300_000;
const LINE_CHARS_MAX = 64 * 1024;
/**
 * A line with more bytes has more than `LINE_CHARS_MAX` characters, because a UTF-16 character takes
 * at most three bytes of UTF-8.
 */
const LINE_BYTES_MAX = 3 * LINE_CHARS_MAX;
const LINE_END = 0x0a;

/**
 * Marks a line that was too long to be stored. Stored chunks contain this value, so it must not
 * change.
 */
export const TOO_LONG = null;
/**
 * Marks a line that is not valid UTF-8, which JSON requires (RFC 8259, section 8.1). Stored chunks
 * contain this value, so it must not change.
 */
export const NOT_UTF8 = false;
export type UploadedLine = string | typeof TOO_LONG | typeof NOT_UTF8;
export type Chunk = readonly UploadedLine[];

/** True for a blank line. It has a line number but is not imported. */
export const isBlank = (line: UploadedLine): boolean =>
  typeof line === 'string' && line.trim() === '';

/**
 * The byte order mark with which some editors begin a file. JSON does not allow it (RFC 8259,
 * section 8.1).
 */
const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Yields the lines of a body that may be larger than memory. Text after the last line end is a line
 * too.
 */
export async function* readLines(body: AsyncIterable<Buffer>): AsyncGenerator<UploadedLine> {
  let isFirst = true;
  for await (const line of splitLines(body)) {
    yield isFirst && typeof line === 'string' ? line.replace(BYTE_ORDER_MARK, '') : line;
    isFirst = false;
  }
}

/**
 * Splits a body into lines. A CR before a line end is kept, because JSON reads it as white space.
 */
async function* splitLines(body: AsyncIterable<Buffer>): AsyncGenerator<UploadedLine> {
  let rest: Buffer = Buffer.alloc(0);
  let skipping = false;
  for await (const bytes of body) {
    const known = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = known.lastIndexOf(LINE_END);
    rest = known.subarray(end + 1);
    for (const line of end === -1 ? [] : decodeLines(known.subarray(0, end))) {
      yield skipping ? TOO_LONG : line;
      skipping = false;
    }
    if (rest.length <= LINE_BYTES_MAX) continue;
    rest = Buffer.alloc(0);
    skipping = true;
  }
  if (skipping) yield TOO_LONG;
  else if (rest.length > 0) yield* decodeLines(rest);
}

/**
 * Decodes complete lines. In UTF-8 the byte of a line end is never part of another character, so
 * each line can be decoded alone.
 */
const decodeLines = (lines: Buffer): UploadedLine[] => {
  const texts = isUtf8(lines)
    ? lines.toString().split('\n')
    : lines.toString('latin1').split('\n').map(decodeLine);
  return texts.map((text: string | typeof NOT_UTF8) =>
    text !== NOT_UTF8 && text.length > LINE_CHARS_MAX ? TOO_LONG : text,
  );
};

const decodeLine = (latin1: string): string | typeof NOT_UTF8 => {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : NOT_UTF8;
};

/** Groups lines to chunks that fit into one event each. */
export async function* toChunks(lines: AsyncIterable<UploadedLine>): AsyncGenerator<Chunk> {
  let chunk: UploadedLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    chunk.push(line);
    bytes += Buffer.byteLength(JSON.stringify(line));
    if (chunk.length < LINES_PER_CHUNK && bytes < CHUNK_BYTES_MAX) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}
