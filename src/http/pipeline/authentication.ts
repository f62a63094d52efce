import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../kernel/errors';
import type { Principal, RequestActor } from './request-facts';

/** Finds out whose key a request carries; implemented by the API keys feature. */
export abstract class Authenticator {
  /** `address` is where the request comes from, as its connection tells. */
  abstract authenticate(key: string, address: string): Promise<Principal>;

  /** True if it is a key of a tenant, whatever it may do: then it is not a guess. */
  abstract isKnown(key: string): boolean;

  /** The id of the key that a credential names, whether there is such a key or not. */
  abstract keyIdOf(key: string): string | null;
}

/** Recognises the credentials of the operator API; implemented by the operator tokens feature. */
export abstract class OperatorAuthenticator {
  /** Throws unless the credential is valid now. */
  abstract authenticate(credential: string): RequestActor;

  /** True if it is the root token or some operator's token, whether it is still valid or not. */
  abstract isKnown(credential: string): boolean;

  /** The id of the token that a credential names, whether there is such a token or not. */
  abstract tokenIdOf(credential: string): string | null;

  /** True for the holder of the token that the service was started with. */
  abstract isRoot(actor: RequestActor): boolean;
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

export const tenantSuspended = (): DomainError =>
  new DomainError('tenant_suspended', 'The operator of the service has suspended the tenant.');
