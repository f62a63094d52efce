import { hash } from 'node:crypto';

/** What stands for the hash once a person was erased: the hash itself is personal data (D-114). */
const ERASED = `sha256:${'0'.repeat(64)}`;

/** `sha256:<hex>` of the e-mail address, lower-cased and trimmed; a tombstone where it is forgotten. */
export const hashEmail = (email: string | null): string =>
  email === null ? ERASED : `sha256:${hash('sha256', email.trim().toLowerCase())}`;
