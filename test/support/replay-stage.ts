import { Receiver } from './receiver';
import { RunningService, type TestTenant } from './service';
import type { Answer } from './api';
import type { TestDatabase } from './databases';
import { until } from './until';

type Json = Record<string, unknown>;

export interface Destination {
  readonly id: string;
  readonly signing_secret: string;
}

export interface Envelope extends Json {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly subscriber: { readonly id: string };
}

interface Target {
  readonly receiver: Receiver;
  readonly destination: Destination;
}

const ENDED = ['completed', 'completed_with_errors', 'cancelled', 'failed'];
const SUBSCRIBERS = 6;
export const HOUR_MS = 3_600_000;

/** A service with events that one destination has received live, and helpers for replays. */
export class ReplayStage {
  readonly subscribers: string[] = [];
  events: Envelope[] = [];
  private readonly receivers: Receiver[] = [];
  private target: Target | undefined;

  private constructor(
    readonly service: RunningService,
    readonly tenant: TestTenant,
  ) {}

  static async start(database: TestDatabase): Promise<ReplayStage> {
    const service = await RunningService.shared(database);
    const tenant = await service.tenant();
    const settings = { max_destinations: 100 };
    (await service.operator.patch(`/operator/v1/tenants/${tenant.id}`, { settings })).expect(200);
    const stage = new ReplayStage(service, tenant);
    stage.target = await stage.newDestination();
    await stage.makeEvents();
    return stage;
  }

  /**
   * The destination that was registered before the first event and has received all of them live.
   */
  get live(): Target {
    if (this.target === undefined) throw new Error('the stage is not set');
    return this.target;
  }

  async newDestination(fields: Json = {}): Promise<Target> {
    const receiver = await Receiver.start();
    this.receivers.push(receiver);
    const body = { type: 'https_webhook', url: receiver.url, environment: 'test', ...fields };
    const path = `/operator/v1/tenants/${this.tenant.id}/destinations`;
    const destination = (await this.service.operator.post(path, body)).created;
    return { receiver, destination: destination as unknown as Destination };
  }

  post(body: Json): Promise<Answer> {
    return this.tenant.api.post('/v1/replay', body);
  }

  /** Requests a replay of today, unless the body says otherwise. */
  async request(body: Json): Promise<Json & { replay_id: string }> {
    return (await this.post({ ...getToday(), ...body })).expect(202) as Json & {
      replay_id: string;
    };
  }

  async get(id: string): Promise<Json> {
    return expectBalanced((await this.tenant.api.get(`/v1/replay/${id}`)).ok);
  }

  waitForEnd(id: string): Promise<Json> {
    return until(`the end of ${id}`, async () => {
      const job = await this.get(id);
      return ENDED.includes(job['status'] as string) ? job : null;
    });
  }

  async dispose(): Promise<void> {
    for (const receiver of this.receivers) await receiver.close();
  }

  private async makeEvents(): Promise<void> {
    const { api } = this.tenant;
    for (let i = 0; i < SUBSCRIBERS; i += 1) {
      const { id } = (await api.post('/v1/subscribers', { email: `r${i}@example.com` })).created;
      this.subscribers.push(id as string);
      const ticket = { subscriber_id: id, topic: 'other', subject: `number ${i}` };
      (await api.post('/v1/tickets', ticket)).expect(201);
    }
    this.events = (await api.get('/v1/events?order=asc&limit=100')).data as Envelope[];
    expect(this.events).toHaveLength(2 * SUBSCRIBERS);
    await until('everything live', () => this.live.receiver.eventIds.length === this.events.length);
  }
}

export const getToday = () => ({
  from: new Date(Date.now() - 24 * HOUR_MS).toISOString(),
  to: new Date(Date.now() + HOUR_MS).toISOString(),
});

export const readCounts = (job: Json) => [
  job['events_matched'],
  job['events_delivered'],
  job['events_failed'],
  job['events_pending'],
  job['events_skipped'],
];

/** Expects that the counts of a job add up, at every moment (D-103). */
export const expectBalanced = (job: Json): Json => {
  const [matched, ...parts] = readCounts(job) as [number, ...number[]];
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(matched);
  expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
  return job;
};
