import type { MemberRole } from '../../domain/members/member.roles';
import type { Environment } from '../../kernel/scope';
import { ALL_SCOPES, isScopeOf, SCOPE_PRESETS, type ScopeName } from './scopes';

/** The rights of each role in the API, as sets of scopes (D-94). */

const READS_WITHOUT_PERSONAL_DATA = SCOPE_PRESETS.read_only.filter((scope) => scope !== 'pii:read');

const DEVELOPER: readonly ScopeName[] = [
  ...READS_WITHOUT_PERSONAL_DATA,
  'destinations:write',
  'replay:write',
];

const SUPPORT: readonly ScopeName[] = [
  'subscribers:read',
  'subscribers:write',
  'subscriptions:read',
  'subscriptions:write',
  'payments:read',
  'payments:write',
  'refunds:write',
  'credits:read',
  'credits:write',
  'tickets:read',
  'tickets:write',
  'cohorts:read',
  'motions:read',
  'motions:trigger',
  'events:read',
  'pii:read',
];

const ANALYST: readonly ScopeName[] = ['metrics:read', 'cohorts:read', 'motions:read'];

const SCOPES_IN_LIVE: Readonly<Record<MemberRole, readonly ScopeName[]>> = {
  owner: ALL_SCOPES,
  admin: ALL_SCOPES,
  developer: DEVELOPER,
  support: SUPPORT,
  analyst: ANALYST,
  viewer: READS_WITHOUT_PERSONAL_DATA,
};

/**
 * The scopes in test environments. Developers have all of them, because test data belongs to no
 * real person.
 */
const SCOPES_IN_TEST: typeof SCOPES_IN_LIVE = { ...SCOPES_IN_LIVE, developer: ALL_SCOPES };

export const listScopes = (role: MemberRole, environment: Environment): ScopeName[] => {
  const scopes = environment === 'test' ? SCOPES_IN_TEST[role] : SCOPES_IN_LIVE[role];
  return scopes.filter((scope) => isScopeOf(scope, environment));
};

/** The rights of members on the console's own routes. The value is the roles with the right. */
export const MEMBER_RIGHTS = {
  /** No role is needed, because the route concerns the session and no tenant. */
  session: null,
  tenant: ['owner', 'admin', 'developer', 'support', 'analyst', 'viewer'],
  keys: ['owner', 'admin', 'developer'],
  members: ['owner', 'admin'],
  settings: ['owner', 'admin'],
} as const satisfies Readonly<Record<string, readonly MemberRole[] | null>>;

export type MemberRight = keyof typeof MEMBER_RIGHTS;

export const hasRight = (role: MemberRole, right: MemberRight): boolean =>
  (MEMBER_RIGHTS[right] ?? []).some((each) => each === role);
