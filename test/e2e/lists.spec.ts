import { databases } from '../support/databases';
import { RunningService, type TestTenant } from '../support/service';

type Item = Record<string, unknown> & { id: string };

describe.each(databases)('lists, on $name SQL', (database) => {
  let service: RunningService;
  let tenant: TestTenant;
  let newestFirst: string[];

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    const ids: string[] = [];
    for (let i = 0; i < 23; i += 1) {
      const { id } = (await tenant.api.post('/v1/subscribers', { email: `r${i}@example.com` }))
        .created;
      ids.push(id as string);
    }
    newestFirst = ids.reverse();
  });

  const page = async (query: string): Promise<Record<string, unknown> & { data: Item[] }> =>
    (await tenant.api.get(`/v1/subscribers?${query}`)).ok as never;

  it('page from the newest to the oldest', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { data, ...rest } = await page(
        `limit=5${cursor === '' ? '' : `&starting_after=${cursor}`}`,
      );
      seen.push(...data.map(({ id }) => id));
      expect(rest['has_more']).toBe(rest['next_cursor'] !== null);
      cursor = rest['next_cursor'] as string | null;
    }
    expect(seen).toEqual(newestFirst);
  });

  it('page backwards, still newest first', async () => {
    const { data, has_more } = await page(`limit=5&ending_before=${newestFirst[12]!}`);
    expect(data.map(({ id }) => id)).toEqual(newestFirst.slice(7, 12));
    expect(has_more).toBe(true);
    const first = await page(`limit=50&ending_before=${newestFirst[3]!}`);
    expect(first.data.map(({ id }) => id)).toEqual(newestFirst.slice(0, 3));
    expect(first['has_more']).toBe(false);
  });

  it('accept their own cursors in both directions', async () => {
    const second = await page(`limit=5&starting_after=${newestFirst[4]!}`);
    const back = await page(`limit=5&ending_before=${String(second['previous_cursor'])}`);
    expect(back.data.map(({ id }) => id)).toEqual(newestFirst.slice(0, 5));
    const on = await page(`limit=5&starting_after=${String(back['next_cursor'])}`);
    expect(on.data).toEqual(second.data);
  });

  it('refuse a cursor of another list or other filters', async () => {
    const { next_cursor } = await page('limit=5');
    for (const path of [`tickets?starting_after=`, 'subscribers?status=active&starting_after=']) {
      const answer = await tenant.api.get(`/v1/${path}${String(next_cursor)}`);
      expect(answer.refusal).toEqual([400, 'invalid_cursor', 'starting_after']);
    }
  });

  it('split time into windows: after is inclusive, before exclusive', async () => {
    const { data } = await page('limit=100');
    const at = data[10]!['created_at'] as string;
    const older = await page(`limit=100&created_before=${at}`);
    const newer = await page(`limit=100&created_after=${at}`);
    expect([...newer.data, ...older.data]).toEqual(data);
    expect(newer.data.map(({ id }) => id)).toContain(newestFirst[10]);
  });

  it('give pollers the oldest events first, and a cursor to continue from', async () => {
    const listEvents = async (query: string) =>
      (await tenant.api.get(`/v1/events?order=asc&${query}`)).ok;
    const all = await listEvents('limit=100');
    const sequence = (all['data'] as { subscriber: { id: string } }[]).map(
      ({ subscriber }) => subscriber.id,
    );
    expect(sequence).toEqual([...newestFirst].reverse());
    const cursor = String(all['next_cursor']);
    expect((await listEvents(`starting_after=${cursor}`))['data']).toEqual([]);
    const ticket = { subscriber_id: newestFirst[0], topic: 'other' };
    (await tenant.api.post('/v1/tickets', ticket)).expect(201);
    expect((await listEvents(`starting_after=${cursor}`))['data']).toMatchObject([
      { type: 'ticket.submitted' },
    ]);
  });

  it('filter events by type, family and subscriber', async () => {
    const listTypes = async (query: string) =>
      (await tenant.api.get(`/v1/events?limit=100&${query}`)).data.map((event) => event['type']);
    expect(await listTypes('event_types=ticket.submitted')).toEqual(['ticket.submitted']);
    expect(await listTypes('event_types=ticket.*')).toEqual(['ticket.submitted']);
    expect(await listTypes(`subscriber_id=${newestFirst[0]!}`)).toEqual([
      'ticket.submitted',
      'subscriber.created',
    ]);
    expect(await listTypes('event_types=ticket.*,subscriber.created')).toHaveLength(24);
    expect((await tenant.api.get('/v1/events?event_types=nope.*')).refusal).toEqual([
      400,
      'parameter_invalid',
      'event_types',
    ]);
  });

  it.each([
    ['/v1/event_types', 'type'],
    ['/v1/metrics', 'metric'],
    ['/v1/schema_versions', 'version'],
  ])('show %s whole without a limit, and page it with one', async (path, name) => {
    const whole = (await tenant.api.get(path)).ok as Record<string, unknown> & { data: Item[] };
    expect(whole['has_more']).toBe(false);
    const names = whole.data.map((item) => item[name]);
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&starting_after=${cursor}`;
      const { data, next_cursor } = (await tenant.api.get(`${path}?limit=7${after}`)).ok;
      expect((data as Item[]).length).toBeLessThanOrEqual(7);
      seen.push(...(data as Item[]).map((item) => item[name]));
      cursor = next_cursor as string | null;
    }
    expect(seen).toEqual(names);
    const refused = (await tenant.api.get(`${path}?limit=0`)).refusal;
    expect(refused).toEqual([400, 'limit_out_of_range', 'limit']);
  });
});
