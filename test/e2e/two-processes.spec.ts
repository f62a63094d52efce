import type { Answer, Api } from '../support/api';
import { Cluster, describeWithPostgres } from '../support/cluster';
import type { TestTenant } from '../support/service';
import { until } from '../support/until';

const WRITES = 60;
/** The default limit of a tenant's destinations. */
const DESTINATIONS_MAX = 10;

const savePlan = (i: number, api: Api) =>
  api.put(`/v1/plans/plan-${i}`, { name: 'Pro', amount: 900, currency: 'USD', interval: 'month' });

const createClock = (_: number, api: Api) =>
  api.post('/v1/test_helpers/clocks', { frozen_time: '2026-03-01T00:00:00Z' });

const createCohort = (i: number, api: Api) =>
  api.post('/v1/cohorts', { name: `cohort ${i}`, definition: {} });

const importLine = (i: number, api: Api) =>
  api.post('/v1/imports', {
    lines: [{ kind: 'subscriber', external_id: `crm-${i}`, email: `ada${i}@example.com` }],
  });

describeWithPostgres('two processes on one subscriber', () => {
  let cluster: Cluster;
  let tenants: TestTenant[];
  let operator: Api;

  beforeAll(async () => {
    cluster = await Cluster.start();
    const first = await cluster.join();
    await cluster.join();
    operator = first.createOperatorApi(cluster.operatorToken);
    const { id } = (await operator.post('/operator/v1/tenants', { name: 'Acme Magazine' })).created;
    const issued = await operator.post(`/operator/v1/tenants/${String(id)}/api-keys`, {
      environment: 'test',
      name: 'tests',
    });
    const key = issued.created['key'] as string;
    tenants = cluster.services.map((service) => ({
      id: id as string,
      key,
      api: service.createApi(key),
    }));
    await until('the key in the other process', async () => {
      return (await tenants[1]!.api.get('/v1/tickets')).status === 200;
    });
  });

  afterAll(() => cluster.dispose());

  it('lose no update and return no conflict', async () => {
    const created = await tenants[0]!.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const path = `/v1/subscribers/${String(created.created['id'])}`;
    const answers = await Promise.all(
      Array.from({ length: WRITES }, (_, i) =>
        tenants[i % 2]!.api.patch(path, {
          metadata: { [`k${i % 50}`]: `v${i}` },
          tags_add: [`t${i % 50}`],
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const sequences = answers.map(({ headers }) => Number(/\d+/.exec(headers.get('etag')!)![0]));
    // Each write was decided on a different version.
    expect(new Set(sequences).size).toBe(WRITES);
    const last = answers[sequences.indexOf(Math.max(...sequences))]!;
    const position = last.headers.get('x-service-log-position')!;
    for (const { api } of tenants) {
      const read = await api.get(path, { 'x-service-log-position': position });
      expect(read.ok).toEqual(last.ok);
      expect((read.ok['tags'] as string[]).length).toBe(50);
    }
  });

  it('run a command with one Idempotency-Key once', async () => {
    const created = await tenants[0]!.api.post('/v1/subscribers', { email: 'ben@example.com' });
    const ticket = { subscriber_id: created.created['id'], topic: 'other' };
    const submit = (i: number) =>
      tenants[i % 2]!.api.post('/v1/tickets', ticket, { 'idempotency-key': 'once' });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => submit(i)));
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const again = await submit(1);
    expect(again.status).toBe(201);
    // The other process may have written it, and a read waits only for writes of its own process.
    const listed = `/v1/tickets?subscriber_id=${String(created.body['id'])}`;
    await until('the ticket', async () => (await tenants[0]!.api.get(listed)).data.length === 1);
  });

  it('share the limit of destinations, for new and for restored ones', async () => {
    const registerAt = (i: number) => {
      const url = `https://203.0.113.${i + 1}/hook`;
      return tenants[i % 2]!.api.post('/v1/destinations', { type: 'https_webhook', url });
    };
    const answers = await Promise.all(
      Array.from({ length: DESTINATIONS_MAX * 2 }, (_, i) => registerAt(i)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(DESTINATIONS_MAX);
    expect(answers.filter(({ status }) => status !== 201).map(({ refusal }) => refusal)).toEqual(
      Array.from({ length: DESTINATIONS_MAX }, () => [422, 'destination_limit_reached', null]),
    );

    const [first, second] = made.map(({ body }) => `/v1/destinations/${String(body['id'])}`);
    for (const path of [first!, second!]) (await tenants[0]!.api.delete(path)).expect(200);
    (await registerAt(0)).expect(201);
    const restored = await Promise.all(
      [first!, second!].map((path, i) => tenants[i]!.api.post(`${path}/restore`)),
    );
    expect(restored.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  describe('keep the quotas of a tenant exactly', () => {
    const crowd = (call: (i: number, api: Api) => Promise<Answer>): Promise<Answer[]> =>
      Promise.all(Array.from({ length: 8 }, (_, i) => call(i, tenants[i % 2]!.api)));

    const countByStatus = (answers: readonly Answer[]): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const { status, refusal } of answers) {
        const name = status < 300 ? 'accepted' : `${status} ${String(refusal[1])}`;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    };

    it.each([
      ['max_plans', 422, 'quota_exceeded', savePlan],
      ['max_test_clocks', 422, 'quota_exceeded', createClock],
      ['max_cohorts', 422, 'quota_exceeded', createCohort],
      ['max_import_lines_per_day', 429, 'daily_quota_exceeded', importLine],
    ] as const)('%s', async (quota, status, code, call) => {
      await operator.patch(`/operator/v1/tenants/${tenants[0]!.id}`, { settings: { [quota]: 2 } });
      await until('the quota in the other process', async () => {
        const { body } = await cluster.services[1]!.createOperatorApi(cluster.operatorToken).get(
          `/operator/v1/tenants/${tenants[0]!.id}`,
        );
        return (body['settings'] as Record<string, unknown>)[quota] === 2;
      });
      expect(countByStatus(await crowd(call))).toEqual({ accepted: 2, [`${status} ${code}`]: 6 });
    });
  });
});
