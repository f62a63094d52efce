import { EventStoreDBClient } from '@eventstore/db-client';
import { randomBytes } from 'node:crypto';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { until } from '../support/until';

const RESTARTS = 3;
/** The time in ms after the end of a fault within which all accepted events must arrive. */
const ARRIVES_WITHIN_MS = 35_000;

/**
 * The store of this suite accepts calls and does not answer them, as after a start or an election.
 */
describe('a store that does not answer', () => {
  let store: StoreServer;
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let subscriber: string;
  const accepted: string[] = [];

  beforeAll(async () => {
    store = await StoreServer.start();
    const env = {
      METRICS_PER_TENANT: 'true',
      EVENTSTORE_URL: store.connectionString,
      MASTER_KEY: randomBytes(32).toString('base64'),
    };
    service = await Service.start({ env });
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const destination = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    (await service.operator.post(path, destination)).expect(201);
    const { created } = await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    subscriber = created['id'] as string;
  });
  afterAll(async () => {
    await service.dispose();
    await store.dispose();
    await receiver.close();
  });

  const submit = async (): Promise<void> => {
    const ticket = { subscriber_id: subscriber, topic: 'other', subject: 'unanswered' };
    const key = randomBytes(8).toString('hex');
    const id = await until('a ticket to be accepted', async () => {
      const answer = await tenant.api.post('/v1/tickets', ticket, { 'idempotency-key': key });
      return answer.status === 201 ? (answer.body['id'] as string) : undefined;
    });
    accepted.push(id);
  };

  const listArrived = (): Set<string> =>
    new Set(
      receiver
        .listByType('ticket.submitted')
        .map(
          ({ event }) => (event as unknown as { data: { ticket: { id: string } } }).data.ticket.id,
        ),
    );

  const waitForAll = (): Promise<unknown> =>
    until(
      'every accepted ticket at the receiver',
      () => {
        const ids = listArrived();
        return accepted.every((id) => ids.has(id));
      },
      ARRIVES_WITHIN_MS,
    );

  const readReadiness = async (): Promise<string> =>
    (await fetch(`${service.url}/health/ready`)).text();

  it('drops connects after each restart, and everything accepted is delivered', async () => {
    for (let round = 0; round < RESTARTS; round += 1) {
      await store.restart(['--fault', 'not-ready=4s']);
      for (let i = 0; i < 5; i += 1) await submit();
      await waitForAll();
    }
    expect(service.running).toBe(true);
  }, 120_000);

  it('does not prevent metrics of the last confirmation and the last event of each subscription', async () => {
    const noneIsUnconfirmed = /^subscription_service_event_store_subscriptions_unconfirmed 0$/m;
    const metrics = await until('every subscription to be confirmed', async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return noneIsUnconfirmed.test(text) ? text : undefined;
    });
    const createShownPattern = (name: string): RegExp =>
      new RegExp(
        `^subscription_service_event_store_subscription_${name}{subscription="destination [^"]+"} \\d`,
        'm',
      );
    expect(metrics).toMatch(createShownPattern('confirmed_timestamp_seconds'));
    expect(metrics).toMatch(createShownPattern('last_event_timestamp_seconds'));
    expect(metrics).toMatch(/^subscription_service_event_store_subscription_lag_seconds \d/m);
  });

  it('stops linking events: the service is not ready, restarts the projection and delivers', async () => {
    const client = EventStoreDBClient.connectionString(store.connectionString);
    await client.disableProjection('$by_category');
    await submit();
    await until('readiness to show it', async () =>
      (await readReadiness()).includes('category_links standing_still'),
    );
    await waitForAll();
    await until('readiness to be well again', async () => (await readReadiness()).includes('"ok"'));
    const { projectionStatus } = await client.getProjectionStatus('$by_category');
    expect(projectionStatus).toBe('Running');
    await client.dispose();
  });
});
