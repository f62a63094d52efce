import { Receiver } from '../support/receiver';
import { RunningService } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

let service: RunningService;

beforeAll(async () => {
  service = await RunningService.shared();
}, 60_000);

describe('previews of cohorts', () => {
  it('count matches and show examples, with the e-mail address if the caller may see it', async () => {
    const { id, api } = await service.tenant();
    const vip = { email: 'ada@example.com', tags: ['vip'] };
    const { id: ada } = (await api.post('/v1/subscribers', vip)).created;
    await api.post('/v1/subscribers', { email: 'bob@example.com' });
    const definition = { tags_include: ['vip'] };
    const preview = (await api.post('/v1/cohorts/preview', { definition })).ok;
    expect(preview).toEqual({ member_count: 1, examples: [{ id: ada, email: 'ada@example.com' }] });
    const analyst = await service.signedIn({ tenant_id: id, role: 'analyst' });
    const { examples } = (await analyst.post('/v1/cohorts/preview', { definition })).ok;
    expect(examples).toEqual([{ id: ada }]);
    expect((await api.get('/v1/cohorts')).data).toEqual([]);
    const other = await service.tenant();
    const elsewhere = (await other.api.post('/v1/cohorts/preview', { definition })).ok;
    expect(elsewhere['member_count']).toBe(0);
  });
});

describe('counts of events', () => {
  it('are per day, of one environment', async () => {
    const { api } = await service.tenant();
    await api.post('/v1/subscribers', { email: 'ada@example.com' });
    await api.post('/v1/subscribers', { email: 'bob@example.com' });
    const counts = (await api.get('/v1/events/counts?granularity=day')).ok;
    const today = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
    expect(counts['points']).toEqual([{ timestamp: today, count: 2 }]);
    const none = (await api.get('/v1/events/counts?event_types=payment.*')).ok;
    expect(none['points']).toEqual([]);
    const other = await service.tenant();
    expect((await other.api.get('/v1/events/counts')).ok['points']).toEqual([]);
  });
});

describe('the search', () => {
  it('finds objects by their ids and subscribers by the tenant’s own ids', async () => {
    const { api } = await service.tenant();
    const body = { email: 'ada@example.com', external_id: 'customer-1', tags: ['vip'] };
    const { id } = (await api.post('/v1/subscribers', body)).created;
    const [event] = (await api.get('/v1/events')).data;
    const find = async (q: string): Promise<Json[]> =>
      (await api.get(`/v1/search?q=${q}`)).ok['data'] as Json[];
    expect(await find(id as string)).toMatchObject([{ type: 'subscriber', id }]);
    expect(await find('customer-1')).toMatchObject([{ type: 'subscriber', id }]);
    expect(await find(event?.['id'] as string)).toMatchObject([
      { type: 'event', subscriber_id: id },
    ]);
    expect(await find('sub_0000')).toEqual([]);
    const other = await service.tenant();
    const elsewhere = await other.api.get(`/v1/search?q=${String(id)}`);
    expect(elsewhere.ok['data']).toEqual([]);
  });
});

describe('the list of subscribers', () => {
  it('can be filtered by tag and plan', async () => {
    const { api } = await service.tenant();
    const { id } = (await api.post('/v1/subscribers', { email: 'ada@example.com', tags: ['vip'] }))
      .created;
    await api.post('/v1/subscribers', { email: 'bob@example.com' });
    expect((await api.get('/v1/subscribers?tag=vip')).data).toMatchObject([{ id }]);
    expect((await api.get('/v1/subscribers?tag=none')).data).toEqual([]);
    expect((await api.get('/v1/subscribers?plan=none')).data).toEqual([]);
  });
});

