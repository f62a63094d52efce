import { databases } from '../support/databases';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const EVENTS = 2_000;
const SUBSCRIBERS = 40;
const KILLS = 5;
const CLIENTS = 8;
/**
 * The in-flight limit of a destination, which is the number of deliveries that a kill may cause to
 * arrive twice.
 */
const IN_FLIGHT_MAX = 50;

type Event = { id: string; sequence: number; subscriber: { id: string } };

describe.each(databases)(
  'kill -9 while events are accepted and delivered, on $name SQL',
  (database) => {
    let service: Service;
    let tenant: TestTenant;
    let steady: Receiver;
    let flaky: Receiver;

    beforeAll(async () => {
      service = await Service.start({
        database,
        env: { TEST_RETRY_SCHEDULE: '0,0.1,0.1,0.2,0.2,0.5,0.5,1,1,1,1,1,1,1,1' },
      });
      tenant = await service.tenant();
      steady = await Receiver.start();
      flaky = await Receiver.start((_, response) => {
        response.statusCode = Math.random() < 1 / 3 ? 500 : 200;
        response.end();
      });
      for (const { url } of [steady, flaky]) {
        const body = { type: 'https_webhook', url, environment: 'test' };
        (
          await service.operator.post(`/operator/v1/tenants/${tenant.id}/destinations`, body)
        ).expect(201);
      }
    });

    afterAll(async () => {
      await service.dispose();
      await steady.close();
      await flaky.close();
    });

    it('loses nothing, keeps the order and delivers everything to both destinations', async () => {
      const subscribers = await register(tenant);
      const accepted = new Set<string>();
      const kills = killAtRandom(service);
      await Promise.all(
        Array.from({ length: CLIENTS }, () => submit(service, tenant, { subscribers, accepted })),
      );
      await kills.done();

      const events = await listAllEvents(tenant);
      const tickets = new Set(
        events.filter(({ type }) => type === 'ticket.submitted').map(readTicketId),
      );
      expect([...accepted].filter((id) => !tickets.has(id))).toEqual([]);

      for (const receiver of [steady, flaky]) {
        await until(
          'every event at the receiver',
          () => {
            const arrived = new Set(receiver.eventIds);
            return events.every(({ id }) => arrived.has(id));
          },
          120_000,
        );
      }
      expect(listOutOfOrder(steady)).toEqual([]);
      const repeated = steady.received.length - steady.eventIds.length;
      expect(repeated).toBeLessThanOrEqual(KILLS * IN_FLIGHT_MAX);
      console.log(
        `${events.length} events, ${KILLS} kills, ${repeated} arrived twice at the steady receiver`,
      );
    }, 300_000);
  },
);

const register = (tenant: TestTenant): Promise<string[]> =>
  Promise.all(
    Array.from({ length: SUBSCRIBERS }, async (_, i) => {
      const answer = await tenant.api.post('/v1/subscribers', { email: `reader${i}@example.com` });
      return answer.created['id'] as string;
    }),
  );

interface Work {
  readonly subscribers: readonly string[];
  /** The ids of tickets whose acceptance the client saw. */
  readonly accepted: Set<string>;
}

/** Submits tickets without stopping when the service fails. */
const submit = async (
  service: Service,
  tenant: TestTenant,
  { subscribers, accepted }: Work,
): Promise<void> => {
  while (accepted.size < EVENTS) {
    const subscriber_id = subscribers[Math.floor(Math.random() * subscribers.length)];
    const ticket = { subscriber_id, topic: 'other', subject: 'under fire' };
    const answer = await tenant.api.post('/v1/tickets', ticket).catch(() => null);
    if (answer?.status === 201) accepted.add(answer.body['id'] as string);
    else await until('the service', () => service.running);
  }
};

/** Kills the process at random times and restarts it at once. */
const killAtRandom = (service: Service): { done: () => Promise<void> } => {
  const done = (async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700));
      await service.kill();
      await service.run();
    }
  })();
  return { done: () => done };
};

const listAllEvents = async (tenant: TestTenant): Promise<(Event & { type: string })[]> => {
  const events: (Event & { type: string })[] = [];
  let path = '/v1/events?limit=100&order=asc';
  for (;;) {
    const { ok } = await tenant.api.get(path);
    events.push(...(ok['data'] as typeof events));
    if (ok['has_more'] !== true) return events;
    path = `/v1/events?limit=100&order=asc&starting_after=${String(ok['next_cursor'])}`;
  }
};

const readTicketId = (event: object): string =>
  (event as { data: { ticket: { id: string } } }).data.ticket.id;

/** Returns first arrivals that came after a later event of the same subscriber. */
const listOutOfOrder = ({ received }: Receiver): string[] => {
  const highest = new Map<string, number>();
  const seen = new Set<string>();
  return received.flatMap(({ event }) => {
    if (seen.has(event.id)) return [];
    seen.add(event.id);
    const { id } = event['subscriber'] as { id: string };
    const before = highest.get(id) ?? 0;
    highest.set(id, Math.max(before, event.sequence));
    return event.sequence < before ? [`${id} ${event.sequence} after ${before}`] : [];
  });
};
