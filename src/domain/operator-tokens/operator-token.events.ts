import { Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import { Moment, nullable } from '../schema/fields';

/** The type strings and field names are a storage format: add, never rename. */
export const operatorTokenEvents = {
  'operator_token.created': Type.Object({
    id: Type.String(),
    name: Type.String(),
    /** The secret itself is never stored. */
    secret_sha256: Type.String(),
    last4: Type.String(),
    expires_at: nullable(Moment),
  }),
  'operator_token.expiry_set': Type.Object({ expires_at: Moment }),
  'operator_token.revoked': Type.Object({ revoked_at: Moment }),
};

export type OperatorTokenFact = FactOf<typeof operatorTokenEvents>;
