import fc from 'fast-check';
import { toChunks, isBlank, readLines } from './import.upload';

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

async function* pieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    yield await Promise.resolve(bytes.subarray(at, at + size));
    at += size;
  }
}

it('an uploaded file is read line by line however the network splits it', async () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '));
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(line), sizes, async (lines, cuts) => {
      const text = lines.map((each) => `${each}\n`).join('');
      expect(await collect(readLines(pieces(Buffer.from(text), cuts)))).toEqual(
        lines.map((each, i) => withoutMark(Buffer.from(each).toString(), i)),
      );
    }),
  );
});

const withoutMark = (line: string, i: number): string =>
  i === 0 && line.startsWith('\ufeff') ? line.slice(1) : line;

it('a byte order mark at the beginning of an uploaded file is removed however the network splits it', async () => {
  const body = Buffer.from('\ufeffa\r\n\ufeffb\n');
  for (const size of [1, 2, 3, 100]) {
    expect(await collect(readLines(pieces(body, [size])))).toEqual(['a\r', '\ufeffb']);
  }
});

it('a line of white space in an uploaded file counts as blank', () => {
  expect(['', '\r', ' \t\r'].every(isBlank)).toBe(true);
  expect(['{}', '\r{', null].some(isBlank)).toBe(false);
});

it('lines of an uploaded file that are not UTF-8 are recognised however the network splits them', async () => {
  const latin1 = Buffer.from('Zoë', 'latin1');
  const [LF, half] = [Buffer.from('\n'), Buffer.from('é').subarray(0, 1)];
  const body = Buffer.concat([
    Buffer.from('Zoë \ufffd\n'),
    latin1,
    LF,
    half,
    LF,
    Buffer.from('ok\n'),
    half,
  ]);
  for (const size of [1, 2, 5, 100]) {
    const lines = await collect(readLines(pieces(body, [size])));
    expect(lines).toEqual(['Zoë \ufffd', false, false, 'ok', false]);
  }
});

it('an uploaded line may have the maximum number of characters, however many bytes they are', async () => {
  const longest = '€'.repeat(64 * 1024);
  const body = Buffer.from(`${longest}\n${longest}€\n${'🙂'.repeat(40_000)}`);
  expect(await collect(readLines(pieces(body, [50_000])))).toEqual([longest, null, null]);
});

it('the last line of an uploaded file needs no line end, and a line that is too long is dropped', async () => {
  const body = `a\n${'x'.repeat(100_000)}\nb`;
  expect(await collect(readLines(pieces(Buffer.from(body), [7_000])))).toEqual(['a', null, 'b']);
});

it('an uploaded file is stored in chunks of at most 1000 lines', async () => {
  const lines = readLines(pieces(Buffer.from('{}\n'.repeat(2_201)), [1_000]));
  expect((await collect(toChunks(lines))).map((chunk) => chunk.length)).toEqual([1000, 1000, 201]);
});
