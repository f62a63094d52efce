import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { Receiver } from '../support/receiver';
import { seedHistory } from '../support/seed';
import { Service, type TestTenant } from '../support/service';
import type { BenchOptions } from './main';
import { readCreatedMs } from './support/event-id';
import { formatLatencies, openLoop, computePercentile, formatRate } from './support/load';
import { formatMebibytes } from './support/memory';
import { LogStage } from './support/log-stage';
import { measureRawLoop } from './support/raw-loop';
import { BenchReceiver } from './support/receiver';

const WAIT_LIMIT_MS = 10 * 60_000;
const SUBSCRIBERS = 100;
/** Events per second. Fifty-three deliveries of each are still less than the machine can do. */
const LIVE_RATE = 20;
const LIVE_SECONDS = 20;
/** The seconds of the measurement at half of the peak rate. */
const STEADY_SECONDS = 8;
/**
 * The seconds until frequent code is compiled. A process costs four times as much in its first
 * seconds.
 */
const WARM_UP_SECONDS = 10;
const MANY = 500;

/**
 * The number of tenants, the destinations of each, and the receiver's delay. The fan-out is the
 * number of destinations of one tenant.
 */
const ONE_DESTINATION = { tenants: 1, destinations: 1, delayMs: 0 };
const OTHER_SHAPES: readonly Shape[] = [
  { tenants: 1, destinations: 1, delayMs: 50 },
  { tenants: 1, destinations: 10, delayMs: 0 },
  { tenants: 10, destinations: 1, delayMs: 0 },
  { tenants: 10, destinations: 10, delayMs: 0 },
  { tenants: 10, destinations: 10, delayMs: 50 },
];

type Shape = typeof ONE_DESTINATION;
type Json = Record<string, unknown>;

/**
 * Measures the delivery engine alone. Events wait in the log while their destinations are disabled;
 * then the destinations are enabled and the time to the last arrival is measured. A run in which
 * events are missing is void. The baseline POSTs the same bytes to the same receiver with the same
 * HTTP client. `--size` is the backlog of one destination, which the targets are about; the other
 * shapes get a tenth of it.
 */
export const run = async ({ size = 100_000 }: BenchOptions): Promise<void> => {
  const receiver = await BenchReceiver.start();
  const baseline = await measureRawLoop(receiver, 20_000);
  receiver.close();
  const rate = await drain(ONE_DESTINATION, size);
  console.log(`  ratio to the baseline: ${(rate / baseline).toFixed(2)} (target 0.35)`);
  await measureAtHalfOf(rate);
  for (const shape of OTHER_SHAPES) await drain(shape, size / 10);
  await measureSideBySide();
  await measureManyDestinations();
};

const register = async (
  service: Service,
  tenant: TestTenant,
  more: Json & { url: string },
): Promise<string> => {
  const body = { type: 'https_webhook', environment: 'test', max_in_flight: 100, ...more };
  const path = `/operator/v1/tenants/${tenant.id}/destinations`;
  return (await service.operator.post(path, body)).created['id'] as string;
};

const createRoomyTenant = async (
  service: Service,
  max_destinations: number,
): Promise<TestTenant> => {
  const tenant = await service.tenant();
  const path = `/operator/v1/tenants/${tenant.id}`;
  (await service.operator.patch(path, { settings: { max_destinations } })).expect(200);
  return tenant;
};

