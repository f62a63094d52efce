import { Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import { Moment, nullable, oneOf } from '../schema/fields';
import { ENVIRONMENTS } from '../../kernel/scope';

/** The type strings and field names are a storage format: add, never rename. */
export const apiKeyEvents = {
  'api_key.created': Type.Object({
    id: Type.String(),
    tenant_id: Type.String(),
    environment: oneOf(ENVIRONMENTS),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    /** The secret itself is never stored (D-90). */
    secret_sha256: Type.String(),
    last4: Type.String(),
    expires_at: nullable(Moment),
    /**
     * Absent if the key may be used from any address, and in events from before this field existed.
     */
    allowed_ips: Type.Optional(Type.Array(Type.String())),
  }),
  /** The changeable fields of a key, with their values after the change. */
  'api_key.updated': Type.Object({
    name: Type.String(),
    expires_at: nullable(Moment),
    allowed_ips: nullable(Type.Array(Type.String())),
  }),
  'api_key.expiry_set': Type.Object({ expires_at: Moment }),
  'api_key.revoked': Type.Object({ revoked_at: Moment }),
};

export type ApiKeyFact = FactOf<typeof apiKeyEvents>;
