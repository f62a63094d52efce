import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
/** 62^43 > 2^256: 43 characters hold 32 bytes. */
const SECRET_CHARS = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 256 truly random bits as letters and digits. They are never derived from a command. */
export const newSecret = (): string => {
  let value = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  let text = '';
  for (let i = 0; i < SECRET_CHARS; i += 1) {
    text = BASE62.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
};

/** What is stored of a secret. A fast digest is enough, because nobody can try 2^256 secrets. */
export const digestOfSecret = (secret: string): string => hash('sha256', secret);
