import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ConflictError,
  ConnectionError,
  NotFoundError,
  RateLimitError,
  Service,
  type ServiceOptions,
  TimeoutError,
} from '../src/index';

type Respond = (request: Request) => Response | Promise<Response>;

interface Stub {
  readonly service: Service;
  readonly requests: Request[];
}

/**
 * A client whose requests are answered one after the other, the last response for all that follow.
 */
const answerWith = (answers: readonly Respond[], options: ServiceOptions = {}): Stub => {
  const requests: Request[] = [];
  const service = new Service({
    baseUrl: 'https://service.test/',
    apiKey: 'rk_test_1',
    ...options,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      requests.push(request);
      const respond = answers[Math.min(requests.length, answers.length) - 1];
      return respond!(request);
    },
  });
  return { service, requests };
};

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Respond =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });

const createRefusal = (code: string, type: string, status: number, headers = {}): Respond =>
  json(
    {
      error: {
        ...{ type, code, message: 'No.', param: 'plan', details: { a: 1 }, errors: [] },
        ...{ doc_url: `/docs/errors#${code}`, request_id: 'req_1' },
      },
    },
    status,
    headers,
  );

const NOW = { 'retry-after': '0' };

describe('calls of the SDK', () => {
  it('are sent to the operation, with the key, the body and the query', async () => {
    const { service, requests } = answerWith([json({ id: 'sub_1' })]);
    await service.subscriptions.changePlan(
      'sub/1',
      { to_plan: 'pro' },
      { idempotencyKey: 'k', ifMatch: '"3"' },
    );
    await service.metrics.get('mrr', { window: 'last_7d' });
    const [change, metric] = requests;
    expect(change!.url).toBe('https://service.test/v1/subscriptions/sub%2F1/plan');
    expect(change!.headers.get('authorization')).toBe('Bearer rk_test_1');
    expect(change!.headers.get('idempotency-key')).toBe('k');
    expect(change!.headers.get('if-match')).toBe('"3"');
    expect(await change!.json()).toEqual({ to_plan: 'pro' });
    expect(metric!.url).toBe('https://service.test/v1/metrics/mrr?window=last_7d');
    expect(metric!.headers.get('idempotency-key')).toBeNull();
  });

  it.each([undefined, null, ''])('are refused without an id (%j), with its name', (id) => {
    const { service, requests } = answerWith([json({})]);
    expect(() => service.deliveries.get('dest_1', id as never)).toThrow(
      new TypeError('eventId is missing'),
    );
    expect(requests).toHaveLength(0);
  });

  it('carry no key where a cookie says who calls', async () => {
    const { service, requests } = answerWith([json({})], {
      apiKey: undefined as never,
      credentials: 'same-origin',
    });
    await service.plans.get('pro');
    expect(requests[0]!.headers.get('authorization')).toBeNull();
    expect(requests[0]!.credentials).toBe('same-origin');
  });

  it.each([408, 429, 500, 502, 503, 504])(
    'are repeated with the same key after %i',
    async (status) => {
      const { service, requests } = answerWith([
        json({}, status, NOW),
        json({}, status, NOW),
        json({ id: 'tkt_1' }),
      ]);
      const ticket = { subscriber_id: 'subscriber_1', topic: 'other' } as const;
      await expect(service.tickets.create(ticket)).resolves.toEqual({ id: 'tkt_1' });
      const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
    },
  );

  it('are repeated after a conflict only where the service says when', async () => {
    const running = createRefusal('idempotency_key_in_use', 'conflict_error', 409, NOW);
    const { service, requests } = answerWith([running, json({ id: 'sub_1' })]);
    await expect(service.subscriptions.resume('sub_1')).resolves.toEqual({ id: 'sub_1' });
    expect(requests).toHaveLength(2);
    const state = answerWith([createRefusal('invalid_state_transition', 'conflict_error', 409)]);
    await expect(state.service.subscriptions.resume('sub_1')).rejects.toThrow(ConflictError);
    expect(state.requests).toHaveLength(1);
  });

  it('are repeated after a broken connection and half a body', async () => {
    const broken = (): never => {
      throw new TypeError('fetch failed');
    };
    const half: Respond = () =>
      new Response('{"id": "pl', { headers: { 'content-type': 'application/json' } });
    const { service, requests } = answerWith([broken, half, json({ id: 'pro' })]);
    await expect(service.plans.get('pro')).resolves.toEqual({ id: 'pro' });
    expect(requests).toHaveLength(3);
    const never = answerWith([broken], { maxRetries: 0 });
    await expect(never.service.plans.get('pro')).rejects.toThrow(ConnectionError);
  });

  it('name the address and the reason when nothing answers, and no query', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const service = new Service({
      baseUrl: `http://127.0.0.1:${port}/v1/`,
      apiKey: 'k',
      maxRetries: 0,
    });
    const call = service.subscribers.list({ email: 'ada@example.com' });
    const error: unknown = await call.then(null, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message: `No response to GET http://127.0.0.1:${port}/v1/subscribers: nothing answers`,
    });
  });

  it.each([
    'https://service.test',
    'https://service.test/',
    'https://service.test/v1',
    'https://service.test/v1/',
  ])('are sent to the service at %s', async (baseUrl) => {
    const { service, requests } = answerWith([json({})], { baseUrl });
    await service.plans.get('pro');
    expect(requests[0]!.url).toBe('https://service.test/v1/plans/pro');
  });

  it.each(['', 'service.test', 'localhost:3000', 'https://ada:secret@service.test', 'ftp://a'])(
    'are refused at once, and not tried again, with the base URL %j',
    async (baseUrl) => {
      const onRetry = jest.fn();
      const service = new Service({ baseUrl, apiKey: 'rk_test_1', onRetry });
      await expect(service.plans.get('pro')).rejects.toThrow(
        new TypeError('baseUrl must be a URL such as http://127.0.0.1:3000'),
      );
      expect(onRetry).not.toHaveBeenCalled();
    },
  );

  it.each(['text/html; charset=utf-8', 'text/plain'])(
    'are refused at once by the client when another program answers with %s',
    async (type) => {
      const headers = { 'content-type': type };
      const { service, requests } = answerWith([() => new Response('Hi', { headers })]);
      await expect(service.plans.list()).rejects.toThrow('baseUrl is not the service');
      expect(requests).toHaveLength(1);
    },
  );

  it.each([301, 302, 303, 307, 308])(
    'are refused, and not sent to another address, when a server answers with the redirect %i',
    async (status) => {
      const received: string[] = [];
      const server = createServer((request, response) => {
        received.push(`${request.method} ${request.url}`);
        const location = '/elsewhere?email=ada@example.com';
        response.writeHead(received.length === 1 ? status : 200, { location }).end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const service = new Service({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' });
      const call = service.subscribers.create({ email: 'ada@example.com' });
      await expect(call).rejects.toThrow(
        new TypeError('baseUrl is not the service: it redirects to /elsewhere'),
      );
      expect(received).toEqual(['POST /v1/subscribers']);
      await new Promise((resolve) => server.close(resolve));
    },
  );

  it('are refused when a page hides the address of a redirect', async () => {
    const { service } = answerWith([() => Response.error()]);
    await expect(service.plans.get('pro')).rejects.toThrow('it redirects to another address');
  });

  it.each(['rk_test_…', 'rk_test_1\n', ' '])('are refused with the key %j', async (apiKey) => {
    const { service, requests } = answerWith([json({})], { apiKey });
    await expect(service.plans.get('pro')).rejects.toThrow('apiKey is not a key');
    expect(requests).toEqual([]);
  });

  it.each([{ timeoutMs: 0 }, { timeoutMs: Infinity }, { maxRetries: -1 }, { maxRetries: NaN }])(
    'are refused at once with %j, which is out of range',
    async (options) => {
      const { service, requests } = answerWith([json({})]);
      await expect(service.plans.get('pro', options)).rejects.toThrow('timeoutMs is out of range');
      expect(requests).toEqual([]);
    },
  );

  it.each([{ idempotencyKey: 'order ☃' }, { headers: { 'x-note': 'a\nb' } }])(
    'are refused at once with %j, which no header can carry',
    async (options) => {
      const { service, requests } = answerWith([json({})]);
      await expect(service.credits.void('crd_1', options)).rejects.toMatchObject({
        name: 'TypeError',
      });
      expect(requests).toEqual([]);
    },
  );

  it('leave a long wait to the caller', async () => {
    const { service, requests } = answerWith([
      createRefusal('rate_limited', 'rate_limit_error', 429, { 'retry-after': '3600' }),
    ]);
    const error: unknown = await service.replays.list().then(null, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterSeconds: 3600 });
    expect(requests).toHaveLength(1);
  });

  it('fail with an error that says what the service said', async () => {
    const { service } = answerWith([createRefusal('resource_not_found', 'not_found_error', 404)]);
    const error: unknown = await service.plans.get('x').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      ...{ name: 'NotFoundError', status: 404, code: 'resource_not_found', param: 'plan' },
      ...{ requestId: 'req_1', details: { a: 1 }, message: 'No.' },
    });
  });

  it('end at their time limit and by the signal of the caller', async () => {
    const silent: Respond = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      });
    const { service, requests } = answerWith([silent], { timeoutMs: 20, maxRetries: 0 });
    await expect(service.plans.get('pro')).rejects.toThrow(
      new TimeoutError('No response to GET https://service.test/v1/plans/pro: 20 ms passed'),
    );
    const ended = service.plans.get('pro', { signal: AbortSignal.abort(new Error('enough')) });
    await expect(ended).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });

  it('read what was written before, by the position in the log', async () => {
    const { service, requests } = answerWith([
      json({ id: 'a' }, 201, { 'x-service-log-position': '90' }),
      json({ id: 'b' }, 201, { 'x-service-log-position': '17' }),
      json({}),
    ]);
    await service.subscribers.create({ email: 'ada@example.com' });
    await service.subscribers.create({ email: 'ada@example.com' });
    await service.subscribers.get('a');
    expect(requests[2]!.headers.get('x-service-log-position')).toBe('90');
    expect(requests[1]!.headers.get('x-service-log-position')).toBeNull();
  });

  it('tell hooks what they do, without the API key', async () => {
    const seen: unknown[] = [];
    const { service } = answerWith(
      [json({}, 503, NOW), json({}, 200, { 'x-request-id': 'req_2', etag: '"7"' })],
      {
        onRequest: (info) => seen.push(['request', info.attempt]),
        onRetry: (info) => seen.push(['retry', info.reason]),
        onResponse: (info) => seen.push(['response', info.status, info.requestId, info.etag]),
      },
    );
    await service.plans.get('pro');
    expect(seen).toEqual([
      ...[
        ['request', 1],
        ['response', 503, null, null],
        ['retry', 503],
      ],
      ...[
        ['request', 2],
        ['response', 200, 'req_2', '"7"'],
      ],
    ]);
  });
});

