import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A secret for a cookie or a link, and the digest that is stored instead of it. */
export interface CreatedToken {
  readonly text: string;
  readonly sha256: string;
}

export const createToken = (): CreatedToken => {
  const text = randomBytes(TOKEN_BYTES).toString('base64url');
  return { text, sha256: computeSha256(text) };
};

export const computeSha256 = (text: string): string => hash('sha256', text);
