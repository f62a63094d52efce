import { StringDecoder } from 'node:string_decoder';

const LINES_PER_CHUNK = 1_000;
const CHUNK_CHARS_MAX = 400_000;
const LINE_CHARS_MAX = 64 * 1024;

/** Lines as they were uploaded; null where one was too long to be kept. */
export type Chunk = readonly (string | null)[];

/** Says nothing: it has its number in the file, and is no line of the import. */
export const isBlank = (line: string | null): boolean => line !== null && line.trim() === '';

/** What some editors begin a file with; JSON does not know it (RFC 8259, section 8.1). */
const BYTE_ORDER_MARK = /^\ufeff/;

/** Lines of a body that may be longer than memory; what is after the last line end is one if it is any. */
export async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let isFirst = true;
  for await (const line of split(body)) {
    yield isFirst && line !== null ? line.replace(BYTE_ORDER_MARK, '') : line;
    isFirst = false;
  }
}

/** A line end of CR LF leaves the CR, which JSON takes for white space. */
async function* split(body: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let skipping = false;
  for await (const bytes of body) {
    const parts = (rest + decoder.write(bytes)).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      yield skipping || part.length > LINE_CHARS_MAX ? null : part;
      skipping = false;
    }
    if (rest.length <= LINE_CHARS_MAX) continue;
    rest = '';
    skipping = true;
  }
  const last = rest + decoder.end();
  if (skipping || last !== '') yield skipping || last.length > LINE_CHARS_MAX ? null : last;
}

/** Lines in pieces that fit into one event each. */
export async function* chunksOf(lines: AsyncIterable<string | null>): AsyncGenerator<Chunk> {
  let chunk: (string | null)[] = [];
  let chars = 0;
  for await (const line of lines) {
    chunk.push(line);
    chars += line?.length ?? 0;
    if (chunk.length < LINES_PER_CHUNK && chars < CHUNK_CHARS_MAX) continue;
    yield chunk;
    chunk = [];
    chars = 0;
  }
  if (chunk.length > 0) yield chunk;
}
