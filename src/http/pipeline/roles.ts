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

const LIVE: Readonly<Record<MemberRole, readonly ScopeName[]>> = {
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
const TEST: typeof LIVE = { ...LIVE, developer: ALL_SCOPES };

export const listScopes = (role: MemberRole, environment: Environment): ScopeName[] => {
  const scopes = environment === 'test' ? TEST[role] : LIVE[role];
  return scopes.filter((scope) => isScopeOf(scope, environment));
};

/** The rights of members in the console beside those of the API. */
export const MEMBER_RIGHTS = {
  /** Needs a session only: no tenant is named. */
  session: null,
  tenant: ['owner', 'admin', 'developer', 'support', 'analyst', 'viewer'],
  keys: ['owner', 'admin', 'developer'],
  members: ['owner', 'admin'],
  settings: ['owner', 'admin'],
} as const satisfies Readonly<Record<string, readonly MemberRole[] | null>>;

export type MemberRight = keyof typeof MEMBER_RIGHTS;

export const hasRight = (role: MemberRole, right: MemberRight): boolean =>
  (MEMBER_RIGHTS[right] ?? []).some((each) => each === role);
