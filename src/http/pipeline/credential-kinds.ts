import type { IncomingHttpHeaders } from 'node:http';
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

/** Headers in which other services expect a key. This one does not read them. */
const OTHER_HEADERS = ['X-Api-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token'];
/** Schemes whose names may be repeated in a message. Any other word might be a part of the key. */
const OTHER_SCHEMES = ['Basic', 'Digest', 'Token', 'ApiKey'];

/**
 * Returns the error for a request without a credential in the right form. It says what is wrong
 * with what was sent instead, but never quotes it.
 */
export const missingCredentialError = (
  headers: IncomingHttpHeaders,
  needed: CredentialKind,
): DomainError => {
  const form =
    needed === 'API key'
      ? 'Send the API key as "Authorization: Bearer <key>".'
      : 'Send the operator token as "Authorization: Bearer <token>".';
  return new DomainError('api_key_missing', `${describeWrongForm(headers)}${form}`);
};

const describeWrongForm = ({ authorization, ...others }: IncomingHttpHeaders): string => {
  if (authorization === undefined) {
    const used = OTHER_HEADERS.find((name) => others[name.toLowerCase()] !== undefined);
    return used === undefined ? '' : `The service does not read the header ${used}. `;
  }
  const [scheme = '', ...rest] = authorization.trim().split(/\s+/);
  const known = OTHER_SCHEMES.find((name) => name.toLowerCase() === scheme.toLowerCase());
  if (known !== undefined)
    return `The Authorization header has the scheme ${known} instead of Bearer. `;
  if (scheme.toLowerCase() !== 'bearer')
    return rest.length === 0
      ? 'The Authorization header does not begin with "Bearer" and a space. '
      : 'The Authorization header has another scheme than Bearer. ';
  return rest.length === 0
    ? 'The Authorization header has nothing after "Bearer". '
    : 'The Authorization header has a space within the credential. ';
};
