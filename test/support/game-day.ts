import { randomBytes } from 'node:crypto';
import { listAlerts } from './faults-of-the-guide';
import { Prometheus } from './prometheus';
import { Receiver } from './receiver';
import { Service, type ServiceOptions, type TestTenant } from './service';
import { until } from './until';

/** A breaker opens when ten different events fail, so there are a few more subscribers. */
const SUBSCRIBERS = 12;

/** The time limit in ms. Each wait takes seconds, and longer on a busy machine. */
export const WAIT_LIMIT_MS = 60_000;
/** The attempts during a fault of some minutes must not use up the schedule. */
const RETRIES = '0,1,1,1,1,2,2,5,5,5,10,10,10,10,10,10,10,10,10,10';

/** Another process cannot read the token from a disk that only the service sees. */
const OPERATOR_TOKEN = randomBytes(24).toString('hex');

/** A watched service with one receiver. It can tell whether everything accepted has arrived. */
export class GameDay {
  readonly prometheus = new Prometheus(() => [this.service.url]);
  /** The ids of the tickets that were accepted. */
  readonly accepted: string[] = [];
  private readonly receivers: Receiver[] = [];
  private receiver!: Receiver;
  tenant!: TestTenant;
  subscribers: readonly string[] = [];

  private constructor(readonly service: Service) {}

  static async start(options: ServiceOptions): Promise<GameDay> {
    const { env } = options;
    const service = await Service.start({
      ...options,
      env: { TEST_RETRY_SCHEDULE: RETRIES, OPERATOR_TOKEN, ...env },
    });
    const day = new GameDay(service);
    try {
      await day.prepare();
    } catch (error) {
      await day.dispose();
      throw error;
    }
    return day;
  }

  private async prepare(): Promise<void> {
    this.tenant = await this.service.tenant();
    this.receiver = await this.addReceiver();
    const create = async (i: number): Promise<string> => {
      const person = { email: `person${i}@example.com` };
      return (await this.tenant.api.post('/v1/subscribers', person)).created['id'] as string;
    };
    this.subscribers = await Promise.all(Array.from({ length: SUBSCRIBERS }, (_, i) => create(i)));
    await this.submit();
    await this.waitForArrivals();
  }

  /** Adds a destination with a receiver of its own. */
  async addReceiver(): Promise<Receiver> {
    const receiver = await Receiver.start();
    this.receivers.push(receiver);
    const destination = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${this.tenant.id}/destinations`;
    (await this.service.operator.post(path, destination)).expect(201);
    return receiver;
  }

  /** Waits until every alert that the guide names for the fault fires. */
  async untilAlerted(fault: string, waitLimitMs = WAIT_LIMIT_MS): Promise<void> {
    const alerts = listAlerts(fault);
    expect(alerts.length).toBeGreaterThan(0);
    for (const alert of alerts) await this.prometheus.untilFiring(alert, waitLimitMs);
  }

  /** Waits until none of these alerts fires, as if the windows of all rates were over. */
  async untilQuiet(fault: string): Promise<void> {
    this.prometheus.forget();
    for (const alert of listAlerts(fault)) await this.prometheus.untilQuiet(alert, WAIT_LIMIT_MS);
  }

  /** Submits a ticket and repeats the request until it is accepted. */
  async submit(subscriber = 0): Promise<string> {
    const ticket = {
      subscriber_id: this.subscribers[subscriber],
      topic: 'other',
      subject: 'game day',
    };
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    const id = await until(
      'a ticket to be accepted',
      async () => {
        const answer = await this.tenant.api.post('/v1/tickets', ticket, key);
        return answer.status === 201 ? (answer.body['id'] as string) : undefined;
      },
      WAIT_LIMIT_MS,
    );
    this.accepted.push(id);
    return id;
  }

  /** Submits a ticket for each subscriber at once. */
  submitForAll(): Promise<string[]> {
    return Promise.all(this.subscribers.map((_, i) => this.submit(i)));
  }

  /** Tries once to submit a ticket and returns the status of the response. */
  async tryToSubmit(): Promise<number> {
    const ticket = { subscriber_id: this.subscribers[0], topic: 'other', subject: 'game day' };
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    const answer = await this.tenant.api.post('/v1/tickets', ticket, key);
    if (answer.status === 201) this.accepted.push(answer.body['id'] as string);
    return answer.status;
  }

  answerWith(respond: Parameters<Receiver['answer']>[0]): void {
    this.receiver.answer(respond);
  }

  answerStatus(status: number): void {
    this.receiver.answerStatus(status);
  }

  /** Waits until the receiver has these tickets, or all that were accepted. */
  waitForArrivals(
    tickets: readonly string[] = this.accepted,
    receiver = this.receiver,
  ): Promise<unknown> {
    return until(
      'the accepted tickets at the receiver',
      () => {
        const arrived = new Set(
          receiver
            .listByType('ticket.submitted')
            .map(({ event }) => (event['data'] as { ticket: { id: string } }).ticket.id),
        );
        return tickets.every((id) => arrived.has(id));
      },
      WAIT_LIMIT_MS,
    );
  }

  /** Counts the attempts that the receiver has seen for an event. */
  countAttempts(eventId: string): number {
    return this.receiver.received.filter(({ event }) => event.id === eventId).length;
  }

  /** Counts the attempts that the receiver has seen beyond the first one of each event. */
  countRepeats(): number {
    const ids = this.receiver.received.map(({ event }) => event.id);
    return ids.length - new Set(ids).size;
  }

  /** Returns the events that arrived last after a later event of the same subscriber did. */
  listOvertaken(): string[] {
    const arrivals = new Map(
      this.receiver.received.map(({ event }, at) => [event.id, { at, event }] as const),
    );
    const newest = new Map<string, number>();
    return [...arrivals.values()]
      .sort((one, other) => one.at - other.at)
      .flatMap(({ event }) => {
        const { id, sequence } = event;
        const subscriber = (event['subscriber'] as { id: string }).id;
        const before = newest.get(subscriber) ?? 0;
        newest.set(subscriber, Math.max(before, sequence));
        return sequence < before ? [id] : [];
      });
  }

  async dispose(): Promise<void> {
    await this.service.dispose();
    for (const receiver of this.receivers) await receiver.close();
  }
}
