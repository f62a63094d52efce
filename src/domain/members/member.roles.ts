/** What a member may be in a tenant (D-94). */
export const MEMBER_ROLES = [
  'owner',
  'admin',
  'developer',
  'support',
  'analyst',
  'viewer',
] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** What a person may be over all tenants; a viewer changes nothing. */
export const OPERATOR_ROLES = ['operator', 'operator_viewer'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export const isMemberRole = (text: unknown): text is MemberRole =>
  MEMBER_ROLES.some((role) => role === text);

export const isOperatorRole = (text: unknown): text is OperatorRole =>
  OPERATOR_ROLES.some((role) => role === text);

/** True if a member of this role may give and take that role: only owners make owners. */
export const mayGiveRole = (own: MemberRole, given: MemberRole): boolean =>
  own === 'owner' || (own === 'admin' && given !== 'owner');
