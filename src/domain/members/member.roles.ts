/** The roles of a member in a tenant (D-94). */
export const MEMBER_ROLES = [
  'owner',
  'admin',
  'developer',
  'support',
  'analyst',
  'viewer',
] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** The roles of a person over all tenants. An `operator_viewer` changes nothing. */
export const OPERATOR_ROLES = ['operator', 'operator_viewer'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export const isMemberRole = (text: unknown): text is MemberRole =>
  MEMBER_ROLES.some((role) => role === text);

export const isOperatorRole = (text: unknown): text is OperatorRole =>
  OPERATOR_ROLES.some((role) => role === text);

/** True if a member with the first role may give and remove the second. Only owners make owners. */
export const mayGiveRole = (own: MemberRole, given: MemberRole): boolean =>
  own === 'owner' || (own === 'admin' && given !== 'owner');
