import { type Entropy, newId } from '../../kernel/ids';
import type { Environment } from '../../kernel/scope';
import { digestSecret, createSecret } from '../../services/credentials/secret';

const ID_CHARS = 8;
const KEY_PATTERN = /^rk_(live|test)_([0-9a-z]{8})_([0-9A-Za-z]{43})$/;

/**
 * A new key. Its text, `rk_live_<8 characters id>_<43 characters secret>`, is shown once (D-90).
 */
export interface NewKey {
  readonly id: string;
  readonly text: string;
  readonly secretSha256: string;
  readonly last4: string;
}

/**
 * Creates a key. The secret is random and never derived from the command. The id is derived, so
 * that a repeated command finds the key whose secret was lost.
 */
export const generateKey = (environment: Environment, entropy: Entropy): NewKey => {
  const shortId = newId('key', entropy).slice(-ID_CHARS);
  const secret = createSecret();
  return {
    id: `key_${shortId}`,
    text: `rk_${environment}_${shortId}_${secret}`,
    secretSha256: digestSecret(secret),
    last4: secret.slice(-4),
  };
};

export interface PresentedKey {
  readonly id: string;
  readonly environment: string;
  readonly secretSha256: string;
}

/** Parses a presented key; null if the text does not have the form of a key. */
export const parseKey = (text: string): PresentedKey | null => {
  const [, environment, shortId, secret] = KEY_PATTERN.exec(text) ?? [];
  if (environment === undefined || shortId === undefined || secret === undefined) return null;
  return { id: `key_${shortId}`, environment, secretSha256: digestSecret(secret) };
};
