import { type Static, Type } from '@sinclair/typebox';
import type { KnownOperatorToken } from '../../domain/operator-tokens/operator-token.decider';
import { Moment, nullable } from '../../domain/schema/fields';
import { Line, Moment as MomentField, Num } from '../../http/fields/fields';
import { toInstant } from '../../http/lists/list-query';
import { findSecret } from '../../http/pipeline/presentation';
import { DomainError } from '../../kernel/errors';
import type { Instant } from '../../kernel/time';

const OVERLAP_HOURS_MAX = 7 * 24;

export class CreateOperatorTokenBody {
  @Line({
    max: 100,
    example: 'ada (on call)',
    description: 'The person or machine that holds the token. The audit log shows it.',
  })
  readonly name!: string;

  @MomentField({
    optional: true,
    nullable: true,
    description: 'When it expires: a time in the future; null is never.',
  })
  readonly expires_at?: string | null;
}

export class RotateOperatorTokenBody {
  @Num({
    min: 0,
    max: OVERLAP_HOURS_MAX,
    optional: true,
    default: 24,
    example: 24,
    description: 'For how many hours the old token still works; 0 ends it at once.',
  })
  readonly overlap_hours?: number;

  @MomentField({
    optional: true,
    nullable: true,
    description: 'When the successor expires: a time in the future; null is never.',
  })
  readonly expires_at?: string | null;
}

const tokenFields = {
  id: Type.String({ example: 'opt_0g5m2c8xk4v9w1rz' }),
  name: Type.String({ description: 'The person or machine that holds the token.' }),
  last4: Type.String({ description: 'The last four characters of the token.' }),
  created_at: Moment,
  expires_at: nullable(Moment),
  revoked_at: nullable(Moment),
};

export const OperatorTokenResource = Type.Object(tokenFields, { title: 'OperatorToken' });
export type OperatorTokenResource = Static<typeof OperatorTokenResource>;

export const IssuedOperatorTokenResource = Type.Object(
  {
    ...tokenFields,
    token: findSecret(
      Type.String({ description: 'The token itself. It is shown in this response only.' }),
    ),
  },
  { title: 'IssuedOperatorToken' },
);
export type IssuedOperatorTokenResource = Static<typeof IssuedOperatorTokenResource>;

export const viewToken = (token: KnownOperatorToken): OperatorTokenResource => ({
  id: token.id,
  name: token.name,
  last4: token.last4,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  revoked_at: token.revokedAt,
});

/** Reads the expiry of a token; null means that it never expires. */
export const readTokenExpiry = (text: string | null | undefined, now: Instant): Instant | null => {
  if (text == null) return null;
  const expiresAt = toInstant(text, 'expires_at');
  if (expiresAt > now) return expiresAt;
  throw new DomainError('parameter_invalid', 'expires_at must be in the future.', {
    param: 'expires_at',
  });
};
