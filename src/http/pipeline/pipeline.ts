import { Readable } from 'node:stream';
import { warnOfFailure } from '../../event-store/failures';
import type { BlockList } from 'node:net';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditTrail } from '../../event-store/audit-trail';
import type { MasterKey } from '../../event-store/master-key';
import { DomainError, type ErrorCode } from '../../kernel/errors';
import { scopeName } from '../../kernel/scope';
import type { Clock, Instant } from '../../kernel/time';
import type { LiveRequests } from '../../ops/live-requests';
import type { Tracing } from '../../ops/tracing';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import {
  type AccessParts,
  getAudience,
  authenticate,
  authorize,
  identifyKey,
  refuseApi,
} from './access';
import { findClientAddress, isEncrypted } from './client-address';
import { createEntropy, newCommandId, newRequestId } from '../../event-store/entropy';
import {
  type Admission,
  RepeatedRequest,
  computeFingerprint,
  type IdempotencyStore,
  type KeyedRequest,
  readIdempotencyKey,
  keyReusedError,
  type RunningRequest,
  type StoredResponse,
} from './idempotency';
import { readIfMatch } from './if-match';
import { computeDigest, KeyedUpload } from './keyed-upload';
import { getBodyToStore, identifyMaker, presentRepeat } from './presentation';
import { findFlaw } from '../fields/raw-input';
import { LOG_POSITION } from '../fields/header-patterns';
import { getFacts, toJson, createOrigin, rememberFacts, type RequestFacts } from './request-facts';
import {
  countRefused,
  limitEndpoint,
  limitRequest,
  skipEndpointLimit,
  type RequestLimitParts,
} from './request-limits';
import { createRequestTrace } from './request-trace';
import { findTargetFlaw } from './request-target';
import { getRouteFacts } from './route-facts';
import { nameOnlyTenant } from './sessions';
import { requireUnambiguousHeaders } from './unreadable';
import { createRefusal } from '../fields/validation';

const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** The lowest status of a response that refuses the request. */
const REFUSAL_STATUS_MIN = 400;
const CHANGING_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/**
 * The longest time that a read waits until the read models contain the caller's own writes. After
 * it, the read returns the rows as they are.
 */
const READ_YOUR_WRITES_MS = 3_000;
/** Response headers that are stored with the body for repeats. */
const STORED_HEADERS = ['content-type', 'location', 'etag', 'x-service-log-position'];

export interface PipelineParts extends AccessParts, RequestLimitParts {
  readonly trustedProxies: BlockList;
  readonly idempotency: IdempotencyStore;
  readonly masterKey: MasterKey;
  readonly freshness: ReadYourWrites;
  /** Records calls that append no event. */
  readonly auditTrail: AuditTrail;
  readonly liveRequests: LiveRequests;
  readonly tracing: Tracing;
  readonly clock: Clock;
}

/**
 * Installs the hooks that run before and after the handler of every request. Before it: request id,
 * check of the target, authentication, rate limit, scopes, read-your-writes and idempotency. After
 * it: audit log, log position and storing the response. The matched route declares its audience,
 * and only this decides who may call it.
 */
export const installPipeline = (adapter: FastifyAdapter, parts: PipelineParts): void => {
  const server = adapter.getInstance();
  // This hook runs before all others, including those of the framework.
  adapter.setOnRequestHook((request: FastifyRequest, reply: FastifyReply, done) => {
    identify(request, reply, parts);
    done(findTargetFlaw(request.method, request.raw.url ?? '') ?? undefined);
  });
  let isClosing = false;
  server.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  server.addHook('onRequest', async (request, reply) => {
    if (isClosing) throw shuttingDownError();
    requireUnambiguousHeaders(request);
    const audience = getAudience(request);
    if (audience === null) {
      await identifyKey(request, parts);
      limitRequest(request, reply, parts);
      return;
    }
    if (!parts.servesApi) refuseApi(request, audience);
    await authenticate(request, audience, parts);
    if (getFacts(request).principal?.scope.environment === 'live')
      parts.liveRequests.recordRequest();
    limitRequest(request, reply, parts);
    authorize(request, audience, parts);
  });
  server.addHook('preHandler', async (request, reply) => {
    refuseInvalidInput(request);
    const facts = getFacts(request);
    const changes = CHANGING_METHODS.has(request.method);
    if (!changes || getRouteFacts(request).readsOwnWrites === true) {
      await waitForWrites(request, facts, parts.freshness);
    }
    if (changes) await admit(request, reply, parts);
  });
  server.addHook('onSend', async (request, reply, payload) => {
    await countRefused(request, reply, parts);
    await recordCall(request, reply, parts);
    addPositionHeader(request, reply, parts.freshness);
    await completeKey(request, reply, payload, parts.idempotency);
    return payload;
  });
};

