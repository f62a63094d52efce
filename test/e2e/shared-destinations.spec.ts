import { Cluster, describeWithPostgres } from '../support/cluster';
import { Receiver } from '../support/receiver';
import type { Service, TestTenant } from '../support/service';
import { until } from '../support/until';

const DESTINATIONS = 24;
const SHARE_MIN = 4;

describeWithPostgres('destinations of several processes', () => {
  let cluster: Cluster;
  let first: Service;
  let late: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let subscriberId: string;
  let tickets = 0;

  beforeAll(async () => {
    cluster = await Cluster.start();
    first = await cluster.join();
    receiver = await Receiver.start();
    const operator = first.createOperatorApi(cluster.operatorToken);
    const settings = { max_destinations: DESTINATIONS };
    const made = await operator.post('/operator/v1/tenants', { name: 'Acme', settings });
    const path = `/operator/v1/tenants/${String(made.created['id'])}`;
    const issue = { environment: 'test', name: 'tests' };
    const key = (await operator.post(`${path}/api-keys`, issue)).created['key'] as string;
    tenant = { id: made.created['id'] as string, key, api: first.createApi(key) };
    for (let i = 0; i < DESTINATIONS; i += 1) {
      const body = { type: 'https_webhook', url: receiver.url, event_types: ['ticket.submitted'] };
      (await tenant.api.post('/v1/destinations', body)).expect(201);
    }
    const email = 'ada@example.com';
    subscriberId = (await tenant.api.post('/v1/subscribers', { email })).created['id'] as string;
  });

  afterAll(async () => {
    await cluster.dispose();
    await receiver.close();
  });

  /** Creates one more event and waits for its arrival at every destination. */
  const deliver = async (service: Service): Promise<void> => {
    const body = { subscriber_id: subscriberId, topic: 'other', subject: `number ${tickets}` };
    (await service.createApi(tenant.key).post('/v1/tickets', body)).expect(201);
    tickets += 1;
    await until('the event at all of them', () => {
      const pairs = receiver.received.map(
        ({ event, headers }) => `${event.id} ${String(headers['x-service-destination-id'])}`,
      );
      return new Set(pairs).size === tickets * DESTINATIONS;
    });
  };

  it('are all owned by a process that runs alone', async () => {
    await deliver(first);
    await until('all of them', async () => (await first.countOwnedDestinations()) === DESTINATIONS);
  });

  it('are shared with a process that starts later, and nothing is sent twice', async () => {
    late = await cluster.join();
    await until('both shares', async () => {
      const [a, b] = [await first.countOwnedDestinations(), await late.countOwnedDestinations()];
      return a >= SHARE_MIN && b >= SHARE_MIN && a + b === DESTINATIONS;
    });
    await deliver(first);
    expect(receiver.received).toHaveLength(tickets * DESTINATIONS);
  });

  it('are taken over within seconds from a process that was killed', async () => {
    await first.kill();
    const killedAt = Date.now();
    await deliver(late);
    expect(Date.now() - killedAt).toBeLessThan(15_000);
    await until('all of them', async () => (await late.countOwnedDestinations()) === DESTINATIONS);
  });
});