describe('subscribers by address', () => {
  it('are found in any case of letters, by callers that may read addresses, until they are erased', async () => {
    const { id: tenantId, api } = await service.tenant();
    const { id } = (await api.post('/v1/subscribers', { email: 'Ada@Example.com' })).created;
    const path = '/v1/subscribers?email=ada%40example.COM';
    expect((await api.get(path)).data).toMatchObject([{ id }]);
    expect((await api.get('/v1/search?q=ADA%40example.com')).data).toMatchObject([
      { type: 'subscriber', id },
    ]);
    const stranger = await service.tenant();
    expect((await stranger.api.get(path)).data).toEqual([]);
    expect((await (await service.createKey(tenantId, 'live')).api.get(path)).data).toEqual([]);
    const viewer = await service.signedIn({ tenant_id: tenantId, role: 'viewer' });
    expect((await viewer.get(path)).refusal.slice(0, 2)).toEqual([403, 'insufficient_scope']);
    expect((await viewer.get('/v1/search?q=ada%40example.com')).data).toEqual([]);

    await api.patch(`/v1/subscribers/${String(id)}`, { email: 'grace@example.com' });
    expect((await api.get(path)).data).toEqual([]);
    expect((await api.get('/v1/subscribers?email=grace@example.com')).data).toHaveLength(1);
    (await api.delete(`/v1/subscribers/${String(id)}`)).expect(200);
    expect((await api.get('/v1/subscribers?email=grace@example.com')).data).toEqual([]);
  });

  it('are found again after a rebuild', async () => {
    const { api } = await service.tenant();
    const { id } = (await api.post('/v1/subscribers', { email: 'rebuilt@example.com' })).created;
    const body = { projections: ['subscriber_emails'], compare: true };
    const made = (await service.operator.post('/operator/v1/rebuilds', body)).expect(202);
    const done = await until('the comparison', async () => {
      const found = await service.operator.get(`/operator/v1/rebuilds/${String(made['id'])}`);
      return found.ok['finished_at'] === null ? undefined : found.ok;
    });
    expect(done).toMatchObject({ status: 'completed', differences: [] });
    expect((await api.get('/v1/subscribers?email=rebuilt@example.com')).data).toMatchObject([
      { id },
    ]);
  });
});

describe('a subscriber at a point in time', () => {
  it('is shown in its state at that time, and not found before it existed', async () => {
    const { api } = await service.tenant();
    const body = { email: 'ada@example.com', tags: ['new'] };
    const created = (await api.post('/v1/subscribers', body)).created;
    const path = `/v1/subscribers/${String(created['id'])}`;
    const then = created['created_at'] as string;
    await until('a later millisecond', () => Date.now() > Date.parse(then) + 1);
    (await api.patch(path, { email: 'grace@example.com', tags: ['old'] })).expect(200);
    expect((await api.get(`${path}?at=${then}`)).ok).toMatchObject({
      email: 'ada@example.com',
      tags: ['new'],
    });
    expect((await api.get(`${path}?at=2100-01-01T00:00:00Z`)).ok).toMatchObject({
      email: 'grace@example.com',
      tags: ['old'],
    });
    const early = await api.get(`${path}?at=2020-01-01T00:00:00Z`);
    expect(early.refusal[0]).toBe(404);
    expect(early.body).toMatchObject({
      error: { message: 'No such subscriber. It did not exist at 2020-01-01T00:00:00.000Z.' },
    });
    expect((await api.get(`${path}?at=yesterday`)).refusal).toEqual([
      400,
      'parameter_invalid',
      'at',
    ]);
    const other = await service.tenant();
    expect((await other.api.get(`${path}?at=${then}`)).refusal[0]).toBe(404);
  });
});