/** Returns the deliveries per second from a backlog. */
const drain = async (shape: Shape, size: number): Promise<number> => {
  const { tenants, destinations, delayMs } = shape;
  const receiver = await BenchReceiver.start(delayMs);
  const service = await Service.start();
  const paths: [TestTenant, string][] = [];
  let expected = 0;
  try {
    for (let t = 0; t < tenants; t += 1) {
      const tenant = await createRoomyTenant(service, destinations);
      for (let d = 0; d < destinations; d += 1) {
        const more = { url: receiver.url, event_types: ['subscriber.erased'] };
        paths.push([tenant, `/v1/destinations/${await register(service, tenant, more)}`]);
      }
      const own = paths.slice(-destinations);
      for (const [, path] of own) {
        (await tenant.api.patch(path, { status: 'disabled' })).expect(200);
        (await tenant.api.patch(path, { event_types: ['ticket.submitted'] })).expect(200);
      }
      const events = Math.ceil(size / tenants / destinations);
      const subscribers = Math.min(SUBSCRIBERS, events);
      const now = Date.now();
      const seeded = await seedHistory(service, tenant, {
        subscribers,
        events,
        fromMs: now - 60_000,
        toMs: now,
      });
      const last = seeded.events.at(-1)?.id ?? '';
      await wait(
        'the read models',
        async () => (await tenant.api.get(`/v1/events/${last}`)).status === 200,
      );
      // Each subscriber also submitted a real ticket in addition to the seeded ones.
      expected += (seeded.events.length + subscribers) * destinations;
    }
    const cpuBefore = service.cpuSeconds;
    const startedAt = performance.now();
    await Promise.all(
      paths.map(async ([{ api }, path]) =>
        (await api.patch(path, { status: 'active' })).expect(200),
      ),
    );
    await wait('the backlog', async () => (await receiver.readTotal()) >= expected);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpuMs = ((service.cpuSeconds - cpuBefore) / expected) * 1e3;
    const repeated = (await receiver.readTotal()) - expected;
    console.log(
      `${tenants * destinations} destinations, fan-out ${destinations}, receiver delay ${delayMs} ms: ` +
        `backlog of ${expected} drained at ${formatRate(expected, seconds)}, ` +
        `CPU ${cpuMs.toFixed(2)} ms each, ${repeated} repeated` +
        (shape === ONE_DESTINATION ? ' (target 2,500/s)' : ''),
    );
    return expected / seconds;
  } finally {
    await service.dispose();
    receiver.close();
  }
};

/**
 * Measures the time from creation to first byte at half of the peak rate. The events are appended
 * to the log directly, not over REST.
 */
const measureAtHalfOf = async (peakPerSecond: number): Promise<void> => {
  const receiver = await BenchReceiver.start();
  const stage = await LogStage.start();
  try {
    const rate = peakPerSecond / 2;
    await register(stage.service, stage.tenant, { url: receiver.url });
    const warmUp = await stage.appendAt(rate / 2, WARM_UP_SECONDS);
    await wait('the warm-up', async () => (await receiver.count()) >= warmUp);
    receiver.reset();
    const count = await stage.appendAt(rate, STEADY_SECONDS);
    await wait('all of them', async () => (await receiver.count()) >= count);
    const { firstMs } = await receiver.report();
    const latencies = Object.entries(firstMs).map(([id, atMs]) => atMs - readCreatedMs(id));
    console.log(
      `  at half of it, ${Math.round(rate)} events/s: created to first byte ${formatLatencies(latencies)} (target p99 150 ms)`,
    );
  } finally {
    await stage.dispose();
    receiver.close();
  }
};

const wait = async (what: string, done: () => Promise<boolean>): Promise<void> => {
  const giveUpAt = Date.now() + WAIT_LIMIT_MS;
  while (!(await done())) {
    if (Date.now() > giveUpAt) throw new Error(`void: waited in vain for ${what}`);
    await delay(20);
  }
};

