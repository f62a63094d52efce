import { createHmac } from 'node:crypto';
import { databases } from '../support/databases';
import { Receiver, verify } from '../support/receiver';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

describe.each(databases)('the main job, on $name SQL', (database) => {
  let service: RunningService;
  let tenant: TestTenant;
  let receiver: Receiver;
  let destination: { id: string; signing_secret: string };

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const body = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    destination = (await service.operator.post(path, body)).created as typeof destination;
    await tenant.api.put('/v1/plans/pro', {
      name: 'Pro',
      amount: 2000,
      currency: 'USD',
      interval: 'month',
    });
  });

  afterAll(async () => {
    await receiver.close();
  });

  const createSubscriber = async (email = 'ada@example.com'): Promise<string> =>
    (await tenant.api.post('/v1/subscribers', { email })).created['id'] as string;

  it('delivers an accepted event as a signed webhook', async () => {
    const id = await createSubscriber();
    const ticket = { subscriber_id: id, topic: 'cancel', subject: 'Why I leave' };
    const accepted = (await tenant.api.post('/v1/tickets', ticket)).created;

    const delivery = await until('the ticket at the receiver', () =>
      receiver.listByType('ticket.submitted').find(({ event }) => readId(event) === accepted['id']),
    );

    verify(delivery, destination.signing_secret);
    expect(delivery.event).toMatchObject({
      schema_version: 'v1',
      tenant: { id: tenant.id, name: 'Acme Magazine' },
      subscriber: { id, email: 'ada@example.com' },
      data: { ticket: { id: accepted['id'], subject: 'Why I leave', status: 'open' } },
      environment: 'test',
      sequence: 2,
    });
    expect(delivery.event).not.toHaveProperty('subscription');
    expect(delivery.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event-id': delivery.event.id,
      'x-service-event-type': 'ticket.submitted',
      'x-service-schema-version': 'v1',
      'x-service-attempt': '1',
      'x-service-destination-id': destination.id,
      'webhook-id': delivery.event.id,
    });
  });

  it('signs the event time with the stable signature', async () => {
    const id = await createSubscriber();
    const { event, headers, body } = await until('the subscriber', () =>
      receiver.listByType('subscriber.created').find((each) => readSubscriberId(each.event) === id),
    );
    const t = Math.floor(Date.parse(event['created_at'] as string) / 1000);
    const v1 = createHmac('sha256', destination.signing_secret)
      .update(`${event.id}.${t}.${body}`)
      .digest('hex');
    expect(headers['x-service-signature']).toBe(`t=${t},v1=${v1}`);
  });

  it('delivers the state after each event', async () => {
    const id = await createSubscriber();
    const request = { subscriber_id: id, plan: 'pro', payment_method: 'pm_test_ok' };
    const subscription = (await tenant.api.post('/v1/subscriptions', request)).created;
    expect(subscription).toMatchObject({ status: 'active', plan: 'pro' });

    const events = await until('three events', () => {
      const found = receiver.received.filter(({ event }) => readSubscriberId(event) === id);
      return found.length === 3 ? found.map(({ event }) => event) : null;
    });
    expect(events.map(({ type, sequence }) => [sequence, type])).toEqual([
      [1, 'subscriber.created'],
      [2, 'payment.succeeded'],
      [3, 'subscription.activated'],
    ]);
    expect(events[2]!['subscription']).toMatchObject({
      id: subscription['id'],
      status: 'active',
      plan: 'pro',
      current_period_start: subscription['current_period_start'],
      current_period_end: subscription['current_period_end'],
    });
  });

  it('retries a failure until the receiver accepts it, and keeps the order', async () => {
    const id = await createSubscriber();
    await until('the subscriber', () =>
      receiver.received.some(({ event }) => readSubscriberId(event) === id),
    );
    let failures = 2;
    receiver.answer(({ event }, response) => {
      const fail = event.type === 'payment.succeeded' && failures-- > 0;
      response.statusCode = fail ? 503 : 204;
      response.end();
    });
    const request = { subscriber_id: id, plan: 'pro', payment_method: 'pm_test_ok' };
    await tenant.api.post('/v1/subscriptions', request);

    const attempts = await until('the event after the retries', () => {
      const found = receiver.received.filter(
        ({ event }) => readSubscriberId(event) === id && event.sequence > 1,
      );
      return found.some(({ event }) => event.type === 'subscription.activated') ? found : null;
    });
    expect(
      attempts.map(({ event, headers }) => [event.type, headers['x-service-attempt']]),
    ).toEqual([
      ['payment.succeeded', '1'],
      ['payment.succeeded', '2'],
      ['payment.succeeded', '3'],
      ['subscription.activated', '1'],
    ]);
    const signatures = attempts.slice(0, 3).map(({ headers }) => headers['x-service-signature']);
    expect(new Set(signatures).size).toBe(1);
  });
});

const readId = (event: Record<string, unknown>): unknown =>
  (event['data'] as { ticket?: { id: string } }).ticket?.id;

const readSubscriberId = (event: Record<string, unknown>): unknown =>
  (event['subscriber'] as { id: string }).id;
