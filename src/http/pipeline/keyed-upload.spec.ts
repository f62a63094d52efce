import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { computeDigest, KeyedUpload } from './keyed-upload';

const KEYED = { scope: 'tnt_0.test', key: 'k', fingerprint: 'f', formerFingerprint: null };
const PIECES = ['{"kind":', '"subscriber"}\n', '{}'].map((text) => Buffer.from(text));
const WHOLE = createHash('sha256').update(Buffer.concat(PIECES)).digest('hex');
const SECOND_MS = 1_000;

const storeOf = (told: unknown[]) => ({
  extendLock: ({ key }: { key: string }) => Promise.resolve(void told.push(`held ${key}`)),
  storeBodyDigest: (_: unknown, digest: string) => Promise.resolve(void told.push(digest)),
});

const read = async (body: Readable): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
};

afterEach(() => jest.useRealTimers());

it('a streamed upload passes the body on unchanged and stores its hash before it signals the end', async () => {
  const told: unknown[] = [];
  const upload = new KeyedUpload(storeOf(told), KEYED, null);
  const body = upload.pass(Readable.from(PIECES)).on('end', () => told.push('end'));
  expect(await read(body)).toBe(Buffer.concat(PIECES).toString());
  expect(told).toEqual([WHOLE, 'end']);
  expect([upload.digest, upload.differs]).toEqual([WHOLE, false]);
});

it('an upload that is cut off stores no hash', async () => {
  const told: unknown[] = [];
  const upload = new KeyedUpload(storeOf(told), KEYED, null);
  const cutOff = Readable.from(
    (function* () {
      yield PIECES[0];
      throw new Error('cut off');
    })(),
  );
  await expect(read(upload.pass(cutOff))).rejects.toThrow('cut off');
  expect([told, upload.digest]).toEqual([[], null]);
});

it('a repeated upload with another body than the first ends with an error', async () => {
  const same = new KeyedUpload(storeOf([]), KEYED, WHOLE);
  await read(same.pass(Readable.from(PIECES)));
  expect(same.differs).toBe(false);
  const told: unknown[] = [];
  const other = new KeyedUpload(storeOf(told), KEYED, WHOLE);
  await expect(read(other.pass(Readable.from(PIECES.slice(1))))).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
  expect([told, other.digest, other.differs]).toEqual([[], WHOLE, true]);
});

it('an upload keeps its Idempotency-Key while bytes arrive', async () => {
  jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate'] });
  const told: unknown[] = [];
  const slow = Readable.from(
    (function* () {
      for (let i = 0; i < 50; i += 1) {
        jest.advanceTimersByTime(SECOND_MS);
        yield Buffer.from('x');
      }
    })(),
  );
  await read(new KeyedUpload(storeOf(told), KEYED, null).pass(slow));
  expect(told.slice(0, -1)).toEqual(['held k', 'held k']);
});

it('an upload without a body has the hash of an empty body', async () => {
  expect(await computeDigest(undefined)).toBe(await computeDigest(Readable.from([])));
  expect(await computeDigest(Readable.from(PIECES))).toBe(WHOLE);
});