/** Measures a fast destination beside a hanging one, a failing one and fifty others. */
const measureSideBySide = async (): Promise<void> => {
  const receiver = await BenchReceiver.start();
  const others = await BenchReceiver.start();
  const hanging = await Receiver.start(() => undefined);
  const failing = await Receiver.start((_, response) => {
    response.statusCode = 500;
    response.end();
  });
  const service = await Service.start({ env: { DELIVERY_TIMEOUT_MS: '5000' } });
  try {
    const tenant = await createRoomyTenant(service, 100);
    const only = { event_types: ['ticket.submitted'] };
    await register(service, tenant, { url: receiver.url, ...only });
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'a@example.com' })).created;
    const ids = [id as string];
    for (let i = 1; i < SUBSCRIBERS; i += 1) {
      const answer = await tenant.api.post('/v1/subscribers', { email: `r${i}@example.com` });
      ids.push(answer.created['id'] as string);
    }
    const pool = new Pool(service.url, { connections: 64 });
    await measureLive(tenant, pool, { receiver, ids, name: 'warm-up' });
    const alone = await measureLive(tenant, pool, {
      receiver,
      ids,
      name: 'one fast destination alone',
    });
    await register(service, tenant, { url: hanging.url, ...only });
    await register(service, tenant, { url: failing.url, ...only });
    const beside = await measureLive(tenant, pool, {
      receiver,
      ids,
      name: 'beside a hanging and a failing one',
    });
    console.log(`  p99 moved by ${(beside - alone).toFixed(0)} ms`);
    for (let i = 0; i < 50; i += 1) await register(service, tenant, { url: others.url, ...only });
    const crowded = await measureLive(tenant, pool, {
      receiver,
      ids,
      name: 'beside these and fifty more (fan-out 53)',
    });
    console.log(`  p99 moved by ${(crowded - alone).toFixed(0)} ms`);
    console.log(`  memory: ${formatMebibytes(service.memory)}`);
    await pool.destroy();
  } finally {
    await service.dispose();
    receiver.close();
    others.close();
    await hanging.close();
    await failing.close();
  }
};

interface Live {
  readonly receiver: BenchReceiver;
  readonly ids: readonly string[];
  readonly name: string;
}

/**
 * Measures the time from the request that created the event to its first byte at the receiver.
 * Returns the p99 in ms.
 */
const measureLive = async (
  tenant: TestTenant,
  pool: Pool,
  { receiver, ids, name }: Live,
): Promise<number> => {
  receiver.reset();
  const count = LIVE_RATE * LIVE_SECONDS;
  await openLoop(count, LIVE_RATE, async (i) => {
    const { body } = await pool.request({
      method: 'POST',
      path: '/v1/tickets',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subscriber_id: ids[i % ids.length], topic: 'other', subject: 'x' }),
    });
    await body.dump();
  });
  await wait('the live events', async () => (await receiver.count()) >= count);
  const { firstMs } = await receiver.report();
  const latencies = Object.entries(firstMs).map(([id, atMs]) => atMs - readCreatedMs(id));
  const [p50, p99] = [computePercentile(latencies, 50), computePercentile(latencies, 99)];
  console.log(
    `${name}, ${LIVE_RATE} events/s: created to first byte p50 ${p50.toFixed(0)} ms, ` +
      `p99 ${p99.toFixed(0)} ms (target p99 150 ms)`,
  );
  return p99;
};

/**
 * Measures the largest number of destinations that one process should have, with one event to all
 * of them.
 */
const measureManyDestinations = async (): Promise<void> => {
  const receiver = await BenchReceiver.start();
  const service = await Service.start();
  try {
    const tenant = await createRoomyTenant(service, MANY);
    for (let i = 0; i < MANY; i += 1) await register(service, tenant, { url: receiver.url });
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'a@example.com' })).created;
    await wait('the first event at all', async () => (await receiver.readTotal()) >= MANY);
    const startedAt = performance.now();
    const ticket = { subscriber_id: id, topic: 'other', subject: 'x' };
    (await tenant.api.post('/v1/tickets', ticket)).expect(201);
    await wait('the event at all', async () => (await receiver.readTotal()) >= 2 * MANY);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(
      `${MANY} destinations in one process: an event reached all in ${seconds.toFixed(2)} s, ` +
        `memory ${formatMebibytes(service.memory)}`,
    );
  } finally {
    await service.dispose();
    receiver.close();
  }
};
