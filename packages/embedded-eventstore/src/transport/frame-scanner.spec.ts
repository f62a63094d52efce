import * as fc from 'fast-check';
import { FrameScanner } from './frame-scanner';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const DATA = 0;
const RST_STREAM = 3;

const createFrame = (type: number, streamId: number, payload: Buffer): Buffer => {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, payload]);
};

const reset = (streamId: number): Buffer => createFrame(RST_STREAM, streamId, Buffer.alloc(4));

/** Scans chunk after chunk, as the filter does. */
const scanAll = (chunks: readonly Buffer[]) => {
  const resets: number[] = [];
  const passed: Buffer[] = [];
  const scanner = new FrameScanner();
  for (const chunk of chunks) {
    for (let rest = chunk; rest.length > 0;) {
      const scanned = scanner.scan(rest);
      passed.push(...scanned.passed);
      resets.push(...scanned.resets);
      rest = scanned.rest;
    }
  }
  return { resets, passed: Buffer.concat(passed) };
};

describe('the scanner of HTTP/2 frames', () => {
  it('removes resets and passes all other bytes on, however they are split into chunks', () => {
    const frames = fc.array(
      fc.oneof(
        fc.record({
          type: fc.constant(DATA),
          id: fc.integer({ min: 0, max: 99 }),
          bytes: fc.uint8Array({ maxLength: 40 }),
        }),
        fc.record({
          type: fc.constant(RST_STREAM),
          id: fc.integer({ min: 1, max: 99 }),
          bytes: fc.constant(new Uint8Array(4)),
        }),
      ),
      { maxLength: 20 },
    );
    const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(frames, cuts, (sent, sizes) => {
        const bytes = Buffer.concat([
          PREFACE,
          ...sent.map(({ type, id, bytes: payload }) =>
            createFrame(type, id, Buffer.from(payload)),
          ),
        ]);
        const chunks: Buffer[] = [];
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const size = sizes[i % sizes.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        const { resets, passed } = scanAll(chunks);
        expect(resets).toEqual(sent.flatMap(({ type, id }) => (type === RST_STREAM ? [id] : [])));
        const others = sent.filter(({ type }) => type !== RST_STREAM);
        expect(passed).toEqual(
          Buffer.concat([
            PREFACE,
            ...others.map(({ type, id, bytes: payload }) =>
              createFrame(type, id, Buffer.from(payload)),
            ),
          ]),
        );
      }),
    );
  });

  it('leaves malformed resets to the HTTP/2 session', () => {
    const malformed = [reset(0), createFrame(RST_STREAM, 1, Buffer.alloc(5))];
    const { resets, passed } = scanAll([Buffer.concat([PREFACE, ...malformed])]);
    expect(resets).toEqual([]);
    expect(passed).toEqual(Buffer.concat([PREFACE, ...malformed]));
  });
});
