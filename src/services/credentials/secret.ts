import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
/** Length of a secret: 62^43 > 2^256, so 43 characters hold 32 bytes. */
const SECRET_CHARS = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Creates a secret of 256 random bits as letters and digits. It is never derived from a command.
 */
export const createSecret = (): string => {
  let value = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  let text = '';
  for (let i = 0; i < SECRET_CHARS; i += 1) {
    text = BASE62.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
};

/**
 * Returns the stored digest of a secret. A fast digest is enough, because nobody can try 2^256
 * secrets.
 */
export const digestSecret = (secret: string): string => hash('sha256', secret);
