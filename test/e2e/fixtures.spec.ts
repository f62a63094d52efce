import { Service, type TestTenant } from '../support/service';
import { Receiver } from '../support/receiver';
import { until } from '../support/until';

describe('test helpers', () => {
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await Service.start();
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const destination = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    (await service.operator.post(path, destination)).expect(201);
  });

  afterAll(async () => {
    await service.dispose();
    await receiver.close();
  });

  it('make an event of every type of the catalogue', async () => {
    const types = (await tenant.api.get('/v1/event_types')).data.map(({ type }) => String(type));
    for (const type of types) {
      const envelope = (await tenant.api.post('/v1/test_helpers/events', { type })).created;
      expect(envelope).toMatchObject({ type, environment: 'test', tenant: { id: tenant.id } });
      if (type.startsWith('subscription.')) expect(envelope).toHaveProperty('subscription.id');
    }
    await until('all of them at the receiver', () => {
      const seen = new Set(receiver.received.map(({ event }) => event.type));
      return types.every((type) => seen.has(type));
    });
  });

  it('make events of a subscriber that is there, with other data', async () => {
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const request = { type: 'subscriber.updated', subscriber_id: id, data: { tags: ['vip'] } };
    const envelope = (await tenant.api.post('/v1/test_helpers/events', request)).created;
    expect(envelope).toMatchObject({
      subscriber: { id, email: 'ada@example.com' },
      data: { tags: ['vip'] },
      sequence: 2,
    });
    expect((await tenant.api.get(`/v1/events/${String(envelope['id'])}`)).ok).toEqual(envelope);
    const refused = async (body: object) =>
      (await tenant.api.post('/v1/test_helpers/events', body)).refusal;
    expect(await refused({ ...request, data: { tags: 'vip' } })).toEqual([
      400,
      'parameter_invalid',
      'data.tags',
    ]);
    expect(await refused({ type: 'no.such' })).toEqual([400, 'parameter_invalid', 'type']);
    expect(await refused({ ...request, type: 'subscriber.erased' })).toEqual([
      400,
      'parameter_invalid',
      'type',
    ]);
    const unknown = { ...request, subscriber_id: 'subscriber_0000000000000000' };
    expect(await refused(unknown)).toEqual([404, 'resource_not_found', 'subscriber_id']);
  });

  it('lay the fields given over the fixture', async () => {
    const make = async (body: object) =>
      (await tenant.api.post('/v1/test_helpers/events', body)).created['data'];
    const data = { ticket: { topic: 'cancel', priority: 'high' } };
    expect(await make({ type: 'ticket.submitted', data })).toMatchObject({
      ticket: { topic: 'cancel', priority: 'high', status: 'open' },
    });
    expect(await make({ type: 'subscriber.updated' })).toMatchObject({
      previous: { tags: ['fixture'] },
      tags: ['fixture', 'updated'],
    });
  });

  it('play scenarios in their order', async () => {
    for (const name of ['trial_convert', 'dunning_recovered', 'dunning_lost', 'cancel_save']) {
      const played = (await tenant.api.post(`/v1/test_helpers/scenarios/${name}`)).expect(202);
      const path = `/v1/subscribers/${String(played['subscriber_id'])}/events?limit=100`;
      const types = (await tenant.api.get(path)).data.map(({ type }) => type);
      const wanted = played['event_types'] as string[];
      expect(types.slice(-wanted.length)).toEqual(wanted);
    }
    const unknown = await tenant.api.post('/v1/test_helpers/scenarios/heist');
    expect(unknown.refusal).toEqual([404, 'resource_not_found', 'name']);
  });

  it('seed subscribers', async () => {
    const seeded = await tenant.api.post('/v1/test_helpers/seed', { subscribers: 30 });
    const id = String(seeded.expect(202)['id']);
    await until('the import', async () => {
      return (await tenant.api.get(`/v1/imports/${id}`)).ok['status'] === 'completed';
    });
    const { data } = await tenant.api.get('/v1/subscribers?limit=100');
    expect(data.filter(({ tags }) => (tags as string[]).includes('seed'))).toHaveLength(30);
  });

  it('are for test environments only', async () => {
    const live = await service.keyOf(tenant.id, 'live');
    for (const path of ['events', 'scenarios/trial_convert', 'seed']) {
      const refused = await live.api.post(`/v1/test_helpers/${path}`, {});
      expect(refused.refusal.slice(0, 2)).toEqual([403, 'test_helpers_live_forbidden']);
    }
  });
});
