import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { type Received, Receiver } from './receiver';
import { Service, type TestTenant } from './service';
import { until } from './until';

const CROWD_PER_SECOND = 40;
const HEALTHY_PER_SECOND = 20;
/** The retry schedule, in seconds. It is a little longer than the life of the crowd. */
const SCHEDULE = '0,1,2,4,8,15,30,30,30,30,30,30';

interface CrowdOptions {
  readonly tenants: number;
  readonly destinationsEach: number;
}

/** The measured calls and deliveries of the healthy tenant. */
export interface HealthyFigures {
  readonly calls: number;
  /** The statuses other than 201, and broken connections. */
  readonly refused: readonly string[];
  /** The median time from the call to the arrival of its event, in ms. */
  readonly p50: number;
  readonly p99: number;
}

type Respond = (response: ServerResponse) => void;

/** The ways in which the receivers of the crowd are broken. */
const BROKEN: readonly Respond[] = [
  () => undefined,
  (response) => response.writeHead(500).end(),
  (response) => void setTimeout(() => response.end('ok'), 2_500),
  (response) => response.socket?.destroy(),
];

const SLOW = 2;
const SUBSCRIBERS_EACH = 5;

interface Member {
  readonly tenant: TestTenant;
  readonly subscribers: readonly string[];
  /** The paths of its destinations at the receivers. */
  readonly paths: readonly string[];
  /** The ids of the accepted tickets. */
  readonly accepted: string[];
}

/** Tenants whose receivers are all broken, and one healthy tenant among them. */
export class Crowd {
  private readonly receivers: Receiver[] = [];
  private readonly members: Member[] = [];
  private healthy!: Member;
  private readonly healthyReceiver: Receiver[] = [];
  private stopped = false;
  private turn = 0;
  private constructor(readonly service: Service) {}

  static async start({ tenants, destinationsEach }: CrowdOptions): Promise<Crowd> {
    const env = {
      TEST_RETRY_SCHEDULE: SCHEDULE,
      RETRY_SCHEDULE: SCHEDULE,
      // The time after which an attempt at a hanging receiver ends, even if the receiver was
      // repaired in the meantime.
      DELIVERY_TIMEOUT_MS: '3000',
    };
    const crowd = new Crowd(await Service.start({ env }));
    for (const respond of BROKEN) {
      crowd.receivers.push(
        await Receiver.start((_, response) => {
          respond(response);
        }),
      );
    }
    const joining = Array.from({ length: tenants }, (_, t) => {
      const urls = Array.from({ length: destinationsEach }, (__, d) => {
        return `${crowd.receivers[d % BROKEN.length]!.url}/${t}-${d}`;
      });
      return crowd.join(urls);
    });
    crowd.members.push(...(await Promise.all(joining)));
    const receiver = await Receiver.start();
    crowd.healthyReceiver.push(receiver);
    crowd.healthy = await crowd.join([receiver.url]);
    return crowd;
  }

  /** Runs the load for a time and returns the figures of the healthy tenant. */
  async run(seconds: number): Promise<HealthyFigures> {
    const [receiver] = this.healthyReceiver;
    const begun = new Map<string, number>();
    const refused: string[] = [];
    const load = this.loadOfCrowd();
    const calls: Promise<void>[] = [];
    const startedMs = Date.now();
    for (let i = 0; i < seconds * HEALTHY_PER_SECOND; i += 1) {
      await delay(Math.max(0, startedMs + (i * 1_000) / HEALTHY_PER_SECOND - Date.now()));
      const atMs = Date.now();
      calls.push(
        this.submit(this.healthy).then(
          ({ status, id }) => {
            if (status === 201) begun.set(id, atMs);
            else refused.push(String(status));
          },
          (error: unknown) => void refused.push(String(error)),
        ),
      );
    }
    await Promise.all(calls);
    this.stopped = true;
    await load;
    this.stopped = false;
    const arrivals = await until('the events of the healthy tenant', () => {
      const found = new Map(
        receiver!.received.map((each) => [readTicketId(each.event), each.atMs]),
      );
      return [...begun.keys()].every((id) => found.has(id)) ? found : undefined;
    });
    const took = [...begun].map(([id, atMs]) => (arrivals.get(id) ?? Infinity) - atMs);
    took.sort((a, b) => a - b);
    const getPercentile = (share: number): number =>
      took[Math.floor((took.length - 1) * share)] ?? NaN;
    return { calls: calls.length, refused, p50: getPercentile(0.5), p99: getPercentile(0.99) };
  }

