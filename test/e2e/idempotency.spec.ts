import { databases } from '../support/databases';
import { Service, type TestTenant } from '../support/service';

describe.each(databases)('Idempotency-Key, on $name SQL', (database) => {
  let service: Service;
  let tenant: TestTenant;
  let subscriber: string;

  beforeAll(async () => {
    service = await Service.start({ database });
    tenant = await service.tenant();
    const created = await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    subscriber = created.created['id'] as string;
  });

  afterAll(() => service.dispose());

  const submit = (key: string, fields: Record<string, unknown> = {}) =>
    tenant.api.post(
      '/v1/tickets',
      { subscriber_id: subscriber, topic: 'other', ...fields },
      { 'idempotency-key': key },
    );

  const tickets = async (): Promise<number> =>
    (await tenant.api.get('/v1/tickets?limit=100')).data.length;

  it('answers a repeat with the first response and does nothing again', async () => {
    const before = await tickets();
    const first = await submit('one');
    const again = await submit('one');
    expect(again.body).toEqual(first.created);
    expect(again.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await tickets()).toBe(before + 1);
  });

  it('does not care about the order of fields', async () => {
    const first = await submit('order', { subject: 'a', priority: 'high' });
    const body = { priority: 'high', subject: 'a', topic: 'other', subscriber_id: subscriber };
    const again = await tenant.api.post('/v1/tickets', body, { 'idempotency-key': 'order' });
    expect(again.body).toEqual(first.created);
  });

  it('refuses the key for another request', async () => {
    await submit('two');
    expect((await submit('two', { topic: 'cancel' })).refusal.slice(0, 2)).toEqual([
      422,
      'idempotency_key_reused',
    ]);
  });

  it('lets one of many at once run', async () => {
    const before = await tickets();
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit('many')));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    for (const { status, headers } of answers) {
      if (status === 409) expect(headers.get('retry-after')).toBe('1');
    }
    expect(await tickets()).toBe(before + 1);
    expect((await submit('many')).status).toBe(201);
  });

  it('frees the key after a validation error, keeps it after a refusal', async () => {
    expect((await submit('three', { topic: 'no such' })).status).toBe(400);
    expect((await submit('three')).status).toBe(201);
    const missing = { subscriber_id: 'subscriber_0000000000000000' };
    expect((await submit('four', missing)).status).toBe(404);
    const again = await submit('four', missing);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([404, 'true']);
  });

  it('belongs to one tenant and environment', async () => {
    await submit('five');
    const other = await service.tenant();
    const { id } = (await other.api.post('/v1/subscribers', { email: 'ben@example.com' })).created;
    const ticket = { subscriber_id: id, topic: 'cancel' };
    (await other.api.post('/v1/tickets', ticket, { 'idempotency-key': 'five' })).expect(201);
  });

  it('answers no repeat to a key without the scope', async () => {
    await submit('scoped');
    const path = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const issue = { environment: 'test', name: 'reader', scopes: ['tickets:read'] };
    const { key } = (await service.operator.post(path, issue)).created;
    const refused = await service
      .as(key as string)
      .post(
        '/v1/tickets',
        { subscriber_id: subscriber, topic: 'other' },
        { 'idempotency-key': 'scoped' },
      );
    expect(refused.refusal.slice(0, 2)).toEqual([403, 'insufficient_scope']);
    expect((await submit('scoped')).headers.get('idempotent-replayed')).toBe('true');
  });

  it('survives a restart, secrets included', async () => {
    const body = { environment: 'test', name: 'once' };
    const path = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const first = await service.operator.post(path, body, { 'idempotency-key': 'key' });
    await service.kill();
    await service.run();
    const again = await service.operator.post(path, body, { 'idempotency-key': 'key' });
    expect(again.body['key']).toBe(first.created['key']);
  });
});
