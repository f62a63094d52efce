import { EventStoreDBClient } from '@eventstore/db-client';
import { randomBytes, randomUUID } from 'node:crypto';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { until } from '../support/until';

const CLIENTS = 4;
const SUBSCRIBERS = 6;
const TICKETS = 24;

type Event = Record<string, unknown> & { id: string; type: string; sequence: number };

/**
 * This suite runs the service beside an event store in its own process, reached by EVENTSTORE_URL
 * alone.
 */
describe('on a standalone event store', () => {
  let store: StoreServer;
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let subscribers: string[];
  const accepted = new Set<string>();

  beforeAll(async () => {
    store = await StoreServer.start({ projections: false });
    service = await Service.start({
      env: {
        EVENTSTORE_URL: store.connectionString,
        MASTER_KEY: randomBytes(32).toString('base64'),
      },
    });
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const destination = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    (await service.operator.post(path, destination)).expect(201);
    subscribers = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, async (_, i) => {
        const email = `reader${i}@example.com`;
        return (await tenant.api.post('/v1/subscribers', { email })).created['id'] as string;
      }),
    );
  });

  afterAll(async () => {
    await service.dispose();
    await store.dispose();
    await receiver.close();
  });

  /** Repeats a request with its first key until it is accepted. */
  const submit = async (): Promise<void> => {
    const key = randomUUID();
    const subscriber_id = subscribers[Math.floor(Math.random() * subscribers.length)];
    const ticket = { subscriber_id, topic: 'other', subject: 'under faults' };
    const id = await until('the ticket to be accepted', async () => {
      const answer = await tenant.api.post('/v1/tickets', ticket, { 'idempotency-key': key });
      if (answer.status === 201) return answer.body['id'] as string;
      // The store is unavailable or slow, or the first attempt is still running. All of these pass.
      expect([409, 503]).toContain(answer.status);
      return undefined;
    });
    accepted.add(id);
  };

  const submitAll = () =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let i = 0; i < TICKETS / CLIENTS; i += 1) await submit();
      }),
    );

  const listAllEvents = async (): Promise<Event[]> => {
    const events: Event[] = [];
    let path = '/v1/events?limit=100&order=asc';
    for (;;) {
      const { ok } = await tenant.api.get(path);
      events.push(...(ok['data'] as Event[]));
      if (ok['has_more'] !== true) return events;
      path = `/v1/events?limit=100&order=asc&starting_after=${String(ok['next_cursor'])}`;
    }
  };

  /**
   * Expects that each accepted ticket is one event, that no subscriber's sequence has a gap, and
   * that all events arrived.
   */
  const expectBalanced = async (): Promise<void> => {
    const events = await until('the read models to have every ticket', async () => {
      const found = await listAllEvents();
      const ids = new Set(found.filter(isTicket).map(readTicketId));
      return [...accepted].every((id) => ids.has(id)) ? found : undefined;
    });
    const tickets = events.filter(isTicket).map(readTicketId);
    expect(tickets.toSorted()).toEqual([...accepted].toSorted());
    for (const subscriber of subscribers) {
      // The list is by time. A command whose append was repeated has the time of its first attempt.
      const sequences = events
        .filter((e) => readSubscriberId(e) === subscriber)
        .map((e) => e.sequence)
        .sort((a, b) => a - b);
      expect(sequences).toEqual(sequences.map((_, i) => i + 1));
    }
    await until('every event at the receiver', () => {
      const arrived = new Set(receiver.eventIds);
      return events.every(({ id }) => arrived.has(id));
    });
  };

  it('enables the category projection, and delivers', async () => {
    const client = EventStoreDBClient.connectionString(store.connectionString);
    const { projectionStatus } = await client.getProjectionStatus('$by_category');
    expect(projectionStatus).toBe('Running');
    await client.dispose();
    await submitAll();
    await expectBalanced();
  });

  it.each([
    'drop-connection=9',
    'timeout-after-commit=5',
    'not-leader=6',
    'drop-group=3',
    'duplicate-delivery=3',
  ])('survives %s without a lost or duplicate event', async (fault) => {
    await store.restart(['--fault', fault]);
    await submitAll();
    await expectBalanced();
    expect(service.running).toBe(true);
  });

  it('answers 503 with Retry-After while the store is down, and is not ready until it is back', async () => {
    const subscriber = { email: 'late@example.com' };
    const fetchReadiness = () => fetch(`${service.url}/health/ready`);
    await store.signal('SIGKILL');
    const refused = await tenant.api.post('/v1/subscribers', subscriber);
    expect([...refused.refusal, refused.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      null,
      '1',
    ]);
    const change = await tenant.api.patch(`/v1/subscribers/${subscribers[0]!}`, {
      tags_add: ['x'],
    });
    expect(change.refusal[0]).toBe(503);
    const waiting = await fetchReadiness();
    expect([waiting.status, await waiting.text()]).toEqual([
      503,
      expect.stringContaining('event_store unavailable'),
    ]);
    await store.run();
    await until('the service to be ready again', async () => (await fetchReadiness()).ok);
    expect((await tenant.api.post('/v1/subscribers', subscriber)).status).toBe(201);
    await submitAll();
    await expectBalanced();
  });

  it('does not start on a store that requires a user, and says what to do', async () => {
    const guarded = await StoreServer.start({
      projections: false,
      args: ['--user', 'ada:secret'],
    });
    const env = {
      EVENTSTORE_URL: guarded.connectionString,
      MASTER_KEY: randomBytes(32).toString('base64'),
    };
    await expect(Service.start({ env })).rejects.toThrow(/asks for a user[^]*EVENTSTORE_URL/);
    await guarded.dispose();
  });
});

const isTicket = ({ type }: Event): boolean => type === 'ticket.submitted';

const readTicketId = (event: Event): string =>
  (event as unknown as { data: { ticket: { id: string } } }).data.ticket.id;

const readSubscriberId = (event: Event): string => (event['subscriber'] as { id: string }).id;
