import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';

export const PASSWORD_CHARS_MIN = 12;
export const PASSWORD_CHARS_MAX = 200;

const LOG2_N = 15;
const R = 8;
const P = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The memory limit of a hash, in bytes. A hash uses 128 · N · r bytes, which is 32 MiB here. */
const MEMORY_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Returns `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`. The parameters may grow later; old hashes stay
 * readable.
 */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, { N: 2 ** LOG2_N, r: R, p: P });
  return ['scrypt', LOG2_N, R, P, salt.toString('base64url'), hash.toString('base64url')].join('$');
};

/** Compares in constant time. Without a stored hash it takes equally long and returns false. */
export const isPassword = async (password: string, stored: string | null): Promise<boolean> => {
  const [, n, r, p, salt = '', hash = ''] = (stored ?? DUMMY_HASH).split('$');
  const expected = Buffer.from(hash, 'base64url');
  const options = { N: 2 ** Number(n), r: Number(r), p: Number(p) };
  const given = await derive(password, Buffer.from(salt, 'base64url'), options);
  return timingSafeEqual(given, expected) && stored !== null;
};

const DUMMY_HASH = [
  'scrypt',
  LOG2_N,
  R,
  P,
  '',
  Buffer.alloc(HASH_BYTES).toString('base64url'),
].join('$');

const derive = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const text = password.normalize('NFKC');
    scrypt(text, salt, HASH_BYTES, { ...options, maxmem: MEMORY_BYTES_MAX }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
