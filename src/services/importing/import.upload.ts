import { isUtf8 } from 'node:buffer';

const LINES_PER_CHUNK = 1_000;
/** Of the chunk as JSON, before its last line: sealed, a third longer, it must fit into one append. */
const CHUNK_BYTES_MAX = 300_000;
const LINE_CHARS_MAX = 64 * 1024;
/** A line of so many bytes is too long, whatever characters they are: three make one at most. */
const LINE_BYTES_MAX = 3 * LINE_CHARS_MAX;
const LINE_END = 0x0a;

/**
 * A line as it was uploaded; null where it was too long to be kept, false where it is no UTF-8, as JSON
 * has to be (RFC 8259, section 8.1). The chunks in the log are of these.
 */
export type UploadedLine = string | null | false;
export type Chunk = readonly UploadedLine[];

/** Says nothing: it has its number in the file, and is no line of the import. */
export const isBlank = (line: UploadedLine): boolean =>
  typeof line === 'string' && line.trim() === '';

/** What some editors begin a file with; JSON does not know it (RFC 8259, section 8.1). */
const BYTE_ORDER_MARK = /^\ufeff/;

/** Lines of a body that may be longer than memory; what is after the last line end is one if it is any. */
export async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<UploadedLine> {
  let isFirst = true;
  for await (const line of split(body)) {
    yield isFirst && typeof line === 'string' ? line.replace(BYTE_ORDER_MARK, '') : line;
    isFirst = false;
  }
}

/** A line end of CR LF leaves the CR, which JSON takes for white space. */
async function* split(body: AsyncIterable<Buffer>): AsyncGenerator<UploadedLine> {
  let rest: Buffer = Buffer.alloc(0);
  let skipping = false;
  for await (const bytes of body) {
    const known = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = known.lastIndexOf(LINE_END);
    rest = known.subarray(end + 1);
    for (const line of end === -1 ? [] : read(known.subarray(0, end))) {
      yield skipping ? null : line;
      skipping = false;
    }
    if (rest.length <= LINE_BYTES_MAX) continue;
    rest = Buffer.alloc(0);
    skipping = true;
  }
  if (skipping) yield null;
  else if (rest.length > 0) yield* read(rest);
}

/** Whole lines. A line end is a byte of no other character, so each line can be judged by itself. */
const read = (lines: Buffer): UploadedLine[] => {
  const texts = isUtf8(lines)
    ? lines.toString().split('\n')
    : lines.toString('latin1').split('\n').map(ofBytes);
  return texts.map((text: string | false) =>
    text !== false && text.length > LINE_CHARS_MAX ? null : text,
  );
};

const ofBytes = (latin1: string): string | false => {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) && bytes.toString();
};

/** Lines in pieces that fit into one event each. */
export async function* chunksOf(lines: AsyncIterable<UploadedLine>): AsyncGenerator<Chunk> {
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