describe('lists of the SDK', () => {
  const page = (ids: string[], next: string | null) =>
    json({
      data: ids.map((id) => ({ id })),
      ...{ has_more: next !== null, next_cursor: next, previous_cursor: 'p' },
    });

  it('are walked over to their end, with their filters', async () => {
    const { service, requests } = answerWith([page(['1', '2'], 'c1'), page(['3'], null)]);
    const ids: string[] = [];
    for await (const { id } of service.subscribers.list({ status: 'active' })) ids.push(id);
    expect(ids).toEqual(['1', '2', '3']);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?status=active',
      '?status=active&starting_after=c1',
    ]);
  });

  it.each([
    ['starting_after', 'c1'],
    ['ending_before', 'p'],
  ] as const)('go on from the cursor of a page that was asked for with %s', async (name, next) => {
    const { service, requests } = answerWith([page(['1'], 'c1'), page(['2'], null)]);
    await (await service.subscribers.list({ [name]: 'a' })).next();
    expect(new URL(requests[1]!.url).search).toBe(`?${name}=${next}`);
  });

  it('give their error to catch, as a promise does', async () => {
    const { service } = answerWith([createRefusal('not_found', 'not_found_error', 404)]);
    const fallback = await service.subscribers.list().catch((error: unknown) => error);
    expect(fallback).toBeInstanceOf(NotFoundError);
  });

  it('are read page by page', async () => {
    const { service, requests } = answerWith([page(['1'], 'c1'), page(['2'], null)]);
    const first = await service.plans.list({ limit: 1 });
    expect(JSON.parse(JSON.stringify(first))).toEqual({
      ...{ data: [{ id: '1' }], hasMore: true, nextCursor: 'c1', previousCursor: 'p' },
    });
    const second = await first.next();
    expect(second!.data).toEqual([{ id: '2' }]);
    expect(await second!.next()).toBeNull();
    expect(requests).toHaveLength(2);
  });
});