describe('deliveries over all destinations', () => {
  let receivers: Receiver[] = [];
  afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

  it('are filtered and paged, and show the state of each destination', async () => {
    receivers = [await Receiver.start(), await Receiver.start()];
    receivers[1]?.answerStatus(503);
    const { id: tenantId, api } = await service.tenant();
    const [good, bad] = await Promise.all(
      receivers.map(async ({ url }) => {
        const body = { type: 'https_webhook', url };
        return (await api.post('/v1/destinations', body)).created['id'] as string;
      }),
    );
    for (const name of ['ada', 'bob', 'cyd']) {
      await api.post('/v1/subscribers', { email: `${name}@example.com` });
    }
    const list = async (query: string): Promise<Json[]> =>
      (await api.get(`/v1/deliveries?${query}`)).data;
    await until('all deliveries', async () => {
      const [delivered, refused] = [await list('status=delivered'), await list('status_code=503')];
      return delivered.length === 3 && refused.length === 3;
    });
    expect(await list(`destination_id=${String(good)}&status=failed`)).toEqual([]);
    expect(await list('event_type=payment.*')).toEqual([]);
    const whole = await list('limit=100');
    expect(whole).toHaveLength(6);
    const first = (await api.get('/v1/deliveries?limit=4')).ok;
    const rest = (
      await api.get(`/v1/deliveries?limit=4&starting_after=${String(first['next_cursor'])}`)
    ).ok;
    const formatKey = ({ event_id, destination_id }: Json): string =>
      `${String(event_id)} ${String(destination_id)}`;
    const pages = [...(first['data'] as Json[]), ...(rest['data'] as Json[])];
    expect(pages.map(formatKey)).toEqual(whole.map(formatKey));
    const back = (
      await api.get(`/v1/deliveries?limit=4&ending_before=${String(rest['previous_cursor'])}`)
    ).data;
    expect(back.map(formatKey)).toEqual(whole.slice(0, 4).map(formatKey));

    const health = (await api.get('/v1/destinations/health')).data;
    expect(health.find((each) => each['destination_id'] === good)).toMatchObject({
      health: 'healthy',
      failing_since: null,
      in_flight: 0,
      last_24_hours: { delivered: 3, first_try_rate: 1 },
    });
    expect(health.find((each) => each['destination_id'] === bad)).toMatchObject({
      health: 'failing',
      last_status_code: 503,
      last_24_hours: { delivered: 0, first_try_rate: 0 },
    });
    const failing = await api.get('/v1/destinations/health?health=failing');
    expect(failing.data).toHaveLength(1);
    const one = await api.get(`/v1/destinations/health?destination_id=${String(good)}`);
    expect(one.data).toMatchObject([{ destination_id: good }]);
    const everywhere = await service.operator.get(
      `/operator/v1/failing_destinations?tenant_id=${tenantId}`,
    );
    expect(everywhere.data).toMatchObject([
      { tenant_id: tenantId, environment: 'test', destination: { destination_id: bad } },
    ]);
    const stranger = (await service.tenant()).api;
    expect((await stranger.get('/v1/deliveries')).data).toEqual([]);
    expect((await stranger.get('/v1/destinations/health')).data).toEqual([]);
    for (const path of ['/v1/deliveries', '/v1/destinations/health']) {
      const foreign = await stranger.get(`${path}?destination_id=${String(good)}`);
      expect(foreign.refusal).toEqual([404, 'resource_not_found', 'destination_id']);
    }
    const analyst = await service.signedIn({ tenant_id: tenantId, role: 'analyst' });
    for (const path of ['/v1/deliveries', '/v1/destinations/health']) {
      expect((await analyst.get(path)).refusal.slice(0, 2)).toEqual([403, 'insufficient_scope']);
    }
  });
});

