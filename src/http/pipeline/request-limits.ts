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
  const endRequest = parts.limiter.startRequest(principal.keyId);
  reply.raw.once('close', endRequest);
};

/** The requests that are already counted at their endpoint's limit, or must not be counted. */
const countedRequests = new WeakSet();

/** Does not count a request at its endpoint's limit, because a repeat does no work. */
export const skipEndpointLimit = (request: FastifyRequest): void => {
  countedRequests.add(request.raw);
};

/**
 * Counts a call at its endpoint's limit and throws if the limit is exceeded. Repeats with an
 * Idempotency-Key are answered before and not counted.
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
 * response stays as it is.
 */
export const countRefused = async (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RequestLimitParts,
): Promise<void> => {
  if (countedRequests.has(request.raw)) return;
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
  countedRequests.add(request.raw);
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
