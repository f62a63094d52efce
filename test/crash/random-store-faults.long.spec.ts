import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { Api } from '../support/api';
import { describeWithPostgres } from '../support/cluster';
import { databases, type TestDatabase } from '../support/databases';
import { injectRandomFaults } from '../support/random-faults';
import { Receiver } from '../support/receiver';
import { Service } from '../support/service';
import { until } from '../support/until';

/**
 * The number of rounds. A round takes 10 to 30 s, because requests wait for appends that are never
 * answered.
 */
const ROUNDS = Number(process.env['SERVICE_CRASH_ROUNDS'] ?? 4);
const WRITERS = 8;
const TICKETS_PER_WRITER = 4;
/** The time limit in ms. A request may wait for several faults, one after the other. */
const WAIT_LIMIT_MS = 120_000;

type Event = Record<string, unknown> & { id: string; sequence: number };

/** Several processes of the service on one store with random faults. */
class Stage {
  private readonly accepted = new Set<string>();
  private subscribers: string[] = [];
  private key = '';

  private constructor(
    readonly store: StoreServer,
    readonly services: readonly Service[],
    private readonly receiver: Receiver,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(database: TestDatabase, processes: number): Promise<Stage> {
    const store = await StoreServer.start();
    const { env: databaseEnv, drop } = await database.create();
    const env = {
      ...databaseEnv,
      EVENTSTORE_URL: store.connectionString,
      MASTER_KEY: randomBytes(32).toString('base64'),
      OPERATOR_TOKEN: randomBytes(16).toString('hex'),
      TEST_RETRY_SCHEDULE: '0,0.2,0.5,1,2,2,2,2,2,2,2,2,2,2',
    };
    const services: Service[] = [];
    for (let i = 0; i < processes; i += 1) services.push(await Service.start({ env }));
    const stage = new Stage(store, services, await Receiver.start(), drop);
    await stage.prepare(env.OPERATOR_TOKEN);
    return stage;
  }

  /** Returns a client of any process that is running. */
  private chooseApi(): Api {
    const running = this.services.filter((service) => service.running);
    const service = running[Math.floor(Math.random() * running.length)] ?? this.services[0]!;
    return service.createApi(this.key);
  }

  private async prepare(operatorToken: string): Promise<void> {
    const operator = new Api(() => this.services[0]!.url, operatorToken);
    const { id } = (await operator.post('/operator/v1/tenants', { name: 'Acme' })).created;
    const path = `/operator/v1/tenants/${String(id)}`;
    const issued = await operator.post(`${path}/api-keys`, { environment: 'test', name: 'tests' });
    this.key = issued.created['key'] as string;
    const destination = { type: 'https_webhook', url: this.receiver.url, environment: 'test' };
    (await operator.post(`${path}/destinations`, destination)).expect(201);
    const api = this.services[0]!.createApi(this.key);
    for (let i = 0; i < WRITERS; i += 1) {
      const { created } = await api.post('/v1/subscribers', { email: `reader${i}@example.com` });
      this.subscribers.push(created['id'] as string);
    }
  }

  /** Lets each writer repeat a request with its first key until it is accepted. */
  async write(): Promise<void> {
    await Promise.all(
      this.subscribers.map(async (subscriber_id) => {
        for (let i = 0; i < TICKETS_PER_WRITER; i += 1) await this.submit(subscriber_id);
      }),
    );
  }

  private async submit(subscriber_id: string): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() };
    const ticket = { subscriber_id, topic: 'other', subject: 'under faults' };
    const id = await until(
      'the ticket to be accepted',
      async () => {
        const answer = await this.chooseApi().post('/v1/tickets', ticket, headers);
        if (answer.status === 201) return answer.body['id'] as string;
        await delay(100);
        return undefined;
      },
      WAIT_LIMIT_MS,
    );
    this.accepted.add(id);
  }

  /** Kills a process during the writes. Another suite covers crashes of the store. */
  async crash(random: () => number): Promise<void> {
    const victim = this.services[Math.floor(random() * this.services.length)]!;
    await delay(random() * 500);
    await victim.kill();
    await victim.run();
  }

  /**
   * Expects that each accepted ticket is one event, that no subscriber's sequence has a gap, and
   * that all events arrived.
   */
  async expectExactLedger(): Promise<void> {
    const events = await until(
      'the read models to have every ticket',
      async () => {
        const found = await this.listAllEvents();
        const ids = new Set(found.map(readTicketId));
        return [...this.accepted].every((id) => ids.has(id)) ? found : undefined;
      },
      WAIT_LIMIT_MS,
    );
    const tickets = events.map(readTicketId).filter((id) => id !== undefined);
    expect(tickets.toSorted()).toEqual([...this.accepted].toSorted());
    for (const subscriber of this.subscribers) {
      const sequences = events
        .filter((event) => readSubscriberId(event) === subscriber)
        .map(({ sequence }) => sequence);
      expect(sequences).toEqual(sequences.map((_, i) => i + 1));
    }
    await until(
      'every event at the receiver',
      () => {
        const arrived = new Set(this.receiver.eventIds);
        return events.every(({ id }) => arrived.has(id));
      },
      WAIT_LIMIT_MS,
    );
  }

  private async listAllEvents(): Promise<Event[]> {
    const api = this.chooseApi();
    const events: Event[] = [];
    for (let cursor = ''; ;) {
      const { ok } = await api.get(`/v1/events?limit=100&order=asc${cursor}`);
      events.push(...(ok['data'] as Event[]));
      if (ok['has_more'] !== true) return events;
      cursor = `&starting_after=${String(ok['next_cursor'])}`;
    }
  }

  async dispose(): Promise<void> {
    for (const service of this.services) await service.dispose();
    await this.receiver.close();
    await this.drop();
    await this.store.dispose();
  }
}

const readTicketId = (event: Event): string | undefined =>
  (event as { data?: { ticket?: { id?: string } } }).data?.ticket?.id;

const readSubscriberId = (event: Event): string => (event['subscriber'] as { id: string }).id;

const defineSuite = (processes: number, database: TestDatabase | undefined) => (): void => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.start(database!, processes);
  }, 120_000);
  afterAll(() => stage.dispose());

  it(
    `keeps an exact set of events over ${ROUNDS} rounds of faults and crashes`,
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const faults = await injectRandomFaults(stage.store, Math.random);
        try {
          const writing = stage.write();
          if (round % 2 === 1) await stage.crash(Math.random);
          await writing;
          await stage.store.clearFaults();
          await stage.expectExactLedger();
        } catch (error) {
          throw new Error(`round ${round} with ${faults.join(', ')}`, { cause: error });
        }
      }
    },
    60_000 + ROUNDS * 60_000,
  );
};

const embedded = databases.find(({ name }) => name === 'embedded');
const postgres = databases.find(({ name }) => name === 'postgres');

(embedded === undefined ? describe.skip : describe)(
  'a process on a store with random faults',
  defineSuite(1, embedded),
);

/** Two processes need a database that both can reach: run with TEST_DATABASE_URL. */
describeWithPostgres('two processes on a store with random faults', defineSuite(2, postgres));
