import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MasterKey } from '../event-store/master-key';
import { DomainError } from '../kernel/errors';
import type { Clock, Instant } from '../kernel/time';
import { describeError, log } from '../ops/log';
import type { ReadYourWrites } from '../projections/read-your-writes';
import { type Authenticator, bearerOf, sameSecret } from './authentication';
import { entropyOf, newCommandId, newRequestId } from './entropy';
import {
  type Admission,
  fingerprint,
  type IdempotencyStore,
  type KeyedRequest,
  readIdempotencyKey,
  reused,
  type RunningRequest,
} from './idempotency';
import { digestOf, KeyedUpload } from './keyed-upload';
import { type Limit, rateHeaders, rateLimited, type RateLimiter, type Verdict } from './rate-limit';
import { flawOf } from './raw-input';
import type { SharedRateLimiter } from './shared-rate-limit';
import { factsOf, jsonOf, rememberFacts, type RequestFacts } from './request-facts';
import { routeFactsOf } from './route-facts';
import { requireHost } from './unreadable';
import { refusal } from './validation';

const API_PREFIX = '/v1/';
const OPERATOR_PREFIX = '/operator/v1/';
/** What a process answers in every role. */
const OPERATIONS = /^\/(health\/|metrics(\?|$))/;
const REQUEST_ID = /^[\w.:-]{1,128}$/;
const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** A read that follows a write waits this long for the read models, then answers what there is. */
const READ_YOUR_WRITES_MS = 3_000;
/** Response headers that a repeat gets again beside the body. */
const STORED_HEADERS = ['content-type', 'location', 'etag'];

export interface PipelineParts {
  /** Without the role `api` a process only tells how it is. */
  readonly servesApi: boolean;
  /** What requests are looked up in has not all been read yet. */
  readonly isStarting: () => boolean;
  readonly authenticator: Authenticator;
  readonly operatorToken: string;
  readonly idempotency: IdempotencyStore;
  readonly masterKey: MasterKey;
  readonly limiter: RateLimiter;
  /** For operations that have a limit of their own beside the key's. */
  readonly sharedLimiter: SharedRateLimiter;
  readonly limitOf: (request: FastifyRequest, facts: RequestFacts) => Limit;
  readonly endpointLimitOf: (request: FastifyRequest) => Limit | null;
  readonly freshness: ReadYourWrites;
  readonly clock: Clock;
}

/**
 * What every request passes before its handler and every answer after it, in this order: request id,
 * authentication, rate limit, idempotency, read-your-writes; then log position and stored response.
 */
export const installPipeline = (server: FastifyInstance, parts: PipelineParts): void => {
  let isClosing = false;
  server.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  server.addHook('onRequest', async (request, reply) => {
    identify(request, reply);
    if (isClosing) throw shuttingDown();
    requireHost(request);
    if (!parts.servesApi) refuseApi(request);
    if (isOfApi(request) && parts.isStarting()) throw starting();
    await authenticate(request, parts);
    limit(request, reply, parts);
  });
  server.addHook('preHandler', async (request) => {
    refuseUnusable(request);
    const facts = factsOf(request);
    const changes = CHANGING.has(request.method);
    if (!changes || routeFactsOf(request).readsOwnWrites === true) {
      await settleWrites(request, facts, parts.freshness);
    }
    if (changes) await admit(request, parts);
  });
  server.addHook('onSend', async (request, reply, payload) => {
    await countRefused(request, parts);
    notePosition(request, reply, parts.freshness);
    await settleKey(request, reply, payload, parts.idempotency);
    return payload;
  });
};

const identify = (request: FastifyRequest, reply: FastifyReply): void => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId();
  rememberFacts(request, {
    id,
    principal: null,
    operator: false,
    wrotePosition: null,
    command: null,
    repeats: null,
  });
  void reply.header('x-request-id', id);
};

/** A connection that was busy at the end may bring another request; Fastify closes it after this. */
const shuttingDown = (): DomainError =>
  new DomainError('service_unavailable', 'The service is shutting down. Repeat the request.');

const isOfApi = ({ url }: FastifyRequest): boolean =>
  url.startsWith(API_PREFIX) || url.startsWith(OPERATOR_PREFIX);

const starting = (): DomainError =>
  new DomainError('service_unavailable', 'The service is starting. Repeat the request.');

const refuseApi = ({ method, url }: FastifyRequest): void => {
  if (OPERATIONS.test(url)) return;
  const path = url.split('?')[0] ?? '';
  throw new DomainError(
    'route_not_found',
    `There is no ${method} ${path} in this process's roles.`,
  );
};

