import { type Decider, unreachable } from '../../kernel/decider';
import { type DomainError, notFound } from '../../kernel/errors';
import type { Environment } from '../../kernel/scope';
import { earlier, type Instant } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import type { ApiKeyFact } from './api-key.events';

export type ApiKey =
  | { readonly status: 'absent' }
  | {
      readonly status: 'known';
      readonly id: string;
      readonly tenantId: string;
      readonly environment: Environment;
      readonly name: string;
      readonly scopes: readonly string[];
      readonly secretSha256: string;
      readonly last4: string;
      readonly createdAt: Instant;
      readonly expiresAt: Instant | null;
      readonly revokedAt: Instant | null;
      /** The addresses from which the key may be used. Null means any address. */
      readonly allowedIps: readonly string[] | null;
    };

export type KnownApiKey = Extract<ApiKey, { status: 'known' }>;

export const apiKeyAggregate: Decider<ApiKey, ApiKeyFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (key, fact) => {
    switch (fact.type) {
      case 'api_key.created':
        return {
          status: 'known',
          id: fact.data.id,
          tenantId: fact.data.tenant_id,
          environment: fact.data.environment,
          name: fact.data.name,
          scopes: fact.data.scopes,
          secretSha256: fact.data.secret_sha256,
          last4: fact.data.last4,
          createdAt: fact.at,
          expiresAt: fact.data.expires_at,
          revokedAt: null,
          allowedIps: fact.data.allowed_ips ?? null,
        };
      case 'api_key.updated':
        return key.status === 'known'
          ? {
              ...key,
              name: fact.data.name,
              expiresAt: fact.data.expires_at,
              allowedIps: fact.data.allowed_ips,
            }
          : key;
      case 'api_key.expiry_set':
        return key.status === 'known' ? { ...key, expiresAt: fact.data.expires_at } : key;
      case 'api_key.revoked':
        return key.status === 'known' ? { ...key, revokedAt: fact.data.revoked_at } : key;
      default:
        return unreachable(fact);
    }
  },
};

export interface KeyDraft {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly secretSha256: string;
  readonly last4: string;
  readonly expiresAt: Instant | null;
  readonly allowedIps: readonly string[] | null;
}

export const createKey =
  (draft: KeyDraft) =>
  (key: ApiKey): ApiKeyFact[] =>
    key.status === 'known'
      ? []
      : [
          {
            type: 'api_key.created',
            data: {
              id: draft.id,
              tenant_id: draft.tenantId,
              environment: draft.environment,
              name: draft.name,
              scopes: [...draft.scopes],
              secret_sha256: draft.secretSha256,
              last4: draft.last4,
              expires_at: draft.expiresAt,
              ...(draft.allowedIps === null ? {} : { allowed_ips: [...draft.allowedIps] }),
            },
          },
        ];

/** Changes of a key. Absent fields keep their value; null removes a limit. */
export interface KeyChange {
  readonly name?: string;
  readonly expiresAt?: Instant | null;
  readonly allowedIps?: readonly string[] | null;
}

/** Changes the name, expiry or allowed addresses of a key that still works. */
export const changeKey =
  (wanted: KeyChange, now: Instant) =>
  (key: ApiKey): ApiKeyFact[] => {
    const known = requireKey(key);
    requireUsableKey(known, now);
    const { name, expiresAt, allowedIps } = { ...known, ...wanted };
    const isSame =
      name === known.name &&
      expiresAt === known.expiresAt &&
      JSON.stringify(allowedIps) === JSON.stringify(known.allowedIps);
    if (isSame) return [];
    const data = {
      name,
      expires_at: expiresAt,
      allowed_ips: allowedIps === null ? null : [...allowedIps],
    };
    return [{ type: 'api_key.updated', data }];
  };

/** Ends the old key after the overlap of a rotation, but never later than before (D-91). */
export const expireKey =
  (at: Instant) =>
  (key: ApiKey): ApiKeyFact[] => {
    const known = requireKey(key);
    const expiresAt = known.expiresAt === null ? at : earlier(known.expiresAt, at);
    return expiresAt === known.expiresAt
      ? []
      : [{ type: 'api_key.expiry_set', data: { expires_at: expiresAt } }];
  };

export const revokeKey =
  (at: Instant) =>
  (key: ApiKey): ApiKeyFact[] =>
    requireKey(key).revokedAt === null
      ? [{ type: 'api_key.revoked', data: { revoked_at: at } }]
      : [];

/**
 * Throws unless the key works, because only such a key has a successor. A key that ends at this
 * very instant was ended by the same rotation, which was interrupted and now continues.
 */
export const requireUsableKey = (key: KnownApiKey, now: Instant): void => {
  if (key.revokedAt !== null) throw hasEnded('revoked');
  if (key.expiresAt !== null && key.expiresAt < now) throw hasEnded('expired');
};

const hasEnded = (status: 'revoked' | 'expired'): DomainError =>
  wrongStateError('API key', { status, allowed: ['active'] });

export const requireKey = (key: ApiKey | undefined): KnownApiKey => {
  if (key?.status === 'known') return key;
  throw notFound('api_key', 'keyId');
};
