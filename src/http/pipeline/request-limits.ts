import type { FastifyReply, FastifyRequest } from 'fastify';
import { warnOfFailure } from '../../event-store/failures';
import type { Environment } from '../../kernel/scope';
import {
  createRateHeaders,
  type Limit,
  rateLimitedError,
  type RateLimiter,
  type Verdict,
} from './rate-limit';
import { getFacts } from './request-facts';
import { getRouteFacts, type RouteFacts } from './route-facts';
import type { SharedRateLimiter } from './shared-rate-limit';

export interface RequestLimitParts {
  readonly limiter: RateLimiter;
  /** The limiter of operations that have their own limit in addition to the key's. */
  readonly sharedLimiter: SharedRateLimiter;
  readonly limitOf: (route: RouteFacts, environment: Environment) => Limit;
  readonly endpointLimitOf: (route: RouteFacts) => Limit | null;
}

/** Checks the limit of the key and sets its headers. */
export const limitRequest = (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RequestLimitParts,
): void => {
  const { principal } = getFacts(request);
  if (principal === null) return;
  const chosen = parts.limitOf(getRouteFacts(request), principal.scope.environment);
  const verdict = parts.limiter.take(principal.keyId, chosen, Date.now());
  void reply.headers(createRateHeaders(chosen, verdict));
  if (!verdict.allowed) throw rateLimitedError(chosen, verdict);
  const leave = parts.limiter.enter(principal.keyId);
  reply.raw.once('close', leave);
};

/** The requests that count no more against the limit of their endpoint. */
const endpointCounted = new WeakSet();

/** Leaves out the count of a request that repeats an earlier one, because a repeat costs nothing. */
export const skipEndpointLimit = (request: FastifyRequest): void => {
  endpointCounted.add(request.raw);
};

/**
 * Counts a call of a limited endpoint. It runs after known idempotent repeats are answered, so a
 * repeat costs nothing.
 */
export const limitEndpoint = async (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RequestLimitParts,
): Promise<void> => {
  const taken = await checkEndpointLimit(request, reply, parts);
  if (taken !== null && !taken.verdict.allowed) throw rateLimitedError(taken.limit, taken.verdict);
};

/**
 * Counts calls that were refused before the endpoint's limit was checked. If counting fails, the
 * answer stays.
 */
export const countRefused = async (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RequestLimitParts,
): Promise<void> => {
  if (endpointCounted.has(request.raw)) return;
  await checkEndpointLimit(request, reply, parts).catch((error: unknown) => {
    warnOfFailure('could not count a call', 'rate-limits', error);
  });
};

interface LimitVerdicts {
  readonly limit: Limit;
  readonly verdict: Verdict;
}

const checkEndpointLimit = async (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RequestLimitParts,
): Promise<LimitVerdicts | null> => {
  const { principal } = getFacts(request);
  const limit = parts.endpointLimitOf(getRouteFacts(request));
  if (principal === null || limit === null) return null;
  endpointCounted.add(request.raw);
  const verdict = await parts.sharedLimiter.take(principal.keyId, limit);
  addRateHeaders(reply, createRateHeaders(limit, verdict));
  return { limit, verdict };
};

/** Adds the headers of the endpoint's limit after those of the key's limit, in the same headers. */
const addRateHeaders = (reply: FastifyReply, headers: Record<string, string>): void => {
  for (const [name, value] of Object.entries(headers)) {
    const ofKey = reply.getHeader(name);
    void reply.header(name, ofKey === undefined ? value : `${String(ofKey)}, ${value}`);
  }
};
