import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import {
  type Originator,
  type Origin,
  type Scope,
  scopeName,
  type TenantContext,
} from '../../kernel/scope';
import type { ErrorCode } from '../../kernel/errors';
import { parseTraceparent, type TraceContext } from '../../kernel/trace';
import { getRouteFacts } from './route-facts';
import type { Scopes } from './scopes';
import type { MemberRole } from '../../domain/members/member.roles';
import { type OpenSession, type SessionMembership, sessionInvalidError } from './sessions';

/** The tenant and environment of a request, from a tenant's key or a member. */
export interface Principal {
  readonly keyId: string;
  readonly keyName: string;
  readonly scope: Scope;
  readonly tenant: { readonly id: string; readonly name: string };
  readonly scopes: Scopes;
  /** The role of a member in the console; null for a key. */
  readonly role: MemberRole | null;
}

/** The actor of a request, for the audit log. */
export type RequestActor = Originator;

/** Facts about a request that its content does not contain. The hooks in `pipeline.ts` set them. */
export interface RequestFacts {
  readonly id: string;
  /** The W3C trace context, either the client's or one made for the request. */
  readonly traceparent: string;
  /** The client's span that caused the request, if the client names it. */
  readonly cause: TraceContext | null;
  /** The address of the client. */
  readonly address: string;
  /** The authenticated actor. Null before authentication, and on routes that need none. */
  actor: RequestActor | null;
  /** The principal on the routes of tenants. */
  principal: Principal | null;
  /** True if the client's connection is encrypted, as far as trusted proxies report it. */
  readonly isSecure: boolean;
  /** The session if a cookie identifies the caller. */
  session: OpenSession | null;
  /**
   * The session that a link to a tenant's dashboard opened in the same browser, beside the person's
   * own session.
   */
  portal: OpenSession | null;
  /** The membership under which a member acts, on the console's own routes. */
  membership: SessionMembership | null;
  /** The commit position of the last append of the request. */
  lastWritePosition: bigint | null;
  /**
   * True if the call only repeats an earlier call to extend its effect. The audit log contains the
   * earlier call.
   */
  isRenewal: boolean;
  /** The object of an audited call, if its path does not end with it. */
  auditedObject: { readonly type: string; readonly id: string } | null;
  /** The error of the response; null if the request was not refused. */
  refusal: ErrorCode | null;
  /** The command of a request that changes something. */
  command: Omit<TenantContext, 'scope' | 'tenant'> | null;
}

const facts = new WeakMap<object, RequestFacts>();

export const rememberFacts = (request: FastifyRequest, value: RequestFacts): void => {
  facts.set(request.raw, value);
};

export const getFacts = (request: FastifyRequest): RequestFacts => {
  const found = facts.get(request.raw);
  if (found === undefined) throw new Error('the request did not pass the pipeline');
  return found;
};

/** Returns the id of the trace that the request belongs to. */
export const getTraceId = (request: FastifyRequest): string | undefined =>
  parseTraceparent(facts.get(request.raw)?.traceparent)?.traceId;

export const getPrincipal = (request: FastifyRequest): Principal => {
  const { principal } = getFacts(request);
  if (principal === null) throw new Error('the route is not authenticated');
  return principal;
};

/** Returns the session of the console that the request belongs to. */
export const getSession = (request: FastifyRequest): OpenSession => {
  const { session } = getFacts(request);
  if (session === null) throw sessionInvalidError();
  return session;
};

/** Returns the membership under which the request is made. */
export const getMembership = (request: FastifyRequest): SessionMembership => {
  const { membership } = getFacts(request);
  if (membership === null) throw new Error('the route does not name a tenant');
  return membership;
};

/** Returns the origin of a request: its actor, its address and its tenant. */
export const createOrigin = (request: FastifyRequest): Origin => {
  const { actor, principal, membership, id, address, traceparent } = getFacts(request);
  if (actor === null) throw new Error('the route is not authenticated');
  const { shownBy } = getRouteFacts(request);
  const within =
    principal === null
      ? (membership?.tenant.id ?? findNamedScope(request))
      : scopeName(principal.scope);
  return {
    by: actor,
    request_id: id,
    address,
    traceparent,
    ...(within === undefined ? {} : { within }),
    ...(shownBy === undefined ? {} : { shown_by: shownBy }),
  };
};

const TENANT_ID = /^tnt_[0-9a-z]{1,32}$/;

/** The tenant that an operator's request names, with the environment if its query names one. */
const findNamedScope = (request: FastifyRequest): string | undefined => {
  const tenant = findNamedTenant(request);
  const { environment } = (request.query ?? {}) as { readonly environment?: unknown };
  const isNamed = environment === 'live' || environment === 'test';
  return tenant !== undefined && isNamed ? `${tenant}.${environment}` : tenant;
};

/** The tenant that an operator's request names in its path, query or body. It need not exist. */
const findNamedTenant = ({ params, query, body }: FastifyRequest): string | undefined => {
  const { tenantId } = (params ?? {}) as { readonly tenantId?: unknown };
  const [asked, sent] = [query, toJson(body)].map(
    (given) => ((given ?? {}) as { readonly tenant_id?: unknown }).tenant_id,
  );
  const named = tenantId ?? asked ?? sent;
  return typeof named === 'string' && TENANT_ID.test(named) ? named : undefined;
};

/** Returns the parsed body; undefined for a streamed body, which only its handler reads. */
export const toJson = (body: unknown): unknown => (body instanceof Readable ? undefined : body);
