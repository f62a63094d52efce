import { randomUUID } from 'node:crypto';
import { describeWithPostgres } from '../support/cluster';
import { databases } from '../support/databases';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { SilentProxy } from '../support/silent-proxy';
import { until } from '../support/until';

/** The time limit in ms. Every time limit of the service is far below it. */
const WAIT_LIMIT_MS = 150_000;
const REQUESTS = 30;
/** The time in ms after which a query that has no response fails. */
const ANSWER_LIMIT_MS = 35_000;

jest.setTimeout(4 * WAIT_LIMIT_MS);

/** The database of this suite takes every byte and answers nothing, as when its machine hangs. */
describeWithPostgres('a PostgreSQL that falls silent', () => {
  let proxy: SilentProxy;
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let subscriber: string;

  beforeAll(async () => {
    const { env, drop } = await databases.find(({ name }) => name === 'postgres')!.create();
    const address = new URL(env['DATABASE_URL']!);
    proxy = await SilentProxy.start(Number(address.port || 5432), address.hostname);
    address.hostname = '127.0.0.1';
    address.port = String(proxy.port);
    service = await Service.start({
      database: {
        name: 'postgres',
        create: () => Promise.resolve({ env: { DATABASE_URL: address.href }, drop }),
      },
    });
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const destination = { type: 'https_webhook', url: receiver.url };
    (await tenant.api.post('/v1/destinations', destination)).expect(201);
    const person = { email: 'ada@example.com' };
    subscriber = (await tenant.api.post('/v1/subscribers', person)).created['id'] as string;
    await receiver.next('subscriber.created');
  });

  afterAll(async () => {
    await service?.dispose();
    await proxy?.close();
    await receiver?.close();
  });

  const readReadiness = async (): Promise<[number, string]> => {
    const answer = await fetch(`${service.url}/health/ready`);
    return [answer.status, await answer.text()];
  };

  const submit = (key: string) =>
    tenant.api.post(
      '/v1/tickets',
      { subscriber_id: subscriber, topic: 'other' },
      { 'idempotency-key': key },
    );

  it('is refused with 503, shown by readiness and metrics, and used again when it answers', async () => {
    proxy.fallSilent();
    // There are more requests than connections, so some of them wait for a connection.
    const keys = Array.from({ length: REQUESTS }, () => randomUUID());
    const answers = Promise.all(keys.map(submit));
    expect(await readReadiness()).toEqual([
      503,
      expect.stringContaining('"database":"unavailable"'),
    ]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/^subscription_service_ready 0$/m);
    for (const { status } of await answers) expect(status).toBe(503);

    proxy.recover();
    await until(
      'the service to be ready',
      async () => (await readReadiness())[0] === 200,
      WAIT_LIMIT_MS,
    );
    const accepted = await Promise.all(
      keys.map((key) =>
        until('a repeat to be accepted', async () => {
          const answer = await submit(key);
          return answer.status === 201 ? (answer.body['id'] as string) : undefined;
        }),
      ),
    );
    await until(
      'the deliveries and the rows',
      async () => {
        const arrived = receiver
          .listByType('ticket.submitted')
          .map(({ event }) => (event['data'] as { ticket: { id: string } }).ticket.id);
        const listed = (await tenant.api.get('/v1/tickets?limit=100')).data.map(({ id }) => id);
        return accepted.every((id) => arrived.includes(id) && listed.includes(id));
      },
      WAIT_LIMIT_MS,
    );
    expect(service.running).toBe(true);
  });

  it('does not keep the service from stopping', async () => {
    proxy.fallSilent();
    const request = submit(randomUUID()).catch(() => null);
    await until('readiness to show it', async () => (await readReadiness())[0] === 503);
    const from = performance.now();
    expect(await service.stop()).toBe(0);
    // A stop gives loops and requests 20 s together, and then the connections 2 s. Waiting for one
    // answer of the database would take longer.
    expect(performance.now() - from).toBeLessThan(ANSWER_LIMIT_MS);
    await request;
  });

  it('ends a start with a message, and no start hangs', async () => {
    await expect(service.run()).rejects.toThrow(/code 1 [^]*SQL database cannot be used/);
    proxy.recover();
    await service.run();
    expect((await readReadiness())[0]).toBe(200);
  });
});