describe('an API key', () => {
  it('gets another name, expiry and addresses from the operator and from a developer', async () => {
    const { id: tenantId } = await service.tenant();
    const base = `/operator/v1/tenants/${tenantId}/api-keys`;
    const issue = { environment: 'test', name: 'backend' };
    const issued = (await service.operator.post(base, issue)).created;
    const path = `${base}/${String(issued['id'])}`;
    const change = { name: 'worker', allowed_ips: ['203.0.113.0/24'] };
    expect((await service.operator.patch(path, change)).ok).toMatchObject({
      ...change,
      expires_at: null,
      scopes: issued['scopes'],
    });
    const api = service.createApi(issued['key'] as string);
    expect((await api.get('/v1/events')).refusal[1]).toBe('ip_not_allowed');
    const developer = await service.signedIn({ tenant_id: tenantId, role: 'developer' });
    const own = `/console/v1/api_keys/${String(issued['id'])}`;
    expect((await developer.patch(own, { allowed_ips: null })).ok).toMatchObject({
      name: 'worker',
      allowed_ips: null,
    });
    expect((await api.get('/v1/events')).status).toBe(200);
    const past = { expires_at: '2020-01-01T00:00:00Z' };
    expect((await developer.patch(own, past)).refusal).toEqual([
      400,
      'parameter_invalid',
      'expires_at',
    ]);
    const support = await service.signedIn({ tenant_id: tenantId, role: 'support' });
    expect((await support.patch(own, { name: 'x' })).refusal[1]).toBe('role_not_allowed');
    const other = await service.tenant();
    const stranger = await service.signedIn({ tenant_id: other.id, role: 'owner' });
    expect((await stranger.patch(own, { name: 'x' })).refusal[0]).toBe(404);
    (await service.operator.delete(path)).expect(200);
    expect((await service.operator.patch(path, { name: 'x' })).refusal.slice(0, 2)).toEqual([
      409,
      'invalid_state_transition',
    ]);
  });

  it('of live cannot be changed by a developer who lacks some of its scopes', async () => {
    const { id: tenantId } = await service.tenant('live');
    const keys = (await service.operator.get(`/operator/v1/tenants/${tenantId}/api-keys`)).data;
    const developer = await service.signedIn({ tenant_id: tenantId, role: 'developer' });
    const path = `/console/v1/api_keys/${String(keys[0]?.['id'])}`;
    expect((await developer.patch(path, { name: 'mine' })).refusal.slice(0, 2)).toEqual([
      403,
      'insufficient_scope',
    ]);
  });
});

