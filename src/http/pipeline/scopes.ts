import { DomainError } from '../../kernel/errors';
import type { Environment } from '../../kernel/scope';

const RESOURCES = [
  'subscribers',
  'subscriptions',
  'cohorts',
  'motions',
  'payments',
  'credits',
  'tickets',
  'replay',
  'destinations',
] as const;

/**
 * All scopes (D-92), in the order in which they are listed. `pii:read` shows e-mail addresses and
 * free text.
 */
export const ALL_SCOPES = [
  ...RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`] as const),
  'events:read',
  'metrics:read',
  'motions:trigger',
  'refunds:write',
  'test_helpers:write',
  'pii:read',
  'audit_log:read',
] as const;

export type ScopeName = (typeof ALL_SCOPES)[number];
/**
 * True if keys of the environment can have the scope. Test helpers work only with test keys, so a
 * live key has no such scope (D-92).
 */
export const isScopeOf = (scope: ScopeName, environment: Environment): boolean =>
  environment === 'test' || scope !== 'test_helpers:write';

export type Scopes = ReadonlySet<ScopeName>;

export const SCOPE_PRESETS = {
  full: ALL_SCOPES,
  read_only: ALL_SCOPES.filter((scope) => scope.endsWith(':read')),
} as const satisfies Record<string, readonly ScopeName[]>;

export const isScopeName = (text: string): text is ScopeName =>
  ALL_SCOPES.some((scope) => scope === text);

export const requireScopes = (granted: Scopes, required: readonly ScopeName[]): void => {
  const lacking = required.find((scope) => !granted.has(scope));
  if (lacking === undefined) return;
  throw new DomainError('insufficient_scope', `The API key lacks the scope ${lacking}.`, {
    details: { required_scope: lacking },
  });
};
