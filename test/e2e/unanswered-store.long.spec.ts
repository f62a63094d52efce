import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreConnection } from '../../src/event-store/connection';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { until } from '../support/until';

/** The number of restarts. .ci/run sets a smaller one. */
const RESTARTS = Number(process.env['STORE_RESTARTS'] ?? 50);
const WRITES = 1_000;
/**
 * The number of writers. Each has its own subscriber, so one that waits for a response delays no
 * other.
 */
const AT_ONCE = 50;
const NOT_READY_MS = 4_000;
const ARRIVES_WITHIN_MS = 35_000;
const EMPTY = new Uint8Array();

describe('a store that misbehaves for long', () => {
  let store: StoreServer;
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let subscribers: string[];
  const accepted: string[] = [];

  beforeAll(async () => {
    store = await StoreServer.start();
    const env = {
      EVENTSTORE_URL: store.connectionString,
      MASTER_KEY: randomBytes(32).toString('base64'),
    };
    service = await Service.start({ env });
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const destination = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    (await service.operator.post(path, destination)).expect(201);
    subscribers = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, i) => {
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

  /** Repeats a request with its key until it is accepted, and once more after that. */
  const submit = async (writer: number): Promise<void> => {
    const ticket = { subscriber_id: subscribers[writer], topic: 'other', subject: 'unanswered' };
    const headers = { 'idempotency-key': randomBytes(12).toString('hex') };
    const id = await until('a ticket to be accepted', async () => {
      const answer = await tenant.api.post('/v1/tickets', ticket, headers);
      return answer.status === 201 ? (answer.body['id'] as string) : undefined;
    });
    const repeated = await until('the repeat to be answered', async () => {
      const answer = await tenant.api.post('/v1/tickets', ticket, headers);
      return answer.status === 201 ? (answer.body['id'] as string) : undefined;
    });
    expect(repeated).toBe(id);
    accepted.push(id);
  };

  const submitAll = (count: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async (_, writer) => {
        for (let i = 0; i < count / AT_ONCE; i += 1) await submit(writer);
      }),
    );

  const listArrived = (): string[] =>
    receiver
      .listByType('ticket.submitted')
      .map(
        ({ event }) => (event as unknown as { data: { ticket: { id: string } } }).data.ticket.id,
      );

  const waitForAll = (): Promise<unknown> =>
    until(
      'every accepted ticket at the receiver',
      () => {
        const ids = new Set(listArrived());
        return accepted.every((id) => ids.has(id));
      },
      ARRIVES_WITHIN_MS,
    );

  const readReadiness = async (): Promise<string> =>
    (await fetch(`${service.url}/health/ready`)).text();

  it(`drops connects for 4 s after each of ${RESTARTS} restarts, and everything is delivered`, async () => {
    for (let round = 0; round < RESTARTS; round += 1) {
      const writing = submitAll(AT_ONCE);
      await store.restart(['--fault', `not-ready=${NOT_READY_MS}ms`]);
      await Promise.all([writing, delay(NOT_READY_MS)]);
      await waitForAll();
    }
    expect(service.running).toBe(true);
  }, 3_600_000);

  it('makes the service not ready while a consumer has had no confirmation for 30 s', async () => {
    const isWell = async (): Promise<boolean> => (await readReadiness()).includes('"ok"');
    await until('readiness to be well after the restarts before', isWell, 60_000);
    await store.restart(['--fault', 'connect-unanswered=40s']);
    await until(
      'readiness to show it',
      async () => (await readReadiness()).includes('subscriptions unconfirmed'),
      39_000,
    );
    await until('readiness to be well again', isWell, 60_000);
  }, 210_000);

  it.each([
    ['double-answer=1', 1_000],
    ['unknown-answer=1', 1_000],
    ['timeout-after-commit=3', 1_000],
    // Each strike makes a writer wait for the time limit of the append, so not every append is hit.
    ['append-unanswered=10', 1_000],
  ])(
    'completes every write with %s, until it struck %i times: each is one event, also when it is repeated',
    (fault, strikes) => writeUnder(fault, strikes),
    1_200_000,
  );

  it('completes every write while another append call breaks 1000 times, its own or that of another client', async () => {
    const stopOtherAppends = appendOverOtherCall(store.connectionString);
    await writeUnder('break-other-append-stream=3', 1_000);
    await stopOtherAppends();
  }, 1_200_000);

  const writeUnder = async (fault: string, strikes: number): Promise<void> => {
    for (let struck = 0; struck < strikes;) {
      const before = accepted.length;
      await store.inject(fault);
      await submitAll(WRITES);
      struck += await store.clearFaults();
      await waitForAll();
      expect(accepted.length - before).toBe(WRITES);
      // A second event of a repeated request would be a ticket that no caller knows.
      expect(new Set(listArrived())).toEqual(new Set(accepted));
    }
    expect(service.running).toBe(true);
  };
});

/**
 * Appends one event after another over an append call of its own, so that the store has another
 * call than the service's. Returns the function that stops it.
 */
const appendOverOtherCall = (connectionString: string): (() => Promise<void>) => {
  const connection = new EventStoreConnection(connectionString);
  let isStopping = false;
  const appendAll = async (): Promise<void> => {
    while (!isStopping) {
      const event = { uuid: randomUUID(), type: 'other', data: EMPTY, metadata: EMPTY };
      const append = {
        stream: 'other',
        expected: 'any',
        events: [event],
        timeoutMs: 1_000,
      } as const;
      // The fault breaks this call as often as the service's.
      await connection.appends.append(append).catch(() => undefined);
    }
  };
  const stopped = appendAll();
  return async () => {
    isStopping = true;
    await stopped;
    await connection.close();
  };
};
