import { BlockList } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { DomainError } from '../../kernel/errors';
import type { Instant } from '../../kernel/time';
import { NO_TRACING } from '../../ops/tracing';
import { RepeatedRequest } from './idempotency';
import { installPipeline, type PipelineParts } from './pipeline';
import { getFacts, type Principal } from './request-facts';
import type { Audience, RouteFacts } from './route-facts';
import type { ScopeName } from './scopes';
import { createSessionCookie } from './sessions';

const NOW = '2026-03-10T12:00:00.000Z' as Instant;
const LIMIT = { name: 'test', reason: 'key-rate', ratePerSecond: 1, burst: 1 } as const;
const ENDPOINT_LIMIT = { ...LIMIT, name: 'replay', reason: 'endpoint-rate' } as const;
const VERDICT = { bucket: { tokens: 0, atMs: 0 }, remaining: 0, resetSeconds: 1 };
const KEYED = { 'idempotency-key': 'one' };
const KEY = { authorization: 'Bearer a-key' };
const OPERATOR = { authorization: 'Bearer an-operator' };

const TENANT: Audience = { kind: 'tenant', scopes: ['events:read'] };
const ROUTES: Readonly<Record<string, RouteFacts>> = {
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

/** Everything that a request passes writes down its name here. */
interface Stage {
  readonly server: FastifyInstance;
  readonly passed: string[];
}

interface Options {
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

const createStage = async (options: Options = {}): Promise<Stage> => {
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
  const invalid = (): never => {
    throw new DomainError('api_key_invalid', 'Wrong.');
  };
  const parts = {
    servesApi: options.servesApi ?? true,
    isStarting: () => options.isStarting ?? false,
    authenticator: {
      authenticate: (key: string) =>
        key === 'a-key' ? Promise.resolve(pass('authentication', principal)) : invalid(),
      isKnown: (key: string) => key === 'a-key',
      findKeyId: () => null,
    },
    operators: {
      authenticate: (token: string) =>
        token === 'an-operator'
          ? pass('authentication', { type: 'operator', id: 'op_1', name: 'Op' })
          : invalid(),
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
      enter: () => () => undefined,
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
        getFacts(request).wrotePosition = request.method === 'POST' ? 7n : null;
        return 'handled';
      },
    });
  }
  await adapter.init();
  await server.ready();
  return { server, passed };
};

const call = async (
  { server, passed }: Stage,
  url: string,
  options: InjectOptions = {},
): Promise<{ answer: string; passed: readonly string[]; requestId: unknown }> => {
  const { body, headers } = await server.inject({ method: 'GET', url, ...options });
  return { answer: body, passed: [...passed], requestId: headers['x-request-id'] };
};

const callWith = async (given: Options, url: string, options?: InjectOptions) => {
  const stage = await createStage(given);
  try {
    return await call(stage, url, options);
  } finally {
    await stage.server.close();
  }
};

const post = { method: 'POST', headers: { ...KEY, ...KEYED } } as const;

describe('the pipeline of a request', () => {
  it('checks a read in this order', async () => {
    const { answer, passed } = await callWith({ environment: 'live' }, '/tenant', { headers: KEY });
    expect(answer).toBe('handled');
    expect(passed).toEqual([
      'authentication',
      'live request',
      'rate limit',
      'read your writes',
      'handler',
      'endpoint limit',
      'audit',
    ]);
  });

  it('checks a change in this order, and stores its answer last', async () => {
    const { answer, passed } = await callWith({}, '/tenant', post);
    expect(answer).toBe('handled');
    expect(passed).toEqual([
      'authentication',
      'rate limit',
      'idempotency',
      'endpoint limit',
      'handler',
      'audit',
      'log position',
      'answer stored',
    ]);
  });

  it('records no call that its handler refuses, because it did nothing', async () => {
    const { answer, passed } = await callWith({ handlerRefuses: true }, '/tenant', post);
    expect(answer).toBe('resource_not_found');
    expect(passed).toContain('handler');
    expect(passed).not.toContain('audit');
  });

  it('shows nothing of a call that cannot be recorded', async () => {
    const { answer, passed } = await callWith({ auditFails: true }, '/tenant', { headers: KEY });
    expect(passed).toContain('handler');
    expect(answer).toBe('service_unavailable');
  });

  it('gives each answer a request id, the client’s own if it is well formed', async () => {
    const stage = await createStage();
    const idOf = async (url: string, id?: string): Promise<unknown> => {
      const headers = id === undefined ? {} : { 'x-request-id': id };
      return (await call(stage, url, { headers })).requestId;
    };
    expect(await idOf('/public', 'mine-1')).toBe('mine-1');
    expect(await idOf('/public', 'not mine')).toMatch(/^req_/);
    expect(await idOf('/tenant')).toMatch(/^req_/);
    expect(await idOf('/unknown')).toMatch(/^req_/);
    await stage.server.close();
  });
});

