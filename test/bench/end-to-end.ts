import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { Service, type TestTenant } from '../support/service';
import type { BenchOptions } from './main';
import { runClosedLoop, formatLatencies, openLoop, formatRate } from './support/load';
import { formatMebibytes } from './support/memory';
import { measureRawLoop } from './support/raw-loop';
import { BenchReceiver } from './support/receiver';

const SUBSCRIBERS = 200;
const CONCURRENCY = 64;
/** The number of events until frequent code is compiled, because the sustained rate is measured. */
const WARM_UP = 5_000;
const FIXED_RATE = 300;
const FIXED_SECONDS = 10;
const DRAIN_WAIT_LIMIT_MS = 120_000;

/**
 * Measures events that are accepted over REST and received by a local receiver. Every event is
 * accounted for: a run in which accepted and received events differ is void. The baseline only
 * POSTs the same bytes to the same receiver with the same HTTP client.
 */
export const run = async ({ size = 20_000 }: BenchOptions): Promise<void> => {
  const receiver = await BenchReceiver.start();
  const service = await Service.start();
  try {
    const tenant = await service.tenant();
    const body = {
      type: 'https_webhook',
      url: receiver.url,
      environment: 'test',
      max_in_flight: 100,
    };
    (await service.operator.post(`/operator/v1/tenants/${tenant.id}/destinations`, body)).expect(
      201,
    );
    const bench = new Bench(service, tenant, receiver);
    await bench.prepare();
    await bench.saturate(Math.min(WARM_UP, size), 'warm-up');
    const baseline = await measureRawLoop(receiver, size);
    const sustained = await bench.saturate(size, 'saturated');
    console.log(`ratio end to end / baseline: ${(sustained / baseline).toFixed(2)} (target 0.20)`);
    await bench.measureFixedRate();
    console.log(`memory after the run: ${formatMebibytes(service.memory)}`);
    await startUp(service);
  } finally {
    await service.dispose();
    receiver.close();
  }
};

class Bench {
  private readonly pool: Pool;
  private subscribers: string[] = [];

  constructor(
    private readonly service: Service,
    private readonly tenant: TestTenant,
    private readonly receiver: BenchReceiver,
  ) {
    this.pool = new Pool(service.url, { connections: CONCURRENCY * 4 });
  }

  async prepare(): Promise<void> {
    const ids = Array.from({ length: SUBSCRIBERS }, async (_, i) => {
      const answer = await this.tenant.api.post('/v1/subscribers', { email: `r${i}@example.com` });
      return answer.created['id'] as string;
    });
    this.subscribers = await Promise.all(ids);
    await this.waitForReceived(SUBSCRIBERS);
  }

  /** Returns the events per second from the first request to the last arrival. */
  async saturate(count: number, name: string): Promise<number> {
    this.receiver.reset();
    const cpuBefore = this.service.cpuSeconds;
    const startedAt = performance.now();
    const accepted = await runClosedLoop(count, CONCURRENCY, (i) => this.submit(i));
    await this.waitForReceived(count);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(
      `${name}: accepted ${formatRate(count, accepted.seconds)} (${formatLatencies(accepted.latenciesMs)}), ` +
        `accepted and received ${formatRate(count, seconds)}, ` +
        `CPU ${(((this.service.cpuSeconds - cpuBefore) / count) * 1e3).toFixed(2)} ms per event`,
    );
    await this.expectAllReceived(count);
    return count / seconds;
  }

  async measureFixedRate(): Promise<void> {
    this.receiver.reset();
    const count = FIXED_RATE * FIXED_SECONDS;
    const sentMs = new Map<string, number>();
    const { latenciesMs } = await openLoop(count, FIXED_RATE, async (i) => {
      const begunMs = Date.now();
      sentMs.set(await this.submit(i), begunMs);
    });
    await this.waitForReceived(count);
    const created = await this.listDeliveryLatencies();
    console.log(
      `${FIXED_RATE} events/s: accept ${formatLatencies(latenciesMs)}; created to received ${formatLatencies(created)} (target p99 250 ms)`,
    );
    await this.expectAllReceived(count);
  }

  private async submit(i: number): Promise<string> {
    const { body, statusCode } = await this.pool.request({
      method: 'POST',
      path: '/v1/tickets',
      headers: { authorization: `Bearer ${this.tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        subscriber_id: this.subscribers[i % SUBSCRIBERS],
        topic: 'other',
        subject: 'A question about my subscription',
      }),
    });
    const answer = (await body.json()) as { id: string };
    if (statusCode !== 201) throw new Error(`answered ${statusCode}: ${JSON.stringify(answer)}`);
    return answer.id;
  }

  /** Returns the times from an event's `created_at`, which its id contains, to its arrival. */
  private async listDeliveryLatencies(): Promise<number[]> {
    const { firstMs } = await this.receiver.report();
    return Object.entries(firstMs).map(([eventId, atMs]) => atMs - readCreatedMs(eventId));
  }

  private async waitForReceived(count: number): Promise<void> {
    const giveUpAt = Date.now() + DRAIN_WAIT_LIMIT_MS;
    while ((await this.receiver.count()) < count) {
      if (Date.now() > giveUpAt) throw new Error('void: not everything arrived');
      await delay(5);
    }
  }

  private async expectAllReceived(count: number): Promise<void> {
    const { firstMs, total } = await this.receiver.report();
    const events = Object.keys(firstMs).length;
    if (events !== count) throw new Error(`void: ${count} accepted, ${events} received`);
    if (total !== events) console.log(`  ${total - events} arrived more than once`);
  }
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the first 48 bits of the UUID (version 7) behind an event id. */
const readCreatedMs = (eventId: string): number => {
  let value = 0n;
  for (const char of eventId.slice('evt_'.length))
    value = (value << 5n) | BigInt(ALPHABET.indexOf(char));
  return Number(value >> 80n);
};

const startUp = async (service: Service): Promise<void> => {
  await service.stop();
  const startedAt = performance.now();
  await service.run();
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`start on existing data: ready after ${seconds.toFixed(2)} s (target 3 s)`);
};
