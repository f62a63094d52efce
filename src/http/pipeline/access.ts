import { readPath } from './request-target';
import { unreachable } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import {
  type Authenticator,
  readBearer,
  type OperatorAuthenticator,
  isSameSecret,
} from './authentication';
import { type CredentialFailures, isWrongCredential } from './credential-failures';
import { getFacts, getPrincipal } from './request-facts';
import { type Audience, getRouteFacts } from './route-facts';
import { requireScopes } from './scopes';
import { requireSameOrigin } from './same-origin';
import { sessionInvalidError, type Sessions } from './sessions';
import {
  isSignedIn,
  authenticateMember,
  authorizeMember,
  authenticateOperatorSession,
} from './session-access';
import type { FastifyRequest } from 'fastify';

export type MetricsAccess =
  | { readonly kind: 'open' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'elsewhere' };

/**
 * The services that decide, together with the route's declaration, whether a request may call a
 * route.
 */
export interface AccessParts {
  /**
   * False if the process does not have the role `api`. It then answers only the routes for
   * monitoring.
   */
  readonly servesApi: boolean;
  /** True until the directories that requests are looked up in are completely read. */
  readonly isStarting: () => boolean;
  readonly authenticator: Authenticator;
  readonly sessions: Sessions;
  readonly failures: CredentialFailures;
  readonly operators: OperatorAuthenticator;
  /**
   * Who may read the metrics on this port: everybody, a caller with the token, or nobody (metrics
   * have their own port).
   */
  readonly metricsAccess: MetricsAccess;
}

const startingError = (): DomainError =>
  new DomainError('service_unavailable', 'The service is starting. Repeat the request.');

/**
 * Returns the audience of the matched route; null if no route matched, because a 404 or 405 is the
 * same for every caller, apart from the headers of the rate limit.
 */
export const getAudience = (request: FastifyRequest): Audience | null => {
  if (request.is404) return null;
  const { audience } = getRouteFacts(request);
  if (audience === undefined) throw new Error('a route without an audience cannot be registered');
  return audience;
};

export const refuseApi = ({ method, url }: FastifyRequest, { kind }: Audience): void => {
  if (kind === 'monitoring' || kind === 'metrics') return;
  const path = readPath(url);
  throw new DomainError(
    'route_not_found',
    `There is no ${method} ${path} in this process's roles.`,
  );
};

export const authenticate = async (
  request: FastifyRequest,
  audience: Audience,
  parts: AccessParts,
): Promise<void> => {
  switch (audience.kind) {
    case 'public':
    case 'monitoring':
      return;
    case 'metrics':
      authorizeMetrics(request, parts.metricsAccess);
      return;
    case 'tenant':
      if (parts.isStarting()) throw startingError();
      if (await isSignedIn(request, parts.sessions, 'tenant')) authenticateMember(request);
      else await countFailures(request, parts, () => authenticateTenant(request, parts));
      return;
    case 'operator':
      if (parts.isStarting()) throw startingError();
      if (await isSignedIn(request, parts.sessions)) authenticateOperatorSession(request);
      else {
        await countFailures(request, parts, () => {
          authenticateOperator(request, parts);
        });
      }
      return;
    case 'member':
      if (parts.isStarting()) throw startingError();
      if (!(await isSignedIn(request, parts.sessions, findSessionKind(audience))))
        throw sessionInvalidError();
      if (audience.right !== 'session') authorizeMember(request, audience.right);
      return;
    case 'visitor':
      if (parts.isStarting()) throw startingError();
      requireSameOrigin(request);
      return;
    default:
      unreachable(audience);
  }
};

const findSessionKind = ({ right }: Extract<Audience, { kind: 'member' }>): 'tenant' | 'person' =>
  right === 'session' ? 'person' : 'tenant';

const authorizeMetrics = (request: FastifyRequest, access: MetricsAccess): void => {
  if (access.kind === 'elsewhere') {
    throw new DomainError('route_not_found', 'Metrics have a port of their own.');
  }
  if (access.kind === 'open') return;
  if (isSameSecret(readBearer(request.headers), access.token)) return;
  throw new DomainError('api_key_invalid', 'The token for metrics is not valid.');
};

/**
 * Counts wrong credentials and answers 429 instead of 401 after too many. A valid credential of the
 * wrong kind, such as an operator token instead of an API key, is refused but not counted.
 */
const countFailures = async (
  request: FastifyRequest,
  { authenticator, failures, operators }: AccessParts,
  authenticated: () => Promise<void> | void,
): Promise<void> => {
  try {
    await authenticated();
  } catch (error) {
    if (!isWrongCredential(error)) throw error;
    const given = readBearer(request.headers);
    if (!authenticator.isKnown(given) && !operators.isKnown(given)) {
      const named = authenticator.findKeyId(given) ?? operators.findTokenId(given);
      await failures.count(getFacts(request).address, named);
    }
    throw error;
  }
};

const authenticateTenant = async (
  request: FastifyRequest,
  { authenticator }: AccessParts,
): Promise<void> => {
  const facts = getFacts(request);
  const key = readBearer(request.headers);
  const principal = await authenticator.authenticate(key, facts.address);
  facts.principal = principal;
  facts.actor = { type: 'api_key', id: principal.keyId, name: principal.keyName };
};

/**
 * Finds the key of a request without an operation, so that the request counts at the limit of the
 * key. The refusal of the request is the same without a valid key.
 */
export const identifyKey = async (request: FastifyRequest, parts: AccessParts): Promise<void> => {
  if (!parts.servesApi || parts.isStarting() || request.headers.authorization === undefined) return;
  try {
    await authenticateTenant(request, parts);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
};

const authenticateOperator = (request: FastifyRequest, { operators }: AccessParts): void => {
  const token = readBearer(request.headers, 'operator token');
  getFacts(request).actor = operators.authenticate(token);
};

/**
 * Checks the scopes of a key. The check for test environments comes first, because no live key has
 * the scope of test helpers.
 */
export const authorize = (
  request: FastifyRequest,
  audience: Audience,
  { operators }: AccessParts,
): void => {
  if (audience.kind === 'operator' && audience.rootOnly === true) requireRoot(request, operators);
  if (audience.kind !== 'tenant') return;
  const { scope, scopes } = getPrincipal(request);
  if (getRouteFacts(request).testOnly === true && scope.environment !== 'test') {
    throw new DomainError('test_helpers_live_forbidden', 'Test helpers work with test keys only.');
  }
  requireScopes(scopes, audience.scopes);
};

const requireRoot = (request: FastifyRequest, operators: OperatorAuthenticator): void => {
  const { actor } = getFacts(request);
  if (actor !== null && operators.isRoot(actor)) return;
  throw new DomainError('insufficient_scope', 'Only the root operator token may do this.', {
    details: { required_scope: 'root' },
  });
};
