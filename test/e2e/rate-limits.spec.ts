import type { Answer, Api } from '../support/api';
import { getToday } from '../support/replay-stage';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const LIMIT = 5;
const HOUR_MS = 3_600_000;

/** The limits are set as operators set them, and low enough for a test to reach them (D-84). */
describe('rate limits', () => {
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await Service.start({
      env: {
        RATE_LIMIT_TEST: String(LIMIT),
        RATE_LIMIT_LIVE: '50',
        RATE_LIMIT_METRICS: '2',
        RATE_LIMIT_REPLAY: '3',
        CONCURRENT_REQUESTS_PER_KEY: '2',
      },
    });
    tenant = await service.tenant();
  });

  afterAll(() => service.dispose());

  const createKey = (environment: 'live' | 'test' = 'test') =>
    service.createKey(tenant.id, environment);

  /** Returns a refusal with this reason among many concurrent calls. */
  const findRefusal = (api: Api, reason: string, path = '/v1/subscribers'): Promise<Answer> =>
    until(`a refusal for ${reason}`, async () => {
      const all = await Promise.all(Array.from({ length: 12 }, () => api.get(path)));
      return all.find(({ headers }) => headers.get('x-service-rate-limited-reason') === reason);
    });

  const REMAINING = /^"(\w+)";r=(\d+);t=(\d+)$/;

  it('are shown with every response, including refusals', async () => {
    const { api } = await createKey();
    for (const answer of [
      await api.get('/v1/plans'),
      await api.get('/v1/tickets/nonsense'),
      await api.post('/v1/tickets', { zz: 1 }),
      await api.get('/v1/nonsense'),
      await api.delete('/v1/tickets'),
    ]) {
      expect(answer.headers.get('ratelimit-policy')).toBe(`"default";q=${LIMIT};w=1`);
      const [, name, left] = REMAINING.exec(answer.headers.get('ratelimit') ?? '') ?? [];
      expect(name).toBe('default');
      expect(Number(left)).toBeLessThan(LIMIT);
    }
    const live = (await createKey('live')).api;
    expect((await live.get('/v1/plans')).headers.get('ratelimit-policy')).toBe(
      '"default";q=50;w=1',
    );
  });

  it('refuse excess calls, say when to retry, and admit calls then', async () => {
    const { api } = await createKey();
    const refused = await findRefusal(api, 'key-rate');
    expect(refused.refusal.slice(0, 2)).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit')).toBe('"default";r=0;t=1');
    // Another key has its own limit.
    expect((await (await createKey()).api.get('/v1/plans')).status).toBe(200);
    await until('a place', async () => (await api.get('/v1/plans')).status === 200);
  });

  it('count calls for metrics separately from other calls', async () => {
    const { api } = await createKey();
    const metric = await api.get('/v1/metrics/mrr?window=last_7d&granularity=day');
    expect(metric.headers.get('ratelimit-policy')).toBe('"metrics";q=2;w=1');
    expect(metric.headers.get('ratelimit')).toMatch(/^"metrics";r=[01];/);
    const other = await api.get('/v1/plans');
    expect(other.headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${LIMIT - 1};`));
    const refused = await findRefusal(api, 'endpoint-rate', '/v1/metrics/mrr/definition');
    expect(refused.refusal.slice(0, 2)).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('ratelimit')).toBe('"metrics";r=0;t=1');
  });

  it('refuse calls of a key with too many running requests', async () => {
    const { api } = await createKey('live');
    const refused = await findRefusal(api, 'key-concurrency');
    expect(refused.refusal.slice(0, 2)).toEqual([429, 'too_many_concurrent_requests']);
    expect(refused.headers.get('retry-after')).toBe('1');
  });

  it('count the calls of POST /replay, including refused ones, and of no other method', async () => {
    const { api } = await createKey('live');
    const body = {
      destination_id: 'dest_0000000000000000',
      from: new Date(Date.now() - HOUR_MS).toISOString(),
      to: new Date().toISOString(),
    };
    for (let left = 2; left >= 0; left -= 1) {
      const answer = await api.post('/v1/replay', body);
      expect(answer.refusal[0]).toBe(404);
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=50;w=1, "replay";q=3;w=60');
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`, "replay";r=${left};t=\\d+$`));
    }
    const fourth = await api.post('/v1/replay', body);
    expect(fourth.headers.get('ratelimit')).toMatch(/, "replay";r=0;t=\d+$/);
    expect(fourth.refusal.slice(0, 2)).toEqual([429, 'rate_limited']);
    expect(fourth.headers.get('x-service-rate-limited-reason')).toBe('endpoint-rate');
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(1);
    expect((await api.get('/v1/replay')).status).toBe(200);
  });

  it('count refused calls of POST /replay but not repeated ones', async () => {
    const { api } = await createKey('live');
    const destination = { type: 'https_webhook', url: 'http://127.0.0.1:9/hook' };
    const { id } = (await api.post('/v1/destinations', destination)).created;
    const body = { destination_id: id, ...getToday(), dry_run: true };
    const headers = { 'idempotency-key': 'same' };
    (await api.post('/v1/replay', body, headers)).expect(200);
    (await api.post('/v1/replay', body, headers)).expect(200);
    (await api.post('/v1/replay', body, headers)).expect(200);
    expect((await api.post('/v1/replay', {})).status).toBe(400);
    expect((await api.post('/v1/replay', '{')).status).toBe(400);
    const refused = await api.post('/v1/replay', body);
    expect(refused.refusal).toEqual([429, 'rate_limited', null]);
    expect(refused.headers.get('x-service-rate-limited-reason')).toBe('endpoint-rate');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    (await api.post('/v1/replay', body, headers)).expect(200);
    (await api.get('/v1/replay')).expect(200);
  });
});
