import { type Entropy, newId } from '../../kernel/ids';
import { digestSecret, createSecret } from '../../services/credentials/secret';

const TOKEN_PATTERN = /^(opt_[0-9a-z]{16})_([0-9A-Za-z]{43})$/;

/**
 * An operator token, whose text is shown only once: `opt_<16 characters id>_<43 characters
 * secret>`.
 */
export interface NewToken {
  readonly id: string;
  readonly text: string;
  readonly secretSha256: string;
  readonly last4: string;
}

/**
 * Makes a token. The id is derived from the command, so a repeated command finds the token whose
 * secret is lost. The secret is random.
 */
export const generateToken = (entropy: Entropy): NewToken => {
  const id = newId('opt', entropy);
  const secret = createSecret();
  const secretSha256 = digestSecret(secret);
  return { id, text: `${id}_${secret}`, secretSha256, last4: secret.slice(-4) };
};

export interface PresentedToken {
  readonly id: string;
  readonly secretSha256: string;
}

/** Splits a credential into its parts; null if it does not have the form of an operator token. */
export const parseToken = (text: string): PresentedToken | null => {
  const [, id, secret] = TOKEN_PATTERN.exec(text) ?? [];
  if (id === undefined || secret === undefined) return null;
  return { id, secretSha256: digestSecret(secret) };
};
