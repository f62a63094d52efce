import { databases } from '../support/databases';
import { RunningService, type TestTenant } from '../support/service';

describe.each(databases)('subscriber records, on $name SQL', (database) => {
  let service: RunningService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
  });

  const create = async (fields: Record<string, unknown> = {}): Promise<string> =>
    (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com', ...fields })).created[
      'id'
    ] as string;

  it('change tags, metadata and the address, and report it in one event', async () => {
    const id = await create({ tags: ['a'], metadata: { city: 'Paris', shoe: '44' } });
    const change = {
      email: 'lovelace@example.com',
      tags: ['a', 'b'],
      metadata: { city: 'London', shoe: null },
    };
    const changed = (await tenant.api.patch(`/v1/subscribers/${id}`, change)).ok;
    expect(changed).toMatchObject({
      email: 'lovelace@example.com',
      tags: ['a', 'b'],
      metadata: { city: 'London' },
    });
    expect(changed['metadata']).toEqual({ city: 'London' });
    expect((await tenant.api.get(`/v1/subscribers/${id}`)).ok).toEqual(changed);
    const [event] = (await tenant.api.get(`/v1/events?subscriber_id=${id}`)).data;
    expect(event).toMatchObject({
      type: 'subscriber.updated',
      subscriber: { email: 'lovelace@example.com' },
      data: {
        previous: {
          email: 'ada@example.com',
          tags: ['a'],
          metadata: { city: 'Paris', shoe: '44' },
        },
        tags: ['a', 'b'],
        metadata: { city: 'London' },
      },
    });
  });

  it('add and remove tags, and append nothing if nothing changes', async () => {
    const id = await create({ tags: ['a', 'b'] });
    const path = `/v1/subscribers/${id}`;
    const { ok } = await tenant.api.patch(path, { tags_add: ['c', 'a'], tags_remove: ['b'] });
    expect(ok['tags']).toEqual(['a', 'c']);
    const again = await tenant.api.patch(path, { tags_add: ['c'], metadata: { gone: null } });
    expect(again.headers.get('etag')).toBe('"2"');
    expect((await tenant.api.get(path)).ok['tags']).toEqual(['a', 'c']);
    const both = await tenant.api.patch(path, { tags: ['x'], tags_add: ['y'] });
    expect(both.refusal).toEqual([400, 'parameter_invalid', 'tags_add']);
    const many = Array.from({ length: 49 }, (_, i) => `t${i}`);
    expect((await tenant.api.patch(path, { tags_add: many })).refusal[2]).toBe('tags_add');
  });

  it('keep the latest observed engagement score', async () => {
    const id = await create();
    const path = `/v1/subscribers/${id}/engagement_score`;
    const putScore = async (value: number, observed_at?: string): Promise<unknown> =>
      (await tenant.api.put(path, { score: value, observed_at })).ok['engagement_score'];
    expect((await tenant.api.get(`/v1/subscribers/${id}`)).ok['engagement_score']).toBeNull();
    expect(await putScore(50.5, '2026-01-02T00:00:00Z')).toBe(50.5);
    expect(await putScore(70, '2026-01-01T00:00:00Z')).toBe(50.5);
    expect(await putScore(0)).toBe(0);
    expect((await tenant.api.get(`/v1/subscribers/${id}`)).ok['engagement_score']).toBe(0);
    expect((await tenant.api.put(path, { score: 101 })).refusal).toEqual([
      400,
      'parameter_invalid',
      'score',
    ]);
  });

  it('show the timeline in either order', async () => {
    const id = await create();
    await tenant.api.patch(`/v1/subscribers/${id}`, { tags: ['vip'] });
    await tenant.api.post('/v1/tickets', { subscriber_id: id, topic: 'other', subject: 'Hm' });
    const listTypes = async (query: string) =>
      (await tenant.api.get(`/v1/subscribers/${id}/timeline${query}`)).data.map((item) => [
        item['sequence'],
        item['type'],
      ]);
    const newestFirst = [
      [3, 'ticket.submitted'],
      [2, 'subscriber.updated'],
      [1, 'subscriber.created'],
    ];
    expect(await listTypes('')).toEqual(newestFirst);
    expect(await listTypes('?order=asc')).toEqual([...newestFirst].reverse());
    const [item] = (await tenant.api.get(`/v1/subscribers/${id}/timeline?limit=1`)).data;
    expect(item).toMatchObject({ actor: 'api', data: { ticket: { subject: 'Hm' } } });
    const unknown = await tenant.api.get('/v1/subscribers/subscriber_0000000000000000/timeline');
    expect(unknown.refusal).toEqual([404, 'resource_not_found', 'subscriberId']);
  });

  it('list the events after a sequence, and page in both directions', async () => {
    const id = await create();
    for (const tag of ['a', 'b', 'c', 'd']) {
      await tenant.api.patch(`/v1/subscribers/${id}`, { tags: [tag] });
    }
    const page = async (query: string) =>
      (await tenant.api.get(`/v1/subscribers/${id}/events?${query}`)).ok;
    const listSequences = ({ data }: Record<string, unknown>) =>
      (data as { sequence: number }[]).map(({ sequence }) => sequence);
    const first = await page('after_sequence=1&limit=2');
    expect([listSequences(first), first['has_more']]).toEqual([[2, 3], true]);
    const second = await page(
      `after_sequence=1&limit=2&starting_after=${String(first['next_cursor'])}`,
    );
    expect([listSequences(second), second['has_more']]).toEqual([[4, 5], false]);
    // Pollers continue from the last event they saw, once there are more.
    expect(second['next_cursor']).toBe((second['data'] as { id: string }[]).at(-1)!.id);
    const before = await page(`limit=2&ending_before=${String(second['previous_cursor'])}`);
    expect([listSequences(before), before['has_more']]).toEqual([[2, 3], true]);
    expect(listSequences(await page('after_sequence=5'))).toEqual([]);
    // The largest number that the reference allows.
    expect(listSequences(await page(`after_sequence=${Number.MAX_SAFE_INTEGER}`))).toEqual([]);
  });

  it('can be found by the tenant’s own id', async () => {
    const id = await create({ external_id: 'crm-17' });
    const found = await tenant.api.get('/v1/subscribers?external_id=crm-17');
    expect(found.data.map((each) => each['id'])).toEqual([id]);
    const taken = await tenant.api.post('/v1/subscribers', {
      email: 'ben@example.com',
      external_id: 'crm-17',
    });
    expect(taken.refusal).toEqual([409, 'external_id_in_use', 'external_id']);
  });

  it('can be found by their ids, together', async () => {
    const [first, , third] = [await create(), await create(), await create()];
    const stranger = (await service.tenant()).api;
    const foreign = (await stranger.post('/v1/subscribers', { email: 'eve@example.com' })).created;
    const ids = [first, third, String(foreign['id']), 'subscriber_unknown'].join(',');
    const found = await tenant.api.get(`/v1/subscribers?ids=${ids}`);
    expect(found.data.map((each) => each['id'])).toEqual([third, first]);
    const many = Array.from({ length: 101 }, (_, index) => `subscriber_${index}`).join(',');
    const refused = await tenant.api.get(`/v1/subscribers?ids=${many}`);
    expect(refused.refusal).toEqual([400, 'parameter_invalid', 'ids']);
  });

  describe('versions', () => {
    it('refuse a write on another version than the caller read', async () => {
      const id = await create();
      const path = `/v1/subscribers/${id}`;
      const etag = (await tenant.api.get(path)).headers.get('etag')!;
      expect(etag).toBe('"1"');
      const first = await tenant.api.patch(path, { tags: ['x'] }, { 'if-match': etag });
      expect(first.headers.get('etag')).toBe('"2"');
      const late = await tenant.api.patch(path, { tags: ['y'] }, { 'if-match': etag });
      expect(late.refusal).toEqual([409, 'version_conflict', 'If-Match']);
      expect((await tenant.api.get(path)).ok['tags']).toEqual(['x']);
      const bad = await tenant.api.patch(path, { tags: ['y'] }, { 'if-match': 'yesterday' });
      expect(bad.refusal).toEqual([400, 'parameter_invalid', 'If-Match']);
    });

    it('are compared only where an object has one, as the API reference says', async () => {
      const ifMatch = { 'if-match': '"1"' };
      const plan = { name: 'Basic', amount: 900, currency: 'USD', interval: 'month' };
      const created = await tenant.api.post('/v1/subscribers', { email: 'a@example.com' }, ifMatch);
      expect(created.refusal).toEqual([409, 'version_conflict', 'If-Match']);
      const saved = await tenant.api.put('/v1/plans/versionless', plan, ifMatch);
      expect(saved.refusal).toEqual([409, 'version_conflict', 'If-Match']);
      expect((await tenant.api.get('/v1/plans/versionless')).status).toBe(404);
      (await tenant.api.put('/v1/plans/versionless', plan, { 'if-match': '*' })).expect(200);
      const id = await create();
      const stale = { 'if-match': '"7"' };
      const erased = await tenant.api.delete(`/v1/subscribers/${id}`, stale);
      expect(erased.refusal).toEqual([409, 'version_conflict', 'If-Match']);

      const { paths } = (await tenant.api.get('/openapi.json')).ok as unknown as {
        paths: Record<string, Record<string, { parameters: { $ref?: string }[] }>>;
      };
      const takesIfMatch = (method: string, path: string): boolean =>
        paths[path]![method]!.parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch'));
      expect(takesIfMatch('post', '/v1/subscribers')).toBe(false);
      expect(takesIfMatch('put', '/v1/plans/{planId}')).toBe(false);
      expect(takesIfMatch('patch', '/v1/subscribers/{subscriberId}')).toBe(true);
      expect(takesIfMatch('delete', '/v1/subscribers/{subscriberId}')).toBe(true);
      expect(takesIfMatch('post', '/v1/tickets')).toBe(true);
    });

    it('do not affect a caller that sends no If-Match', async () => {
      const id = await create();
      const tags = Array.from({ length: 40 }, (_, i) => `t${i}`);
      const path = `/v1/subscribers/${id}`;
      const answers = await Promise.all(
        tags.map((tag) => tenant.api.patch(path, { tags_add: [tag] })),
      );
      expect(answers.map(({ status }) => status)).toEqual(tags.map(() => 200));
      const { ok } = await tenant.api.get(path);
      expect([...(ok['tags'] as string[])].sort()).toEqual([...tags].sort());
    });
  });

  it('show no personal data without the scope pii:read, in any response', async () => {
    const path = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const scopes = [
      'subscribers:read',
      'subscribers:write',
      'tickets:write',
      'tickets:read',
      'events:read',
    ];
    const { key } = (
      await service.operator.post(path, { environment: 'test', name: 'no pii', scopes })
    ).created;
    const api = service.createApi(key as string);
    const secret = 'ada.secret@example.com';
    const created = await api.post('/v1/subscribers', {
      email: secret,
      metadata: { home: 'Baker Street' },
    });
    const id = created.created['id'] as string;
    const ticket = { subscriber_id: id, topic: 'other', subject: 'Baker Street', body: secret };
    const answers = [
      created,
      await api.patch(`/v1/subscribers/${id}`, { metadata: { work: 'Baker Street' } }),
      await api.get(`/v1/subscribers/${id}`),
      await api.get('/v1/subscribers'),
      await api.get(`/v1/subscribers/${id}/timeline`),
      await api.get(`/v1/subscribers/${id}/events`),
      await api.get('/v1/events'),
      await api.post('/v1/tickets', ticket),
      await api.get('/v1/tickets'),
    ];
    for (const { status, body } of answers) {
      expect(status).toBeLessThan(300);
      expect(JSON.stringify(body)).not.toMatch(/ada\.secret|Baker Street/);
    }
    expect(answers[2]!.ok).toMatchObject({ metadata: { home: null, work: null } });
    expect(answers[2]!.ok).not.toHaveProperty('email');
    expect(answers[7]!.created).not.toHaveProperty('subject');
    expect(answers[7]!.created).not.toHaveProperty('body');
    expect((await tenant.api.get(`/v1/subscribers/${id}`)).ok).toMatchObject({
      email: secret,
      metadata: { home: 'Baker Street', work: 'Baker Street' },
    });
  });
});
