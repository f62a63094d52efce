import { type Decider, unreachable } from '../../kernel/decider';
import { type DomainError, notFound } from '../../kernel/errors';
import { earlier, type Instant } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import type { OperatorTokenFact } from './operator-token.events';

/** A credential of one person or machine for the operator API, beside the root token. */
export type OperatorToken =
  | { readonly status: 'absent' }
  | {
      readonly status: 'known';
      readonly id: string;
      /** The name of the holder, which the audit log shows. */
      readonly name: string;
      readonly secretSha256: string;
      readonly last4: string;
      readonly createdAt: Instant;
      readonly expiresAt: Instant | null;
      readonly revokedAt: Instant | null;
    };

export type KnownOperatorToken = Extract<OperatorToken, { status: 'known' }>;

export const operatorTokenAggregate: Decider<OperatorToken, OperatorTokenFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (token, fact) => {
    switch (fact.type) {
      case 'operator_token.created':
        return {
          status: 'known',
          id: fact.data.id,
          name: fact.data.name,
          secretSha256: fact.data.secret_sha256,
          last4: fact.data.last4,
          createdAt: fact.at,
          expiresAt: fact.data.expires_at,
          revokedAt: null,
        };
      case 'operator_token.expiry_set':
        return token.status === 'known' ? { ...token, expiresAt: fact.data.expires_at } : token;
      case 'operator_token.revoked':
        return token.status === 'known' ? { ...token, revokedAt: fact.data.revoked_at } : token;
      default:
        return unreachable(fact);
    }
  },
};

export interface OperatorTokenDraft {
  readonly id: string;
  readonly name: string;
  readonly secretSha256: string;
  readonly last4: string;
  readonly expiresAt: Instant | null;
}

export const createToken =
  (draft: OperatorTokenDraft) =>
  (token: OperatorToken): OperatorTokenFact[] =>
    token.status === 'known'
      ? []
      : [
          {
            type: 'operator_token.created',
            data: {
              id: draft.id,
              name: draft.name,
              secret_sha256: draft.secretSha256,
              last4: draft.last4,
              expires_at: draft.expiresAt,
            },
          },
        ];

/** Ends the old token after the overlap of a rotation, but never later than before. */
export const expireToken =
  (at: Instant) =>
  (token: OperatorToken): OperatorTokenFact[] => {
    const { expiresAt } = requireToken(token);
    const end = expiresAt === null ? at : earlier(expiresAt, at);
    return end === expiresAt
      ? []
      : [{ type: 'operator_token.expiry_set', data: { expires_at: end } }];
  };

export const revokeToken =
  (at: Instant) =>
  (token: OperatorToken): OperatorTokenFact[] =>
    requireToken(token).revokedAt === null
      ? [{ type: 'operator_token.revoked', data: { revoked_at: at } }]
      : [];

/**
 * Throws unless the token works, because only such a token has a successor. A token that ends at
 * this very instant was ended by the same rotation, which was interrupted and now continues.
 */
export const requireWorkingToken = (token: KnownOperatorToken, now: Instant): void => {
  if (token.revokedAt !== null) throw hasEnded('revoked');
  if (token.expiresAt !== null && token.expiresAt < now) throw hasEnded('expired');
};

const hasEnded = (status: 'revoked' | 'expired'): DomainError =>
  wrongStateError('operator token', { status, allowed: ['active'] });

export const requireToken = (token: OperatorToken | undefined): KnownOperatorToken => {
  if (token?.status === 'known') return token;
  throw notFound('operator_token', 'tokenId');
};
