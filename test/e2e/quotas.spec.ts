import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

const PLAN = { amount: 900, currency: 'USD', interval: 'month' };

describe('the quotas of a tenant', () => {
  let service: RunningService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
  });

  const setQuotas = async (settings: Record<string, number>): Promise<void> => {
    (await service.operator.patch(`/operator/v1/tenants/${tenant.id}`, { settings })).expect(200);
  };

  const savePlan = (id: string) => tenant.api.put(`/v1/plans/${id}`, { ...PLAN, name: id });

  const createCohort = (name: string) =>
    tenant.api.post('/v1/cohorts', {
      name,
      definition: { tags_include: ['vip'] },
    });

  const upload = async (lines: number) => {
    const body = '{"kind":"nonsense"}\n'.repeat(lines);
    const headers = { 'content-type': 'application/x-ndjson' };
    return tenant.api.post('/v1/imports', body, headers);
  };

  it('limit the number of plans, and existing plans can still be changed', async () => {
    await setQuotas({ max_plans: 1 });
    (await savePlan('one')).expect(200);
    const refused = await savePlan('two');
    expect(refused.refusal.slice(0, 2)).toEqual([422, 'quota_exceeded']);
    expect(refused.body['error']).toMatchObject({ details: { quota: 'max_plans', limit: 1 } });
    (await savePlan('one')).expect(200);
  });

  it('limit test clocks and cohorts', async () => {
    await setQuotas({ max_test_clocks: 0, max_cohorts: 0 });
    const clock = { frozen_time: '2026-03-01T00:00:00Z' };
    const refusals = [
      await tenant.api.post('/v1/test_helpers/clocks', clock),
      await createCohort('vip'),
    ];
    expect(refusals.map(({ refusal }) => refusal.slice(0, 2))).toEqual([
      [422, 'quota_exceeded'],
      [422, 'quota_exceeded'],
    ]);
  });

  it('count a test clock at once, and no longer when it is deleted', async () => {
    await setQuotas({ max_test_clocks: 1 });
    const create = () =>
      tenant.api.post('/v1/test_helpers/clocks', { frozen_time: '2026-03-01T00:00:00Z' });
    const { id } = (await create()).created;
    expect((await create()).refusal.slice(0, 2)).toEqual([422, 'quota_exceeded']);
    (await tenant.api.delete(`/v1/test_helpers/clocks/${String(id)}`)).expect(200);
    await until('the free place', async () => (await create()).status === 201);
  });

  it('free a place that was reserved for a refused plan', async () => {
    const others = (await tenant.api.get('/v1/plans')).data.length;
    const save = (id: string, external_id: string) =>
      tenant.api.put(`/v1/plans/${id}`, { ...PLAN, name: id, external_id });
    await setQuotas({ max_plans: others + 1 });
    (await save('named', 'same')).expect(200);
    await setQuotas({ max_plans: others + 2 });
    expect((await save('other', 'same')).refusal.slice(0, 2)).toEqual([409, 'external_id_in_use']);
    await setQuotas({ max_plans: others + 1 });
    expect((await save('other', 'another')).refusal.slice(0, 2)).toEqual([422, 'quota_exceeded']);
    await setQuotas({ max_plans: others + 2 });
    (await save('third', 'another')).expect(200);
  });

  it('limit the stored errors of an import, all of which are counted', async () => {
    await setQuotas({ max_import_errors: 3 });
    const { id } = (await upload(10)).expect(202);
    const path = `/v1/imports/${String(id)}`;
    await until('the end of the import', async () => {
      const { status } = (await tenant.api.get(path)).ok;
      return status === 'completed_with_errors';
    });
    expect((await tenant.api.get(path)).ok['lines_failed']).toBe(10);
    expect((await tenant.api.get(`${path}/errors`)).data).toHaveLength(3);
  });

  it('limit the imported lines within a day, including seeds', async () => {
    await setQuotas({ max_import_lines_per_day: 15 });
    const refused = await upload(10);
    expect(refused.refusal.slice(0, 2)).toEqual([429, 'daily_quota_exceeded']);
    expect(refused.headers.get('x-service-rate-limited-reason')).toBe('endpoint-rate');
    // The lines of the test before are free again when they are a day old.
    const waitS = Number(refused.headers.get('retry-after'));
    expect(waitS).toBeGreaterThan(86_000);
    expect(waitS).toBeLessThanOrEqual(86_400);
    await setQuotas({ max_import_lines_per_day: 5 });
    const seed = await tenant.api.post('/v1/test_helpers/seed', { subscribers: 1 });
    expect(seed.refusal.slice(0, 2)).toEqual([429, 'daily_quota_exceeded']);
  });

  it('limit a seed to 100,000 subscribers', async () => {
    const seed = await tenant.api.post('/v1/test_helpers/seed', { subscribers: 100_001 });
    expect(seed.refusal).toEqual([400, 'parameter_invalid', 'subscribers']);
  });
});