const identify = (
  request: FastifyRequest,
  reply: FastifyReply,
  { trustedProxies, tracing }: PipelineParts,
): void => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId();
  rememberFacts(request, {
    id,
    ...createRequestTrace(request.headers['traceparent'], tracing),
    address: findClientAddress(request, trustedProxies),
    isSecure: isEncrypted(request, trustedProxies),
    session: null,
    portal: null,
    membership: null,
    actor: null,
    principal: null,
    lastWritePosition: null,
    isRenewal: false,
    auditedObject: null,
    refusal: null,
    command: null,
  });
  void reply.header('x-request-id', id);
};

/**
 * The error for a further request on a connection that was busy at shutdown. Fastify closes the
 * connection after it.
 */
const shuttingDownError = (): DomainError =>
  new DomainError('service_unavailable', 'The service is shutting down. Repeat the request.');

const refuseInvalidInput = ({ body: given, query, params }: FastifyRequest): void => {
  const body = toJson(given);
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new DomainError('parameter_invalid', 'The body must be a JSON object.', {
      param: 'body',
    });
  }
  const flaw = findFlaw(params) ?? findFlaw(query) ?? findFlaw(body);
  if (flaw !== null) throw createRefusal([flaw]);
};

/** Returns the name of the scope that owns the request's Idempotency-Keys and writes. */
const getScopeName = (request: FastifyRequest): string | null => {
  const { principal, membership, session, actor } = getFacts(request);
  if (principal !== null) return scopeName(principal.scope);
  if (actor === null) return null;
  if (getRouteFacts(request).audience?.kind === 'operator') return 'operator';
  return `console.${membership?.tenant.id ?? session?.id ?? actor.id}`;
};

/**
 * Records an audited call before its response is sent, so that nothing is shown that is not
 * recorded. A refused call is not recorded, because it did nothing. A repeat under an
 * Idempotency-Key shows the response again, so it is recorded too.
 */
const recordCall = async (
  request: FastifyRequest,
  { statusCode }: FastifyReply,
  { auditTrail }: PipelineParts,
): Promise<void> => {
  const { audited } = getRouteFacts(request);
  const { session, isRenewal, auditedObject } = getFacts(request);
  if (audited === undefined || statusCode >= REFUSAL_STATUS_MIN || isRenewal) return;
  const params = Object.values((request.params ?? {}) as Record<string, string>);
  const { view } = (request.query ?? {}) as Record<string, unknown>;
  const origin = createOrigin(request);
  const id = params.at(-1) ?? view ?? origin.within ?? session?.id;
  await auditTrail.record({
    action: audited.action,
    object: auditedObject ?? {
      type: audited.object,
      id: typeof id === 'string' && AUDITED_ID.test(id) ? id : '',
    },
    origin: {
      ...nameOnlyTenant(session?.memberships.map(({ tenant }) => tenant.id) ?? []),
      ...origin,
    },
  });
};

/** The form of an id in a path. Any other text in a path may be personal and is not recorded. */
const AUDITED_ID = /^[\w.-]{1,128}$/;

const waitForWrites = async (
  request: FastifyRequest,
  facts: RequestFacts,
  freshness: ReadYourWrites,
): Promise<void> => {
  const scope = getScopeName(request);
  // Operators read directories in memory, which need no wait.
  if (scope === null || facts.principal === null) return;
  const asked = readLogPosition(request.headers['x-service-log-position']);
  if (!(await freshness.isComplete())) {
    throw new DomainError(
      'service_unavailable',
      'The read models are being rebuilt from the log. Writes work; repeat the read later.',
    );
  }
  await freshness.waitForWrites(scope, asked, READ_YOUR_WRITES_MS);
};

const readLogPosition = (header: string | string[] | undefined): bigint | null => {
  if (header === undefined) return null;
  if (typeof header === 'string' && LOG_POSITION.test(header)) return BigInt(header);
  throw new DomainError(
    'parameter_invalid',
    'X-Service-Log-Position must be the whole number that the response to a write contained.',
    { param: 'X-Service-Log-Position' },
  );
};

/**
 * Creates the command of the request. Throws `RepeatedRequest` with the stored response if the
 * Idempotency-Key has one.
 */
