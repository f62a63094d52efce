import type { ProviderRoles } from '../../domain/members/member.decider';
import {
  isMemberRole,
  isOperatorRole,
  type MemberRole,
  type OperatorRole,
} from '../../domain/members/member.roles';

/**
 * Reads the roles in a claim, which is a text or a list of texts. `operator` and `operator_viewer`
 * apply to all tenants, `<tenant id>:<role>` to one tenant, and a role alone to the only tenant of
 * the service. Other entries are groups of other programs and give nothing.
 */
export const readRoles = (claim: unknown, tenantIds: readonly string[]): ProviderRoles => {
  const entries = (Array.isArray(claim) ? claim : [claim]).filter(
    (entry): entry is string => typeof entry === 'string',
  );
  const tenants = new Map<string, MemberRole>();
  let operator: OperatorRole | null = null;
  for (const entry of entries) {
    if (isOperatorRole(entry)) operator = operator === 'operator' ? operator : entry;
    const named = readTenantRole(entry, tenantIds);
    if (named !== null) tenants.set(...named);
  }
  return { operator, tenants };
};

const readTenantRole = (
  entry: string,
  tenantIds: readonly string[],
): [tenantId: string, role: MemberRole] | null => {
  const [only, ...others] = tenantIds;
  if (isMemberRole(entry)) {
    return only === undefined || others.length > 0 ? null : [only, entry];
  }
  const [tenantId = '', role] = entry.split(':', 2);
  return tenantIds.includes(tenantId) && isMemberRole(role) ? [tenantId, role] : null;
};
