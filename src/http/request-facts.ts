import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Scope, TenantContext } from '../kernel/scope';
import type { StoredResponse } from './idempotency';
import type { Scopes } from './scopes';

/** Who a request comes from: a tenant's key in one environment. */
export interface Principal {
  readonly keyId: string;
  readonly scope: Scope;
  readonly tenant: { readonly id: string; readonly name: string };
  readonly scopes: Scopes;
}

/** What the service knows about a request beside its content. Filled by the hooks in `pipeline.ts`. */
export interface RequestFacts {
  readonly id: string;
  principal: Principal | null;
  operator: boolean;
  /** Commit position of the last append the request made. */
  wrotePosition: bigint | null;
  /** Set for requests that change something. */
  command: Omit<TenantContext, 'scope' | 'tenant'> | null;
  /** What a request with this Idempotency-Key was answered before: the answer, once scopes allow. */
  repeats: StoredResponse | null;
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

export const principalOf = (request: FastifyRequest): Principal => {
  const { principal } = factsOf(request);
  if (principal === null) throw new Error('the route is not authenticated');
  return principal;
};

/** A streamed body is for its handler alone. */
export const jsonOf = (body: unknown): unknown => (body instanceof Readable ? undefined : body);
