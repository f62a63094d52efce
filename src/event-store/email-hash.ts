import { hash } from 'node:crypto';
import type { MasterKey } from './master-key';

/** Replaces the hash after an erasure, because the hash itself is personal data (D-114). */
const ERASED_HASH = `sha256:${'0'.repeat(64)}`;

/**
 * Returns `sha256:<hex>` of the trimmed e-mail address in lower case, or a fixed value if the
 * address was erased.
 */
export const hashEmail = (email: string | null): string =>
  email === null ? ERASED_HASH : `sha256:${hash('sha256', normalise(email))}`;

/**
 * Computes the keyed digest by which a subscriber is found by address. The read model contains no
 * address, and nobody without the key can test a guess. Each environment has its own digests.
 */
export const digestEmail = (masterKey: MasterKey, scope: string, email: string): string =>
  masterKey.digest(`subscriber ${scope} ${normalise(email)}`).toString('base64url');

const normalise = (email: string): string => email.trim().toLowerCase();
