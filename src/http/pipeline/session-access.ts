import { DomainError } from '../../kernel/errors';
import type { Environment } from '../../kernel/scope';
import type { FastifyRequest } from 'fastify';
import { tenantSuspendedError } from './authentication';
import { getFacts, type RequestActor, getSession } from './request-facts';
import { hasRight, type MemberRight, listScopes } from './roles';
import { requireSameOrigin } from './same-origin';
import {
  type OpenSession,
  SESSION_KINDS,
  sessionInvalidError,
  type SessionMembership,
  type Sessions,
  readToken,
} from './sessions';

/**
 * True if a cookie identifies the caller. A credential in the request itself takes precedence. A
 * cookie whose session has ended is refused, and the page then shows how to sign in.
 */
export const isSignedIn = async (
  request: FastifyRequest,
  sessions: Sessions,
  about: 'tenant' | 'person' = 'person',
): Promise<boolean> => {
  if (request.headers.authorization !== undefined) return false;
  // A request of another site is refused, whether or not the browser sent the cookie.
  if (request.headers['sec-fetch-site'] !== undefined) requireSameOrigin(request);
  const facts = getFacts(request);
  const [own, portal] = SESSION_KINDS.map((kind) => readToken(request, facts.isSecure, kind));
  if (own == null && portal == null) return false;
  requireSameOrigin(request);
  facts.portal = portal == null ? null : await sessions.find(portal);
  const person = own == null ? null : await sessions.find(own);
  const session = about === 'tenant' ? chooseSession(request, person, facts.portal) : person;
  facts.session = session ?? person ?? facts.portal;
  if (facts.session === null) throw sessionInvalidError();
  facts.actor = toMemberActor(facts.session, facts.session.operator ?? 'member');
  return true;
};

/**
 * Returns the session for a request about a tenant. The session of a dashboard link takes
 * precedence.
 */
const chooseSession = (
  { headers }: FastifyRequest,
  own: OpenSession | null,
  portal: OpenSession | null,
): OpenSession | null => {
  const tenantId = headers['x-service-tenant'];
  const isInTenant = ({ memberships }: OpenSession): boolean =>
    memberships.some(({ tenant }) => tenant.id === tenantId);
  return [portal, own].find((session) => session !== null && isInTenant(session)) ?? null;
};

/**
 * Builds the actor of a member. It contains the role instead of the name, so that no person's name
 * is stored with their actions.
 */
const toMemberActor = ({ id, personId }: OpenSession, role: string): RequestActor => ({
  type: 'member',
  id: personId ?? id,
  name: role,
});

/**
 * Sets the actor to an operator who is signed in. An operator who may only view cannot make
 * changes.
 */
export const authenticateOperatorSession = (request: FastifyRequest): void => {
  const { operator } = getSession(request);
  const isAllowed =
    operator === 'operator' || (operator === 'operator_viewer' && READ_METHODS.has(request.method));
  if (isAllowed) return;
  throw new DomainError('role_not_allowed', 'Your role does not allow this.', {
    details: { role: operator, required_roles: ['operator'] },
  });
};

const READ_METHODS = new Set(['GET', 'HEAD']);

/**
 * Sets the principal to a member of the tenant that `X-Service-Tenant` names, with the scopes of
 * the member's role.
 */
export const authenticateMember = (request: FastifyRequest): void => {
  const environment = readEnvironment(request);
  const facts = getFacts(request);
  const session = getSession(request);
  const { tenant, role, environments } = findMembership(request, session);
  if (!environments.includes(environment)) throw roleNotAllowedError(role);
  facts.actor = toMemberActor(session, role);
  facts.principal = {
    keyId: session.id,
    keyName: role,
    scope: { tenantId: tenant.id, environment },
    tenant,
    scopes: new Set(listScopes(role, environment)),
    role,
  };
};

/** Requires the session of a member of the tenant whose role has this right in the console. */
export const authorizeMember = (request: FastifyRequest, right: MemberRight): void => {
  const facts = getFacts(request);
  const session = getSession(request);
  const membership = findMembership(request, session);
  facts.actor = toMemberActor(session, membership.role);
  if (!hasRight(membership.role, right)) throw roleNotAllowedError(membership.role);
  facts.membership = membership;
};

/** Returns the membership in the tenant. The error does not show whether the tenant exists. */
const findMembership = (request: FastifyRequest, session: OpenSession): SessionMembership => {
  const tenantId = readHeader(request, 'X-Service-Tenant');
  const found = session.memberships.find(({ tenant }) => tenant.id === tenantId);
  if (found === undefined) {
    throw new DomainError('role_not_allowed', 'You are not a member of this tenant.');
  }
  if (found.suspendedAt !== null) throw tenantSuspendedError();
  return found;
};

const readEnvironment = (request: FastifyRequest): Environment => {
  const name = readHeader(request, 'X-Service-Environment');
  if (name === 'live' || name === 'test') return name;
  throw new DomainError('parameter_invalid', 'X-Service-Environment must be live or test.', {
    param: 'X-Service-Environment',
  });
};

const readHeader = ({ headers }: FastifyRequest, name: string): string => {
  const value = headers[name.toLowerCase()];
  if (typeof value === 'string') return value;
  throw new DomainError('parameter_missing', `A session needs the header ${name}.`, {
    param: name,
  });
};

const roleNotAllowedError = (role: string): DomainError =>
  new DomainError('role_not_allowed', 'Your role does not allow this.', { details: { role } });
