import { Message } from 'google-protobuf';
import { decodeBase64Natively } from './native-base64';

describe('decodeBase64Natively', () => {
  const texts = ['', '{}', '{"subject":"Grüße, 請求書 🧾"}', 'x'.repeat(10_001)];

  it('gives the bytes that the generated messages would decode themselves', () => {
    const encoded = texts.map((text) => Buffer.from(text).toString('base64'));
    const before = encoded.map((text) => [...Message.bytesAsU8(text)]);
    decodeBase64Natively();
    expect(encoded.map((text) => [...Message.bytesAsU8(text)])).toEqual(before);
    expect(before.map((bytes) => Buffer.from(bytes).toString())).toEqual(texts);
  });

  it('leaves bytes as they are', () => {
    decodeBase64Natively();
    const bytes = new Uint8Array([1, 2, 255]);
    expect(Message.bytesAsU8(bytes as unknown as string)).toBe(bytes);
  });
});