describe('a request that the pipeline refuses', () => {
  const COURSES: readonly (readonly [
    name: string,
    given: Options,
    options: InjectOptions,
    code: string,
    passed: readonly string[],
  ])[] = [
    ['no credential', {}, {}, 'api_key_missing', []],
    [
      'a wrong credential',
      {},
      { headers: { authorization: 'Bearer nonsense' } },
      'api_key_invalid',
      ['wrong credential counted'],
    ],
    ['a credential of the other kind', {}, { headers: OPERATOR }, 'api_key_invalid', []],
    [
      'too many requests',
      { overKeyLimit: true },
      post,
      'rate_limited',
      ['authentication', 'rate limit'],
    ],
    [
      'a missing scope',
      { scopes: ['metrics:read'] },
      post,
      'insufficient_scope',
      ['authentication', 'rate limit'],
    ],
    [
      'a body that is no object',
      {},
      { ...post, payload: '[]', headers: { ...post.headers, 'content-type': 'application/json' } },
      'parameter_invalid',
      ['authentication', 'rate limit'],
    ],
    [
      'read models that are being rebuilt',
      { isRebuilding: true },
      { headers: KEY },
      'service_unavailable',
      ['authentication', 'rate limit'],
    ],
    [
      'a repeat of an answered request',
      { answeredBefore: true },
      post,
      'repeated',
      ['authentication', 'rate limit', 'idempotency', 'audit'],
    ],
    [
      'too many calls of the endpoint',
      { overEndpointLimit: true },
      post,
      'rate_limited',
      ['authentication', 'rate limit', 'idempotency', 'endpoint limit'],
    ],
  ];

  it.each(COURSES)('passes no later check: %s', async (_, given, options, code, passed) => {
    const called = await callWith(given, '/tenant', options);
    expect(called.answer).toBe(code);
    expect(called.passed).not.toContain('handler');
    expect(called.passed.slice(0, passed.length)).toEqual(passed);
    // A refused call is counted at the endpoint's limit, and its answer is stored under its key.
    const afterwards = called.passed.slice(passed.length);
    expect(['endpoint limit', 'answer stored']).toEqual(expect.arrayContaining(afterwards));
  });
});

describe('access is denied unless the route declares it', () => {
  const CALLERS: Readonly<Record<string, Record<string, string>>> = {
    nobody: {},
    key: KEY,
    operator: OPERATOR,
    monitoring: { authorization: 'Bearer for-metrics' },
    cookie: { cookie: createSessionCookie('unknown', false, 'own').split(';')[0] ?? '' },
  };
  /** The callers that each route admits. */
  const ADMITTED: Readonly<Record<string, readonly string[]>> = {
    '/tenant': ['key'],
    '/test-only': ['key'],
    '/operator': ['operator'],
    '/root': [],
    '/member': [],
    '/metrics': ['monitoring'],
    '/monitoring': Object.keys(CALLERS),
    '/public': Object.keys(CALLERS),
    '/undeclared': [],
  };

  it.each(Object.entries(ADMITTED))('%s admits only: %j', async (url, admitted) => {
    const found: string[] = [];
    for (const [name, headers] of Object.entries(CALLERS)) {
      const { answer, passed } = await callWith({}, url, { headers });
      expect(passed.includes('handler')).toBe(answer === 'handled');
      if (answer === 'handled') found.push(name);
    }
    expect(found).toEqual(admitted);
  });

  it('admits the root token where only it may call', async () => {
    expect((await callWith({ isRoot: true }, '/root', { headers: OPERATOR })).answer).toBe(
      'handled',
    );
  });

  it('refuses test helpers for a live key before its scopes are checked', async () => {
    const given = { environment: 'live', scopes: ['metrics:read'] } as const;
    expect((await callWith(given, '/test-only', { headers: KEY })).answer).toBe(
      'test_helpers_live_forbidden',
    );
  });

  it('answers an unknown path in the same way for every caller, without authentication', async () => {
    for (const headers of Object.values(CALLERS)) {
      const { answer, passed } = await callWith({}, '/unknown', { headers });
      expect(answer).toContain('Not Found');
      expect(passed).toEqual([]);
    }
  });

  it('answers monitoring only while the service starts, and public pages', async () => {
    for (const [url, headers] of [
      ['/tenant', KEY],
      ['/operator', OPERATOR],
      ['/member', {}],
    ] as const) {
      const { answer, passed } = await callWith({ isStarting: true }, url, { headers });
      expect([answer, passed]).toEqual(['service_unavailable', []]);
    }
    expect((await callWith({ isStarting: true }, '/monitoring')).answer).toBe('handled');
    expect((await callWith({ isStarting: true }, '/public')).answer).toBe('handled');
  });

  it('answers monitoring only in a process without the role api', async () => {
    const metrics = CALLERS['monitoring'] ?? {};
    for (const url of Object.keys(ROUTES)) {
      const { answer } = await callWith({ servesApi: false }, url, { headers: metrics });
      const isForMonitoring = url === '/monitoring' || url === '/metrics';
      expect([url, answer === 'handled']).toEqual([url, isForMonitoring]);
    }
  });
});