const authenticate = async (request: FastifyRequest, parts: PipelineParts): Promise<void> => {
  const facts = factsOf(request);
  if (request.url.startsWith(API_PREFIX)) {
    facts.principal = await parts.authenticator.authenticate(
      bearerOf(request.headers.authorization),
      request.socket.remoteAddress ?? '',
    );
  }
  if (request.url.startsWith(OPERATOR_PREFIX)) {
    if (!sameSecret(bearerOf(request.headers.authorization), parts.operatorToken)) {
      throw new DomainError('api_key_invalid', 'The operator token is not valid.');
    }
    facts.operator = true;
  }
};

const limit = (request: FastifyRequest, reply: FastifyReply, parts: PipelineParts): void => {
  const facts = factsOf(request);
  const { principal } = facts;
  if (principal === null) return;
  const chosen = parts.limitOf(request, facts);
  const verdict = parts.limiter.take(principal.keyId, chosen, Date.now());
  void reply.headers(rateHeaders(chosen, verdict));
  if (!verdict.allowed) throw rateLimited(chosen, verdict);
  const leave = parts.limiter.enter(principal.keyId);
  reply.raw.once('close', leave);
};

const endpointCounted = new WeakSet();

/** Counted where an idempotent repeat is already known and answered: a repeat costs nothing. */
const limitEndpoint = async (request: FastifyRequest, parts: PipelineParts): Promise<void> => {
  const taken = await takeAtEndpoint(request, parts);
  if (taken !== null && !taken.verdict.allowed) throw rateLimited(taken.limit, taken.verdict);
};

/** Calls that were refused before it came to that count as well; where that fails, the answer stays. */
const countRefused = async (request: FastifyRequest, parts: PipelineParts): Promise<void> => {
  if (endpointCounted.has(request.raw)) return;
  await takeAtEndpoint(request, parts).catch((error: unknown) => {
    log.warn(describeError(error), 'could not count a call');
  });
};

interface Taken {
  readonly limit: Limit;
  readonly verdict: Verdict;
}

const takeAtEndpoint = async (
  request: FastifyRequest,
  parts: PipelineParts,
): Promise<Taken | null> => {
  const { principal } = factsOf(request);
  const limit = parts.endpointLimitOf(request);
  if (principal === null || limit === null) return null;
  endpointCounted.add(request.raw);
  return { limit, verdict: await parts.sharedLimiter.take(principal.keyId, limit) };
};

const refuseUnusable = ({ body: given, query, params }: FastifyRequest): void => {
  const body = jsonOf(given);
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new DomainError('parameter_invalid', 'The body must be a JSON object.', {
      param: 'body',
    });
  }
  const flaw = flawOf(params) ?? flawOf(query) ?? flawOf(body);
  if (flaw !== null) throw refusal([flaw]);
};

const scopeNameOf = ({ principal, operator }: RequestFacts): string | null => {
  if (operator) return 'operator';
  if (principal === null) return null;
  return `${principal.scope.tenantId}.${principal.scope.environment}`;
};

const settleWrites = async (
  request: FastifyRequest,
  facts: RequestFacts,
  freshness: ReadYourWrites,
): Promise<void> => {
  const scope = scopeNameOf(facts);
  // The operator's lists are directories in memory, not read models.
  if (scope === null || facts.operator) return;
  const asked = readLogPosition(request.headers['x-service-log-position']);
  if (!(await freshness.isComplete())) {
    throw new DomainError(
      'service_unavailable',
      'The read models are being rebuilt from the log. Writes work; repeat the read later.',
    );
  }
  await freshness.settled(scope, asked, READ_YOUR_WRITES_MS);
};

const readLogPosition = (header: string | string[] | undefined): bigint | null => {
  if (header === undefined) return null;
  if (typeof header === 'string' && /^\d{1,19}$/.test(header)) return BigInt(header);
  throw new DomainError(
    'parameter_invalid',
    'X-Service-Log-Position must be what a write answered: a whole number.',
    { param: 'X-Service-Log-Position' },
  );
};

