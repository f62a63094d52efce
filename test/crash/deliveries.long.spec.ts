import { randomBytes } from 'node:crypto';
import { Api } from '../support/api';
import { describeWithPostgres } from '../support/cluster';
import { databases } from '../support/databases';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { until } from '../support/until';

const SUBSCRIBERS = 20;
const EVENTS = 250;
/**
 * The in-flight limit of a destination, which is the number of deliveries that a kill may cause to
 * arrive twice.
 */
const IN_FLIGHT_MAX = 50;

type Respond = Parameters<Receiver['answer']>[0];

interface TicketSubmitted {
  readonly ticket: { readonly id: string };
}

interface Target {
  readonly id: string;
  readonly name: string;
  readonly receiver: Receiver;
}

const createRespond =
  (status: () => number): Respond =>
  (_, response) => {
    response.statusCode = status();
    response.end();
  };

const register = async (
  tenant: TestTenant,
  responds: Readonly<Record<string, Respond>>,
): Promise<Target[]> =>
  Promise.all(
    Object.entries(responds).map(async ([name, respond]) => {
      const receiver = await Receiver.start(respond);
      const body = { type: 'https_webhook', url: receiver.url, event_types: ['ticket.submitted'] };
      const { id } = (await tenant.api.post('/v1/destinations', body)).created;
      return { id: id as string, name, receiver };
    }),
  );

const createSubscribers = (tenant: TestTenant): Promise<string[]> =>
  Promise.all(
    Array.from({ length: SUBSCRIBERS }, async (_, i) => {
      const answer = await tenant.api.post('/v1/subscribers', { email: `r${i}@example.com` });
      return answer.created['id'] as string;
    }),
  );

/**
 * Submits tickets until this many are accepted, across crashes of the service. Returns their ids.
 */
const submit = async (api: () => Api, subscribers: readonly string[]): Promise<string[]> => {
  const accepted: string[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (accepted.length < EVENTS) {
        const subscriber_id = subscribers[accepted.length % SUBSCRIBERS];
        const ticket = { subscriber_id, topic: 'other', subject: 'x' };
        const answer = await api()
          .post('/v1/tickets', ticket)
          .catch(() => null);
        if (answer?.status === 201) accepted.push(answer.created['id'] as string);
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }),
  );
  return accepted;
};

const readEveryPage = async (api: Api, path: string): Promise<Record<string, unknown>[]> => {
  const items: Record<string, unknown>[] = [];
  for (let cursor = ''; ;) {
    const { ok } = await api.get(`${path}&limit=100${cursor}`);
    items.push(...(ok['data'] as typeof items));
    if (ok['has_more'] !== true) return items;
    cursor = `&starting_after=${String(ok['next_cursor'])}`;
  }
};

/** Returns the ids of the submitted events, including those whose response was lost in a kill. */
const listIdsInLog = async (api: Api, accepted: readonly string[]): Promise<string[]> => {
  // Another process takes over the projector some seconds after a kill.
  const events = await until('every accepted one among the events', async () => {
    const found = await readEveryPage(api, '/v1/events?event_types=ticket.submitted');
    const tickets = new Set(found.map(({ data }) => (data as TicketSubmitted).ticket.id));
    return accepted.every((id) => tickets.has(id)) ? found : null;
  });
  return events.map(({ id }) => id as string).sort();
};

/**
 * Expects every event once in each destination's log, delivered. Returns the events that arrived
 * more than once.
 */
const expectBalanced = async (
  api: Api,
  targets: readonly Target[],
  accepted: readonly string[],
  kills: number,
): Promise<void> => {
  const ids = await listIdsInLog(api, accepted);
  expect(ids.length).toBeGreaterThanOrEqual(EVENTS);
  for (const { id, name, receiver } of targets) {
    await until(
      `everything at the ${name} one`,
      async () => {
        const { data } = await api.get(`/v1/destinations/${id}/deliveries?status=pending&limit=1`);
        return data.length === 0 && new Set(receiver.eventIds).size >= ids.length;
      },
      60_000,
    );
    const rows = await until('all of them in the log', async () => {
      const found = await readEveryPage(api, `/v1/destinations/${id}/deliveries?status=delivered`);
      return found.length >= ids.length ? found : null;
    });
    expect(rows.map(({ event_id }) => event_id as string).sort()).toEqual(ids);
    const attempts = rows.reduce((sum, { attempt_count }) => sum + Number(attempt_count), 0);
    const unrecorded = receiver.received.length - attempts;
    console.log(`${name}: ${ids.length} events, ${attempts} attempts recorded, ${unrecorded} not`);
    // An attempt without a record was in flight when its process was killed.
    expect(Math.abs(unrecorded)).toBeLessThanOrEqual(kills * IN_FLIGHT_MAX);
  }
};

