import { Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import { Moment, nullable, oneOf } from '../schema/fields';
import { MEMBER_ROLES, OPERATOR_ROLES } from './member.roles';
import { ENVIRONMENTS } from '../../kernel/scope';

const Role = oneOf(MEMBER_ROLES);
const Environments = Type.Array(oneOf(ENVIRONMENTS));
/** A text encrypted by the person's own data key. Deleting that key makes it unreadable. */
const Sealed = Type.String();

/** The type strings and field names are a storage format: add, never rename. */
export const memberEvents = {
  'member.registered': Type.Object({ id: Type.String(), email: Sealed }),
  'member.invited': Type.Object({
    invitation_id: Type.String(),
    tenant_id: Type.String(),
    role: Role,
    environments: Environments,
    /** The token itself is only in the link. */
    token_sha256: Type.String(),
    expires_at: Moment,
  }),
  'member.invitation_revoked': Type.Object({
    invitation_id: Type.String(),
    tenant_id: Type.String(),
  }),
  'member.joined': Type.Object({
    tenant_id: Type.String(),
    role: Role,
    environments: Environments,
    /** Null if an identity provider or an operator added the member. */
    invitation_id: nullable(Type.String()),
  }),
  'member.role_changed': Type.Object({
    tenant_id: Type.String(),
    role: Role,
    environments: Environments,
  }),
  'member.removed': Type.Object({ tenant_id: Type.String() }),
  'member.operator_role_set': Type.Object({ role: nullable(oneOf(OPERATOR_ROLES)) }),
  'member.named': Type.Object({ name: Sealed }),
  'member.password_set': Type.Object({ password: Sealed }),
};

export type MemberFact = FactOf<typeof memberEvents>;