describe('metrics', () => {
  const listValues = (series: Json): number[] =>
    (series['points'] as { value: number }[]).map(({ value }) => value);

  it('are listed with their definitions', async () => {
    const { api } = await service.tenant();
    const list = (await api.get('/v1/metrics')).data;
    expect(list.find(({ metric }) => metric === 'mrr')).toEqual(
      (await api.get('/v1/metrics/mrr/definition')).ok,
    );
  });

  it('show how many of each month’s new subscribers stayed', async () => {
    const { api } = await service.tenant();
    await api.put('/v1/plans/basic', {
      name: 'B',
      amount: 900,
      currency: 'USD',
      interval: 'month',
    });
    const subscribe = async (email: string): Promise<unknown> => {
      const tags = email.startsWith('ada') ? ['vip'] : [];
      const { id } = (await api.post('/v1/subscribers', { email, tags })).created;
      const start = { subscriber_id: id, plan: 'basic', payment_method: 'pm_test_ok' };
      return (await api.post('/v1/subscriptions', start)).created['id'];
    };
    const [lost] = [await subscribe('ada@example.com'), await subscribe('ben@example.com')];
    await api.post(`/v1/subscriptions/${String(lost)}/cancel`, { effective: 'immediately' });
    const read = async (query = ''): Promise<Json[]> =>
      (await api.get(`/v1/metrics/retention${query}`)).ok['data'] as Json[];
    const months = await read();
    expect(months).toHaveLength(12);
    expect(months.map(({ kept }) => (kept as unknown[]).length)).toEqual(
      Array.from({ length: 12 }, (_, i) => 12 - i),
    );
    expect(months.at(-1)).toMatchObject({ subscribers: 2, kept: [1] });
    expect(await read('?months=1')).toHaveLength(1);
    expect((await api.get('/v1/metrics/retention?months=25')).refusal[2]).toBe('months');
    const vips = { name: 'VIP', definition: { tags_include: ['vip'] } };
    const cohort = String((await api.post('/v1/cohorts', vips)).created['id']);
    await until('the cohort has its member', async () => {
      const [month] = await read(`?months=1&cohort_id=${cohort}`);
      return month?.['subscribers'] === 1 ? month : undefined;
    });
    expect(await read(`?months=1&cohort_id=${cohort}`)).toMatchObject([{ kept: [0] }]);
    const unknown = await api.get('/v1/metrics/retention?cohort_id=cohort_none');
    expect(unknown.refusal).toEqual([404, 'resource_not_found', 'cohort_id']);
  });

  it('are grouped by plan, cohort and time zone, and accept a custom window', async () => {
    const { api } = await service.tenant();
    for (const [id, amount] of [
      ['basic', 1_000],
      ['pro', 3_000],
    ] as const) {
      const plan = { name: id, amount, currency: 'USD', interval: 'month' };
      (await api.put(`/v1/plans/${id}`, plan)).expect(200);
    }
    const subscribe = async (tag: string, plan: string): Promise<string> => {
      const body = { email: `${tag}@example.com`, tags: [tag] };
      const { id } = (await api.post('/v1/subscribers', body)).created;
      const start = { subscriber_id: id, plan, payment_method: 'pm_test_ok' };
      return (await api.post('/v1/subscriptions', start)).created['id'] as string;
    };
    await subscribe('vip', 'basic');
    const moving = await subscribe('other', 'basic');
    const change = { to_plan: 'pro', proration_behavior: 'none' };
    (await api.post(`/v1/subscriptions/${moving}/plan`, change)).expect(200);
    const definition = { tags_include: ['vip'] };
    const cohort = (await api.post('/v1/cohorts', { name: 'VIP', definition })).created['id'];
    const readLastValue = async (query: string): Promise<number | undefined> =>
      listValues((await api.get(`/v1/metrics/${query}`)).ok).at(-1);
    const whole = await readLastValue('mrr?window=last_7d');
    expect(whole).toBeGreaterThan(0);
    const [basic, pro] = [
      await readLastValue('mrr?plan=basic'),
      await readLastValue('mrr?plan=pro'),
    ];
    expect(basic).toBe(1_000);
    expect((basic ?? 0) + (pro ?? 0)).toBe(whole);
    expect(await readLastValue('active_subscribers?plan=pro')).toBe(1);
    const zoned = (await api.get('/v1/metrics/mrr?timezone=Asia/Kathmandu')).ok;
    expect(zoned).toMatchObject({ timezone: 'Asia/Kathmandu', plan: null });
    expect(listValues(zoned).at(-1)).toBe(whole);
    expect((zoned['points'] as Json[])[0]?.['timestamp']).toMatch(/T18:15:00\.000Z$/);
    await until(
      'the cohort',
      async () => (await readLastValue(`mrr?cohort_id=${String(cohort)}`)) === 1_000,
    );

    const own = await api.get(
      '/v1/metrics/mrr?from=2026-01-05T00:00:00Z&to=2026-01-08T00:00:00Z&granularity=day',
    );
    expect(own.ok).toMatchObject({ window: null, to: '2026-01-08T00:00:00.000Z' });
    expect(listValues(own.ok)).toEqual([0, 0, 0]);
    const readRefusal = async (query: string): Promise<unknown[]> =>
      (await api.get(`/v1/metrics/${query}`)).refusal;
    expect(await readRefusal('delivery_success?plan=basic')).toEqual([
      400,
      'parameter_unknown',
      'plan',
    ]);
    expect(await readRefusal(`delivery_success?cohort_id=${String(cohort)}`)).toEqual([
      400,
      'parameter_unknown',
      'cohort_id',
    ]);
    expect(await readRefusal('credit_outstanding?plan=basic')).toEqual([
      400,
      'parameter_unknown',
      'plan',
    ]);
    expect(await readRefusal('mrr?timezone=Mars/Olympus')).toEqual([
      400,
      'parameter_invalid',
      'timezone',
    ]);
    expect(await readRefusal('mrr?plan=unknown')).toEqual([404, 'resource_not_found', 'plan']);
    expect(await readRefusal('mrr?to=2026-01-08T00:00:00Z')).toEqual([
      400,
      'parameter_invalid',
      'from',
    ]);
    expect(await readRefusal('mrr?from=2026-01-09T00:00:00Z&to=2026-01-08T00:00:00Z')).toEqual([
      400,
      'parameter_invalid',
      'to',
    ]);
  });
});
