import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import {
  type Originator,
  type Origin,
  type Scope,
  scopeName,
  type TenantContext,
} from '../../kernel/scope';
import { parseTraceparent, type TraceContext } from '../../kernel/trace';
import type { Scopes } from './scopes';
import type { MemberRole } from '../../domain/members/member.roles';
import { type OpenSession, type SessionMembership, sessionInvalid } from './sessions';

/** Who a request comes from: a tenant's key, or a member, in one environment. */
export interface Principal {
  readonly keyId: string;
  readonly keyName: string;
  readonly scope: Scope;
  readonly tenant: { readonly id: string; readonly name: string };
  readonly scopes: Scopes;
  /** Of a member in the console; null for a key. */
  readonly role: MemberRole | null;
}

/** Who sends a request, for the audit log. */
export type RequestActor = Originator;

/** What the service knows about a request beside its content. Filled by the hooks in `pipeline.ts`. */
export interface RequestFacts {
  readonly id: string;
  /** The W3C trace context: the client's, or one made for the request. */
  readonly traceparent: string;
  /** The step of the client that caused the request, where it says so. */
  readonly cause: TraceContext | null;
  /** The address of the client. */
  readonly address: string;
  /** Null before authentication, and on routes that need none. */
  actor: RequestActor | null;
  /** Set on the routes of tenants. */
  principal: Principal | null;
  /** Whether the client's connection is encrypted, as far as trusted proxies say. */
  readonly isSecure: boolean;
  /** Set where a cookie says who asks. */
  session: OpenSession | null;
  /** What a link to a tenant's dashboard opened in the same browser, beside the person's own session. */
  portal: OpenSession | null;
  /** The membership that a member acts by, on the console's own routes. */
  membership: SessionMembership | null;
  /** Commit position of the last append the request made. */
  wrotePosition: bigint | null;
  /** Set for requests that change something. */
  command: Omit<TenantContext, 'scope' | 'tenant'> | null;
}

const facts = new WeakMap<object, RequestFacts>();

export const rememberFacts = (request: FastifyRequest, value: RequestFacts): void => {
  facts.set(request.raw, value);
};

export const factsOf = (request: FastifyRequest): RequestFacts => {
  const found = facts.get(request.raw);
  if (found === undefined) throw new Error('the request did not pass the pipeline');
  return found;
};

/** The trace that the request belongs to. */
export const traceIdOf = (request: FastifyRequest): string | undefined =>
  parseTraceparent(facts.get(request.raw)?.traceparent)?.traceId;

export const principalOf = (request: FastifyRequest): Principal => {
  const { principal } = factsOf(request);
  if (principal === null) throw new Error('the route is not authenticated');
  return principal;
};

/** The session of the console that the request belongs to. */
export const sessionOf = (request: FastifyRequest): OpenSession => {
  const { session } = factsOf(request);
  if (session === null) throw sessionInvalid();
  return session;
};

/** The membership that the request is made by. */
export const membershipOf = (request: FastifyRequest): SessionMembership => {
  const { membership } = factsOf(request);
  if (membership === null) throw new Error('the route does not name a tenant');
  return membership;
};

/** Who sends the request, from where, and which tenant it is about. */
export const originOf = (request: FastifyRequest): Origin => {
  const { actor, principal, membership, id, address, traceparent } = factsOf(request);
  if (actor === null) throw new Error('the route is not authenticated');
  const within =
    principal === null
      ? (membership?.tenant.id ?? tenantNamedBy(request))
      : scopeName(principal.scope);
  return {
    by: actor,
    request_id: id,
    address,
    traceparent,
    ...(within === undefined ? {} : { within }),
  };
};

const TENANT_ID = /^tnt_[0-9a-z]{1,32}$/;

/** The tenant that an operator's request names, wherever it does. It need not exist. */
const tenantNamedBy = ({ params, query, body }: FastifyRequest): string | undefined => {
  const { tenantId } = (params ?? {}) as { readonly tenantId?: unknown };
  const [asked, sent] = [query, jsonOf(body)].map(
    (given) => ((given ?? {}) as { readonly tenant_id?: unknown }).tenant_id,
  );
  const named = tenantId ?? asked ?? sent;
  return typeof named === 'string' && TENANT_ID.test(named) ? named : undefined;
};

/** A streamed body is for its handler alone. */
export const jsonOf = (body: unknown): unknown => (body instanceof Readable ? undefined : body);
