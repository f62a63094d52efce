import { hash } from 'node:crypto';

/** Replaces the hash after an erasure, because the hash itself is personal data (D-114). */
const ERASED_HASH = `sha256:${'0'.repeat(64)}`;

/**
 * Returns `sha256:<hex>` of the trimmed e-mail address in lower case, or a fixed value if the
 * address was erased.
 */
export const hashEmail = (email: string | null): string =>
  email === null ? ERASED_HASH : `sha256:${hash('sha256', email.trim().toLowerCase())}`;
