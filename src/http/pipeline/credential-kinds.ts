import { DomainError } from '../../kernel/errors';

/** The credentials that an `Authorization` header may carry. */
export type CredentialKind = 'API key' | 'operator token';

/** The sentence that tells, for each kind of credential, which routes accept it. */
const NEEDED: Readonly<Record<CredentialKind, string>> = {
  'API key':
    '/v1 needs an API key, which begins with rk_live_ or rk_test_. The operator token is for /operator/v1 only.',
  'operator token': '/operator/v1 needs the operator token.',
};

const KINDS_BY_PREFIX = [
  ['rk_', 'an API key'],
  ['opt_', 'an operator token'],
  ['whsec_', 'the signing secret of a destination'],
] as const;

/**
 * Returns the error for a credential that is not known. It says by the prefix of the credential
 * which kind was sent, and which kind is needed. It never quotes the credential.
 */
export const wrongCredentialError = (given: string, needed: CredentialKind): DomainError => {
  const [, kind] = KINDS_BY_PREFIX.find(([prefix]) => given.startsWith(prefix)) ?? [];
  return new DomainError('api_key_invalid', describe(kind, needed));
};

const describe = (kind: string | undefined, needed: CredentialKind): string => {
  if (kind === `an ${needed}`)
    return `The ${needed} is not valid: it is unknown, or its end is missing.`;
  // The root token of the operator has no prefix.
  if (kind === undefined)
    return needed === 'API key'
      ? `The credential is not an API key. ${NEEDED[needed]}`
      : 'The operator token is not valid.';
  return `The credential is ${kind}. ${NEEDED[needed]}`;
};

/** Returns the error for a request without a credential. */
export const missingCredentialError = (needed: CredentialKind): DomainError =>
  new DomainError(
    'api_key_missing',
    needed === 'API key'
      ? 'Send the API key as "Authorization: Bearer <key>".'
      : 'Send the operator token as "Authorization: Bearer <token>".',
  );
