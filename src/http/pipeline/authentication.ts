import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../kernel/errors';
import { type CredentialKind, missingCredentialError } from './credential-kinds';
import type { Principal, RequestActor } from './request-facts';

/** Finds the owner of the key of a request. The API keys feature implements it. */
export abstract class Authenticator {
  /** Authenticates a key. `address` is the client's address as its connection gives it. */
  abstract authenticate(key: string, address: string): Promise<Principal>;

  /**
   * True if the credential is a key of any tenant, even one without the required rights. Such a
   * credential is not a guess.
   */
  abstract isKnown(key: string): boolean;

  /** The id of the key that a credential names, whether or not the key exists. */
  abstract findKeyId(key: string): string | null;
}

/** Authenticates operators. The operator tokens feature implements it. */
export abstract class OperatorAuthenticator {
  /** Throws unless the credential is valid now. */
  abstract authenticate(credential: string): RequestActor;

  /** True if it is the root token or an operator token, whether or not it is still valid. */
  abstract isKnown(credential: string): boolean;

  /** The id of the token that a credential names, whether or not the token exists. */
  abstract findTokenId(credential: string): string | null;

  /** True for the holder of the token with which the service was started. */
  abstract isRoot(actor: RequestActor): boolean;
}

/** Returns the credential of `Authorization: Bearer …`. */
export const readBearer = (
  headers: IncomingHttpHeaders,
  needed: CredentialKind = 'API key',
): string => {
  const [, credential] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (credential !== undefined) return credential;
  throw missingCredentialError(headers, needed);
};

/** Compares two secrets in constant time. The lengths may differ. */
export const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(computeSha256(given), computeSha256(expected));

const computeSha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

export const tenantSuspendedError = (): DomainError =>
  new DomainError('tenant_suspended', 'The operator of the service has suspended the tenant.');