/** The command this request is; with an Idempotency-Key seen before, its stored answer instead. */
const admit = async (request: FastifyRequest, parts: PipelineParts): Promise<void> => {
  const facts = factsOf(request);
  const scope = scopeNameOf(facts);
  if (scope === null) return;
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  const now = parts.clock.now();
  if (key === null) {
    await limitEndpoint(request, parts);
    facts.command = command(facts, request, {
      id: newCommandId(),
      now,
      resumed: false,
    });
    return;
  }
  const keyed = { scope, key, ...fingerprintsOf(request) };
  const admission = await parts.idempotency.admit(keyed, now);
  if (admission.kind === 'repeat') {
    endpointCounted.add(request.raw);
    await requireSameBody(request, admission);
    facts.repeats = admission.response;
    return;
  }
  const upload = uploadOf(request, { keyed, admission, store: parts.idempotency });
  keyedRequests.set(request.raw, { ...keyed, resumed: admission.resumed, upload });
  await limitEndpoint(request, parts);
  const seed = parts.masterKey.digest(`command ${scope} ${key} ${admission.acceptedAt}`);
  facts.command = command(facts, request, {
    id: seed.subarray(0, 16).toString('hex'),
    now: admission.acceptedAt,
    resumed: admission.resumed,
  });
};

const keyedRequests = new WeakMap<object, RunningRequest & { upload: KeyedUpload | null }>();

/** A streamed body is read for this alone, and nothing of it is kept. */
const requireSameBody = async (
  { body }: FastifyRequest,
  { bodyDigest }: Admission,
): Promise<void> => {
  if (bodyDigest !== null && (await digestOf(body)) !== bodyDigest) throw reused();
};

const uploadOf = (
  request: FastifyRequest,
  {
    keyed,
    admission,
    store,
  }: { keyed: KeyedRequest; admission: Admission; store: IdempotencyStore },
): KeyedUpload | null => {
  if (!(request.body instanceof Readable)) return null;
  const upload = new KeyedUpload(store, keyed, admission.bodyDigest);
  request.body = upload.through(request.body);
  return upload;
};

/** No body, an empty one and `{}` are one request; they were told apart before, as `null` and `{}`. */
const fingerprintsOf = ({
  method,
  url,
  body: given,
}: FastifyRequest): Pick<KeyedRequest, 'fingerprint' | 'formerFingerprint'> => {
  const [path = '', query = ''] = url.split('?');
  const printOf = (body: unknown): string => fingerprint({ method, path, query, body });
  const body = jsonOf(given) ?? {};
  return Object.keys(body).length > 0
    ? { fingerprint: printOf(body), formerFingerprint: null }
    : { fingerprint: printOf(null), formerFingerprint: printOf({}) };
};

const command = (
  facts: RequestFacts,
  request: FastifyRequest,
  { id, now, resumed }: { id: string; now: Instant; resumed: boolean },
): RequestFacts['command'] => {
  const expectedSequence = readIfMatch(request.headers['if-match']);
  return {
    commandId: id,
    now,
    actor: 'api',
    entropy: entropyOf(id),
    resumed,
    ...(expectedSequence === null ? {} : { expectedSequence }),
    wrote: (position) => {
      facts.wrotePosition = position;
    },
  };
};

const readIfMatch = (header: string | undefined): number | null => {
  if (header === undefined || header === '*') return null;
  const [, sequence] = /^(?:W\/)?"(\d{1,15})"$/.exec(header) ?? [];
  if (sequence !== undefined) return Number(sequence);
  throw new DomainError('parameter_invalid', 'If-Match must be an ETag such as "12".', {
    param: 'If-Match',
  });
};

const notePosition = (
  request: FastifyRequest,
  reply: FastifyReply,
  freshness: ReadYourWrites,
): void => {
  const facts = factsOf(request);
  const scope = scopeNameOf(facts);
  if (facts.wrotePosition === null || scope === null) return;
  freshness.wrote(scope, facts.wrotePosition);
  void reply.header('x-service-log-position', String(facts.wrotePosition));
};

const settleKey = async (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  idempotency: IdempotencyStore,
): Promise<void> => {
  const keyed = keyedRequests.get(request.raw);
  if (keyed === undefined) return;
  keyedRequests.delete(request.raw);
  const headers = STORED_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const { upload } = keyed;
  const answer = {
    status: reply.statusCode,
    body: typeof payload === 'string' ? payload : '',
    headers: Object.fromEntries(headers),
  };
  // Of another body than the key's: that is no answer of the key.
  const settled =
    upload?.differs === true
      ? idempotency.unlock(keyed)
      : idempotency.settle(keyed, answer, upload?.digest ?? null);
  await settled.catch((error: unknown) => {
    // The change is made; a repeat within the lock's time waits, then finds it in the log.
    log.warn(describeError(error), 'could not store an idempotent response');
  });
};
