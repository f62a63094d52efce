import type { InjectOptions } from 'fastify';
import {
  call,
  callWith,
  createStage,
  KEY,
  KEYED,
  OPERATOR,
  ROUTES,
  type StageOptions,
} from '../../../test/support/pipeline-stage';
import { createSessionCookie } from './sessions';

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

  it('checks a change in this order, and stores its response last', async () => {
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

  it('gives each response a request id, the client’s own if it is well formed', async () => {
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
    given: StageOptions,
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
    // A refused call is counted at the endpoint's limit, and its response is stored under its key.
    const afterwards = called.passed.slice(passed.length);
    expect(['endpoint limit', 'answer stored']).toEqual(expect.arrayContaining(afterwards));
  });
});

describe('access is denied unless the route declares it', () => {
  const UNSAFE_COOKIE = { kind: 'own', isSecure: false, isFramed: false } as const;
  const CALLERS: Readonly<Record<string, Record<string, string>>> = {
    nobody: {},
    key: KEY,
    operator: OPERATOR,
    monitoring: { authorization: 'Bearer for-metrics' },
    cookie: {
      cookie: createSessionCookie('unknown', UNSAFE_COOKIE).split(';')[0] ?? '',
    },
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

  it('answers an unknown path in the same way for every caller, and counts it for a valid key', async () => {
    for (const [name, headers] of Object.entries(CALLERS)) {
      const { answer, passed } = await callWith({}, '/unknown', { headers });
      expect(answer).toContain('Not Found');
      expect(passed.slice(0, 2)).toEqual(name === 'key' ? ['authentication', 'rate limit'] : []);
    }
    const wrong = { authorization: 'Bearer nonsense' };
    expect((await callWith({}, '/unknown', { headers: wrong })).passed).toEqual([]);
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