const admit = async (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PipelineParts,
): Promise<void> => {
  const facts = getFacts(request);
  const scope = getScopeName(request);
  if (scope === null) return;
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  const now = parts.clock.now();
  if (key === null) {
    await limitEndpoint(request, reply, parts);
    facts.command = createCommand(facts, request, {
      id: newCommandId(),
      now,
      resumed: false,
    });
    return;
  }
  const keyed = { scope, key, ...computeFingerprints(request) };
  const admission = await parts.idempotency.admit(keyed, now);
  if (admission.kind === 'repeat') {
    skipEndpointLimit(request);
    await requireSameBody(request, admission);
    throw new RepeatedRequest(presentRepeat(request, admission.response));
  }
  const upload = createUpload(request, { keyed, admission, store: parts.idempotency });
  keyedRequests.set(request.raw, { ...keyed, resumed: admission.resumed, upload });
  await limitEndpoint(request, reply, parts);
  const seed = parts.masterKey.digest(`command ${scope} ${key} ${admission.acceptedAt}`);
  facts.command = createCommand(facts, request, {
    id: seed.subarray(0, 16).toString('hex'),
    now: admission.acceptedAt,
    resumed: admission.resumed,
  });
};

const keyedRequests = new WeakMap<object, RunningRequest & { upload: KeyedUpload | null }>();

/** Reads a streamed body to compare its digest. Nothing of the body is stored. */
const requireSameBody = async (
  { body }: FastifyRequest,
  { bodyDigest }: Admission,
): Promise<void> => {
  if (bodyDigest !== null && (await computeDigest(body)) !== bodyDigest) throw keyReusedError();
};

const createUpload = (
  request: FastifyRequest,
  {
    keyed,
    admission,
    store,
  }: { keyed: KeyedRequest; admission: Admission; store: IdempotencyStore },
): KeyedUpload | null => {
  if (!(request.body instanceof Readable)) return null;
  const upload = new KeyedUpload(store, keyed, admission.bodyDigest);
  request.body = upload.pass(request.body);
  return upload;
};

/**
 * Returns the fingerprints of a request. No body, an empty body and `{}` are equal. An earlier
 * version stored different fingerprints for them, so the former fingerprint is accepted too.
 */
const computeFingerprints = ({
  method,
  url,
  body: given,
}: FastifyRequest): Pick<KeyedRequest, 'fingerprint' | 'formerFingerprint'> => {
  const [path = '', query = ''] = url.split('?');
  const digestBody = (body: unknown): string => computeFingerprint({ method, path, query, body });
  const body = toJson(given) ?? {};
  return Object.keys(body).length > 0
    ? { fingerprint: digestBody(body), formerFingerprint: null }
    : { fingerprint: digestBody(null), formerFingerprint: digestBody({}) };
};

const createCommand = (
  facts: RequestFacts,
  request: FastifyRequest,
  { id, now, resumed }: { id: string; now: Instant; resumed: boolean },
): RequestFacts['command'] => {
  const expectedSequence = readIfMatch(request);
  return {
    commandId: id,
    now,
    actor: facts.session === null ? 'api' : 'dashboard',
    origin: createOrigin(request),
    entropy: createEntropy(id),
    resumed,
    ...(expectedSequence === null ? {} : { expectedSequence }),
    wrote: (position) => {
      facts.lastWritePosition = position;
    },
  };
};

const addPositionHeader = (
  request: FastifyRequest,
  reply: FastifyReply,
  freshness: ReadYourWrites,
): void => {
  const facts = getFacts(request);
  const scope = getScopeName(request);
  if (facts.lastWritePosition === null || scope === null) return;
  freshness.recordWrite(scope, facts.lastWritePosition);
  void reply.header('x-service-log-position', String(facts.lastWritePosition));
};

const completeKey = async (
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
  const { actor, refusal } = getFacts(request);
  const answer = {
    status: reply.statusCode,
    body: getBodyToStore(request, payload),
    headers: Object.fromEntries(headers),
    ...(actor === null ? {} : { maker: identifyMaker(actor) }),
  };
  await settleKey(idempotency, { keyed, answer, refusal }).catch((error: unknown) => {
    // The change is stored in the log already. A repeat is refused until the lock ends; then it
    // finds the change there.
    warnOfFailure('could not store an idempotent response', 'idempotency', error);
  });
};

const settleKey = (
  idempotency: IdempotencyStore,
  {
    keyed,
    answer,
    refusal,
  }: {
    keyed: RunningRequest & { upload: KeyedUpload | null };
    answer: StoredResponse;
    refusal: ErrorCode | null;
  },
): Promise<void> => {
  // The body differs from the first one with this key, so this response is not stored.
  if (keyed.upload?.differs === true) return idempotency.unlock(keyed);
  // The request had no effect. The caller may read the object again and repeat it with another
  // If-Match.
  if (refusal === 'version_conflict') return idempotency.release(keyed);
  return idempotency.finish(keyed, answer, keyed.upload?.digest ?? null);
};
