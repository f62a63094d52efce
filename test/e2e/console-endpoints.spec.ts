import { RunningService } from '../support/service';

type Json = Record<string, unknown>;

let service: RunningService;

beforeAll(async () => {
  service = await RunningService.shared();
}, 60_000);

describe('previews of cohorts', () => {
  it('count who matches and show examples, with the address for who may see it', async () => {
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
  it('are by the day, of one environment', async () => {
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
  it('finds objects by their ids and subscribers by your own', async () => {
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
  it('takes a tag and a plan', async () => {
    const { api } = await service.tenant();
    const { id } = (await api.post('/v1/subscribers', { email: 'ada@example.com', tags: ['vip'] }))
      .created;
    await api.post('/v1/subscribers', { email: 'bob@example.com' });
    expect((await api.get('/v1/subscribers?tag=vip')).data).toMatchObject([{ id }]);
    expect((await api.get('/v1/subscribers?tag=none')).data).toEqual([]);
    expect((await api.get('/v1/subscribers?plan=none')).data).toEqual([]);
  });
});