  /** Repairs every receiver. Resolves when each destination has accepted all events, in order. */
  async repairReceivers(waitLimitMs: number): Promise<void> {
    const repairedAtMs = Date.now();
    for (const receiver of this.receivers) receiver.answer((_, response) => response.end('ok'));
    // A slow receiver accepts what it gets; the others accepted nothing before they were repaired.
    const groupAccepted = (): Map<string, Received[]> => {
      const all = this.receivers.flatMap(({ received }, kind) =>
        received.filter(({ atMs }) => kind === SLOW || atMs >= repairedAtMs),
      );
      return groupByPath(all);
    };
    await until(
      'everything accepted at every destination',
      () => {
        const found = groupAccepted();
        return this.members.every(({ paths, accepted }) =>
          paths.every((path) => {
            const ids = new Set((found.get(path) ?? []).map(({ event }) => readTicketId(event)));
            return accepted.every((id) => ids.has(id));
          }),
        );
      },
      waitLimitMs,
    );
    for (const arrivals of groupAccepted().values()) expectInOrder(arrivals);
  }

  async dispose(): Promise<void> {
    this.stopped = true;
    await this.service.dispose();
    for (const receiver of [...this.receivers, ...this.healthyReceiver]) await receiver.close();
  }

  private async join(urls: readonly string[]): Promise<Member> {
    const tenant = await this.service.tenant();
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    for (const url of urls) {
      const destination = { type: 'https_webhook', url, environment: 'test' };
      (await this.service.operator.post(path, destination)).expect(201);
    }
    const subscribers: string[] = [];
    for (let i = 0; i < SUBSCRIBERS_EACH; i += 1) {
      const email = `reader${i}@example.com`;
      const { created } = await tenant.api.post('/v1/subscribers', { email });
      subscribers.push(created['id'] as string);
    }
    const paths = urls.map((url) => new URL(url).pathname);
    return { tenant, subscribers, paths, accepted: [] };
  }

  private async loadOfCrowd(): Promise<void> {
    const startedMs = Date.now();
    const calls: Promise<unknown>[] = [];
    for (let i = 0; !this.stopped; i += 1) {
      await delay(Math.max(0, startedMs + (i * 1_000) / CROWD_PER_SECOND - Date.now()));
      const member = this.members[i % this.members.length]!;
      calls.push(
        this.submit(member).then(({ status, id }) => {
          if (status === 201) member.accepted.push(id);
        }),
      );
    }
    await Promise.allSettled(calls);
  }

  private async submit({ tenant, subscribers }: Member): Promise<{ status: number; id: string }> {
    this.turn += 1;
    const subscriber_id = subscribers[this.turn % subscribers.length];
    const ticket = { subscriber_id, topic: 'other', subject: 'crowd' };
    const headers = { 'idempotency-key': randomUUID() };
    const { status, body } = await tenant.api.post('/v1/tickets', ticket, headers);
    return { status, id: String(body['id']) };
  }
}

const groupByPath = (all: readonly Received[]): Map<string, Received[]> => {
  const found = new Map<string, Received[]>();
  for (const each of all) found.set(each.path, [...(found.get(each.path) ?? []), each]);
  return found;
};

/** Expects that first arrivals are in the order of each subscriber's stream. */
const expectInOrder = (arrivals: readonly Received[]): void => {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  for (const { event } of arrivals) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    const { id } = event['subscriber'] as { id: string };
    expect(event.sequence).toBeGreaterThan(last.get(id) ?? 0);
    last.set(id, event.sequence);
  }
};

const readTicketId = (event: object): string =>
  (event as { data?: { ticket?: { id?: string } } }).data?.ticket?.id ?? '';
