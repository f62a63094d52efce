import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const STOCK_BYTES = 8_192;

let stock = Buffer.alloc(0);

/** Random bytes, each given out once. The generator takes as long for a few bytes as for a stock of them. */
export const freshBytes = (count: number): Uint8Array => {
  if (stock.length < count) stock = randomBytes(STOCK_BYTES);
  const taken = new Uint8Array(stock.subarray(0, count));
  stock = stock.subarray(count);
  return taken;
};

/** AES-256-GCM: nonce, tag, then ciphertext, as base64. `context` binds the text to its place. */
export const encrypt = (key: Uint8Array, plain: Uint8Array | string, context: string): string => {
  const nonce = freshBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
};

export const decrypt = (key: Uint8Array, sealed: string, context: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([
    decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ]);
};

/**
 * The one key that is not in the log. It wraps the subscribers' data keys and the destinations'
 * signing secrets; each purpose has a key of its own, derived by HKDF (RFC 5869).
 */
export class MasterKey {
  private readonly wrapping: Uint8Array;
  private readonly digesting: Uint8Array;

  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES) throw new Error(`the master key must have ${KEY_BYTES} bytes`);
    this.wrapping = derive(key, 'wrap');
    this.digesting = derive(key, 'digest');
  }

  wrap(plain: Uint8Array | string, context: string): string {
    return encrypt(this.wrapping, plain, context);
  }

  unwrap(wrapped: string, context: string): Buffer {
    return decrypt(this.wrapping, wrapped, context);
  }

  /** A keyed digest: equal texts are recognised, and nobody without the key can test a guess. */
  digest(text: string): Buffer {
    return createHmac('sha256', this.digesting).update(text).digest();
  }
}

const derive = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, '', `subscription-event-service/${purpose}`, KEY_BYTES));
