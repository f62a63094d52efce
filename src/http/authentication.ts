import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../kernel/errors';
import type { Principal } from './request-facts';

/** Finds out whose key a request carries; implemented by the API keys feature. */
export abstract class Authenticator {
  /** `address` is where the request comes from, as its connection tells. */
  abstract authenticate(key: string, address: string): Promise<Principal>;
}

/** The credential of `Authorization: Bearer …`. */
export const bearerOf = (header: string | undefined): string => {
  const [, credential] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? [];
  if (credential !== undefined) return credential;
  throw new DomainError('api_key_missing', 'Send the API key as "Authorization: Bearer <key>".');
};

/** Compares in constant time, whatever the lengths. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(sha256(given), sha256(expected));

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
