import { hash } from 'node:crypto';
import type { MasterKey } from './master-key';

/** What stands for the hash once a person was erased: the hash itself is personal data (D-114). */
const ERASED = `sha256:${'0'.repeat(64)}`;

/** `sha256:<hex>` of the e-mail address, lower-cased and trimmed; a tombstone where it is forgotten. */
export const hashEmail = (email: string | null): string =>
  email === null ? ERASED : `sha256:${hash('sha256', normalised(email))}`;

/**
 * By what a subscriber is found by address: a keyed digest, so that the read model holds no address and
 * nobody without the key can test a guess. Each environment has digests of its own.
 */
export const emailDigest = (masterKey: MasterKey, scope: string, email: string): string =>
  masterKey.digest(`subscriber ${scope} ${normalised(email)}`).toString('base64url');

const normalised = (email: string): string => email.trim().toLowerCase();
