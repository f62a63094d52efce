import { databases } from '../support/databases';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

describe.each(databases)('rebuilding read models, on $name SQL', (database) => {
  let service: RunningService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
  });

  const submit = async (count: number): Promise<void> => {
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    for (let i = 0; i < count; i += 1) {
      (await tenant.api.post('/v1/tickets', { subscriber_id: id, topic: 'other' })).expect(201);
    }
  };

  const readLists = async (): Promise<unknown[]> =>
    Promise.all(
      ['subscribers', 'tickets', 'events'].map(
        async (list) => (await tenant.api.get(`/v1/${list}?limit=100`)).data,
      ),
    );

  const runRebuild = async (body: object): Promise<Record<string, unknown>> => {
    const { id } = (await service.operator.post('/operator/v1/rebuilds', body)).expect(202);
    return until('the rebuild', async () => {
      const rebuild = (await service.operator.get(`/operator/v1/rebuilds/${id as string}`)).ok;
      return rebuild['status'] === 'completed' ? rebuild : null;
    });
  };

  it('gives the same rows while new events arrive', async () => {
    await submit(20);
    const writing = submit(40);
    expect(await runRebuild({})).toMatchObject({ status: 'completed' });
    await writing;
    const before = await readLists();
    await runRebuild({});
    expect(await readLists()).toEqual(before);
    await submit(1);
    expect((await tenant.api.get('/v1/subscribers')).data).toHaveLength(3);
  });

  it('rebuilds one projection alone', async () => {
    const before = await readLists();
    expect(await runRebuild({ projections: ['tickets'] })).toMatchObject({
      projections: ['tickets'],
    });
    expect(await readLists()).toEqual(before);
  });

  it('refuses a projection that does not exist', async () => {
    const answer = await service.operator.post('/operator/v1/rebuilds', { projections: ['nope'] });
    expect(answer.refusal).toEqual([400, 'parameter_invalid', 'projections']);
    expect((await service.operator.get('/operator/v1/rebuilds/nope')).refusal[0]).toBe(404);
  });
});
