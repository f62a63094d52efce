import { BlockList } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { DomainError } from '../../src/kernel/errors';
import type { Instant } from '../../src/kernel/time';
import { NO_TRACING } from '../../src/ops/tracing';
import { RepeatedRequest } from '../../src/http/pipeline/idempotency';
import { installPipeline, type PipelineParts } from '../../src/http/pipeline/pipeline';
import { getFacts, type Principal } from '../../src/http/pipeline/request-facts';
import type { Audience, RouteFacts } from '../../src/http/pipeline/route-facts';
import type { ScopeName } from '../../src/http/pipeline/scopes';

const NOW = '2026-03-10T12:00:00.000Z' as Instant;
const LIMIT = { name: 'test', reason: 'key-rate', ratePerSecond: 1, burst: 1 } as const;
const ENDPOINT_LIMIT = { ...LIMIT, name: 'replay', reason: 'endpoint-rate' } as const;
const VERDICT = { bucket: { tokens: 0, atMs: 0 }, remaining: 0, resetSeconds: 1 };
export const KEYED = { 'idempotency-key': 'one' };
export const KEY = { authorization: 'Bearer a-key' };
export const OPERATOR = { authorization: 'Bearer an-operator' };

const TENANT: Audience = { kind: 'tenant', scopes: ['events:read'] };
export const ROUTES: Readonly<Record<string, RouteFacts>> = {
  '/tenant': {
    audience: TENANT,
    endpointLimit: 'replay',
    audited: { action: 'events.viewed', object: 'event' },
  },
  '/test-only': { audience: TENANT, testOnly: true },
  '/operator': { audience: { kind: 'operator' } },
  '/root': { audience: { kind: 'operator', rootOnly: true } },
  '/member': { audience: { kind: 'member', right: 'session' } },
  '/metrics': { audience: { kind: 'metrics' } },
  '/monitoring': { audience: { kind: 'monitoring' } },
  '/public': { audience: { kind: 'public' } },
  '/undeclared': {},
};

/** Records the name of each part of the pipeline that a request passes. */
interface Stage {
  readonly server: FastifyInstance;
  readonly passed: string[];
}

export interface StageOptions {
  readonly scopes?: readonly ScopeName[];
  readonly environment?: 'live' | 'test';
  readonly servesApi?: boolean;
  readonly isStarting?: boolean;
  readonly overKeyLimit?: boolean;
  readonly overEndpointLimit?: boolean;
  readonly isRebuilding?: boolean;
  readonly auditFails?: boolean;
  readonly handlerRefuses?: boolean;
  readonly answeredBefore?: boolean;
  readonly isRoot?: boolean;
}

export const createStage = async (options: StageOptions = {}): Promise<Stage> => {
  const passed: string[] = [];
  const pass = <Result>(name: string, result: Result): Result => {
    passed.push(name);
    return result;
  };
  const note = (name: string) => (): void => {
    passed.push(name);
  };
  const noteLater = (name: string) => async (): Promise<void> => {
    await Promise.resolve();
    passed.push(name);
  };
  const principal: Principal = {
    keyId: 'key_1',
    keyName: 'tests',
    scope: { tenantId: 'tnt_1', environment: options.environment ?? 'test' },
    tenant: { id: 'tnt_1', name: 'Acme' },
    scopes: new Set<ScopeName>(options.scopes ?? ['events:read']),
    role: null,
  };
  const throwInvalid = (): never => {
    throw new DomainError('api_key_invalid', 'Wrong.');
  };
  const parts = {
    servesApi: options.servesApi ?? true,
    isStarting: () => options.isStarting ?? false,
    authenticator: {
      authenticate: (key: string) =>
        key === 'a-key' ? Promise.resolve(pass('authentication', principal)) : throwInvalid(),
      isKnown: (key: string) => key === 'a-key',
      findKeyId: () => null,
    },
    operators: {
      authenticate: (token: string) =>
        token === 'an-operator'
          ? pass('authentication', { type: 'operator', id: 'op_1', name: 'Op' })
          : throwInvalid(),
      isKnown: (token: string) => token === 'an-operator',
      findTokenId: () => null,
      isRoot: () => options.isRoot ?? false,
    },
    sessions: { find: () => Promise.resolve(null) },
    failures: {
      count: noteLater('wrong credential counted'),
    },
    metricsAccess: { kind: 'token', token: 'for-metrics' },
    trustedProxies: new BlockList(),
    idempotency: {
      admit: () =>
        Promise.resolve(
          pass(
            'idempotency',
            options.answeredBefore === true
              ? {
                  kind: 'repeat',
                  response: { status: 201, body: '{}', headers: {} },
                  bodyDigest: null,
                }
              : { kind: 'run', acceptedAt: NOW, resumed: false, bodyDigest: null },
          ),
        ),
      finish: noteLater('answer stored'),
      unlock: () => Promise.resolve(),
    },
    masterKey: { digest: () => Buffer.alloc(32) },
    limiter: {
      take: () => pass('rate limit', { ...VERDICT, allowed: options.overKeyLimit !== true }),
      startRequest: () => () => undefined,
    },
    sharedLimiter: {
      take: () =>
        Promise.resolve(
          pass('endpoint limit', { ...VERDICT, allowed: options.overEndpointLimit !== true }),
        ),
    },
    limitOf: () => LIMIT,
    endpointLimitOf: ({ endpointLimit }: RouteFacts) =>
      endpointLimit === undefined ? null : ENDPOINT_LIMIT,
    freshness: {
      isComplete: () => Promise.resolve(options.isRebuilding !== true),
      waitForWrites: noteLater('read your writes'),
      recordWrite: note('log position'),
    },
    auditTrail: {
      record:
        options.auditFails === true
          ? () => Promise.reject(new DomainError('service_unavailable', 'No store.'))
          : noteLater('audit'),
    },
    liveRequests: { recordRequest: note('live request') },
    tracing: NO_TRACING,
    clock: { now: () => NOW },
  } as unknown as PipelineParts;

  const adapter = new FastifyAdapter();
  const server: FastifyInstance = adapter.getInstance();
  installPipeline(adapter, parts);
  server.setErrorHandler((error, _request, reply) => {
    if (error instanceof RepeatedRequest) return reply.code(error.response.status).send('repeated');
    const code = error instanceof DomainError ? error.code : 'internal_error';
    return reply.code(400).send(code);
  });
  for (const [url, config] of Object.entries(ROUTES)) {
    server.route({
      method: ['GET', 'POST'],
      url,
      config,
      handler: (request) => {
        passed.push('handler');
        if (options.handlerRefuses === true) throw new DomainError('resource_not_found', 'None.');
        getFacts(request).lastWritePosition = request.method === 'POST' ? 7n : null;
        return 'handled';
      },
    });
  }
  await adapter.init();
  await server.ready();
  return { server, passed };
};

export const call = async (
  { server, passed }: Stage,
  url: string,
  options: InjectOptions = {},
): Promise<{ answer: string; passed: readonly string[]; requestId: unknown }> => {
  const { body, headers } = await server.inject({ method: 'GET', url, ...options });
  return { answer: body, passed: [...passed], requestId: headers['x-request-id'] };
};

export const callWith = async (given: StageOptions, url: string, options?: InjectOptions) => {
  const stage = await createStage(given);
  try {
    return await call(stage, url, options);
  } finally {
    await stage.server.close();
  }
};
