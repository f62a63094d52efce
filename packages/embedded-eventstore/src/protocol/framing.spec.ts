import fc from 'fast-check';
import { createFrame, MessageSplitter } from './framing';

describe('framed messages', () => {
  it('arrive complete and in order, wherever the bytes were split', () => {
    const messages = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 12 });
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(messages, cuts, (sent, sizes) => {
        const bytes = Buffer.concat(sent.map(createFrame));
        const splitter = new MessageSplitter();
        const received: Buffer[] = [];
        let at = 0;
        for (let i = 0; at < bytes.length; i += 1) {
          const end = at + (sizes[i % sizes.length] ?? 1);
          splitter.push(bytes.subarray(at, end), (message) => received.push(Buffer.from(message)));
          at = end;
        }
        expect(received).toEqual(sent.map((message) => Buffer.from(message)));
      }),
    );
  });

  it('that are compressed or too large are refused', () => {
    const refuse = (header: string) => () => {
      new MessageSplitter().push(Buffer.from(header, 'hex'), () => undefined);
    };
    expect(refuse('0100000001')).toThrow(/compressed/i);
    expect(refuse('00ffffffff')).toThrow(/maximum size/);
  });
});