describe('the records of deliveries', () => {
  it('are complete after kill -9 among steady, failing and dead receivers', async () => {
    const KILLS = 2;
    const service = await Service.start({
      env: { TEST_RETRY_SCHEDULE: '0,0.2,0.5,1,2,2,2,2,2,2,2,2,2,2', DELIVERY_TIMEOUT_MS: '2000' },
    });
    const tenant = await service.tenant();
    let down = true;
    const targets = await register(tenant, {
      steady: createRespond(() => 200),
      flaky: createRespond(() => (Math.random() < 1 / 3 ? 500 : 200)),
      dead: createRespond(() => (down ? 503 : 200)),
    });
    try {
      const subscribers = await createSubscribers(tenant);
      const submitting = submit(() => tenant.api, subscribers);
      for (let kill = 0; kill < KILLS; kill += 1) {
        await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 500));
        await service.kill();
        await service.run();
      }
      const accepted = await submitting;
      down = false;
      await expectBalanced(tenant.api, targets, accepted, KILLS);
    } finally {
      await service.dispose();
      await Promise.all(targets.map(({ receiver }) => receiver.close()));
    }
  }, 180_000);
});

const shared = databases.find(({ name }) => name === 'postgres');

/** Two processes need stores that both can reach: run with TEST_DATABASE_URL. */
describeWithPostgres('two processes on shared stores', () => {
  it('take over the destinations of a killed process within seconds', async () => {
    const store = await StoreServer.start();
    const database = await shared!.create();
    const env = {
      ...database.env,
      EVENTSTORE_URL: store.connectionString,
      MASTER_KEY: randomBytes(32).toString('base64'),
      OPERATOR_TOKEN: randomBytes(16).toString('hex'),
      TEST_RETRY_SCHEDULE: '0,0.2,0.5,1,2,2,2,2,2,2',
    };
    const first = await Service.start({ env });
    const second = await Service.start({ env });
    const operator = new Api(() => first.url, env.OPERATOR_TOKEN);
    const { id } = (await operator.post('/operator/v1/tenants', { name: 'Acme' })).created;
    const issue = { environment: 'test', name: 'tests' };
    const { key } = (await operator.post(`/operator/v1/tenants/${id as string}/api-keys`, issue))
      .created;
    const tenant = { id: id as string, key: key as string, api: first.createApi(key as string) };
    const targets = await register(tenant, {
      steady: createRespond(() => 200),
      second: createRespond(() => 200),
      third: createRespond(() => 200),
      flaky: createRespond(() => (Math.random() < 1 / 3 ? 500 : 200)),
    });
    try {
      const subscribers = await createSubscribers(tenant);
      await until(
        'the second to know the key',
        async () => (await second.createApi(key as string).get('/v1/tickets')).status === 200,
      );
      let survivor = second;
      const submitting = submit(() => survivor.createApi(key as string), subscribers);
      await until('deliveries', () => targets.every((each) => each.receiver.received.length > 20));
      // The process with more destinations is killed.
      const [ofFirst, ofSecond] = [
        await first.countOwnedDestinations(),
        await second.countOwnedDestinations(),
      ];
      const killed = ofFirst >= ofSecond ? first : second;
      survivor = killed === first ? second : first;
      await killed.kill();
      const killedAt = Date.now();
      await until('every destination to be served again', () =>
        targets.every(({ receiver }) =>
          receiver.received.some(
            ({ event }) => Date.parse(event['created_at'] as string) > killedAt,
          ),
        ),
      );
      const tookMs = Date.now() - killedAt;
      console.log(`${Math.max(ofFirst, ofSecond)} taken over after ${tookMs} ms`);
      expect(tookMs).toBeLessThan(10_000);
      await expectBalanced(survivor.createApi(key as string), targets, await submitting, 1);
    } finally {
      await first.dispose();
      await second.dispose();
      await Promise.all(targets.map(({ receiver }) => receiver.close()));
      await database.drop();
      await store.dispose();
    }
  }, 180_000);
});
