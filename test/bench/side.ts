import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { databases, type TestDatabase } from '../support/databases';
import { Service, type TestTenant } from '../support/service';
import type { BenchOptions } from './main';
import { createSubscriber } from './support/create-subscriber';
import { readCreatedMs } from './support/event-id';
import { runClosedLoop, openLoop, computePercentile } from './support/load';
import { toMebibytes } from './support/memory';
import { BenchReceiver } from './support/receiver';

const RATES = [20, 100, 300];
const SECONDS = 20;
const IN_FLIGHT = 64;
const SATURATED_EVENTS_PER_SECOND = 300;
const DESTINATIONS = 10;
/** The number of events until frequent code is compiled. */
const WARM_UP_EVENTS = 3_000;
const SETTLING_MS = 2_000;
const WAIT_LIMIT_MS = 120_000;

/** A service with this many destinations at one receiver. */
interface Stage {
  readonly service: Service;
  readonly tenant: TestTenant;
  readonly receiver: BenchReceiver;
  readonly pool: Pool;
  readonly destinations: number;
}

interface Stretch {
  readonly eventsPerSecond: number;
  readonly cpuMsPerEvent: number;
  readonly latenciesMs: readonly number[];
}

/**
 * Measures this service's rows of the comparison with other senders of webhooks: one event to one
 * and to ten destinations, at fixed rates and saturated, and the times of starts and stops.
 * Everything that the service needs is in its process and is counted, except an external PostgreSQL
 * (TEST_DATABASE_URL).
 */
export const run = async ({ size: seconds = SECONDS }: BenchOptions): Promise<void> => {
  for (const database of databases) {
    console.log(`stores: ${database.name}`);
    await withStage(database, 1, (stage) => measureOneDestination(stage, seconds));
    await withStage(database, DESTINATIONS, (stage) => measureManyDestinations(stage, seconds));
  }
};

const withStage = async (
  database: TestDatabase,
  destinations: number,
  work: (stage: Stage) => Promise<void>,
): Promise<void> => {
  const receiver = await BenchReceiver.start();
  const startedAt = performance.now();
  const service = await Service.start({ database });
  const firstStartS = (performance.now() - startedAt) / 1000;
  const pool = new Pool(service.url, { connections: IN_FLIGHT });
  try {
    const tenant = await service.tenant();
    for (let i = 0; i < destinations; i += 1) {
      const url = `${receiver.url}?destination=${i}`;
      const body = { type: 'https_webhook', url, max_in_flight: 100 };
      (await tenant.api.post('/v1/destinations', body)).expect(201);
    }
    if (destinations === 1)
      printRow('first start, with an empty database', `${firstStartS.toFixed(1)} s`);
    const stage = { service, tenant, receiver, pool, destinations };
    await saturate(stage, WARM_UP_EVENTS / destinations);
    await work(stage);
  } finally {
    await pool.destroy();
    await service.dispose();
    receiver.close();
  }
};

const measureOneDestination = async (stage: Stage, seconds: number): Promise<void> => {
  const { service } = stage;
  const saturated = await saturate(stage, seconds * SATURATED_EVENTS_PER_SECOND);
  printRow('one destination, saturated: received a second', saturated.eventsPerSecond.toFixed(0));
  printRow('CPU of an event, saturated', `${saturated.cpuMsPerEvent.toFixed(2)} ms`);
  printRow('memory under load', `${toMebibytes(service.memory.resident)} MiB`);
  for (const rate of RATES.toReversed()) {
    const steady = await measureSteadyRate(stage, rate, seconds);
    printRow(`CPU of an event at ${rate}/s`, `${steady.cpuMsPerEvent.toFixed(1)} ms`);
    const [p50, p99] = [50, 99].map((p) => computePercentile(steady.latenciesMs, p).toFixed(0));
    printRow(`created to received at ${rate}/s, p50 / p99`, `${p50} / ${p99} ms`);
  }
  printRow('SIGTERM at rest, then ended', await measureSeconds(() => service.stop()));
  await service.run();
  await service.kill();
  printRow('killed, then ready again', await measureSeconds(() => service.run()));
};

const measureManyDestinations = async (stage: Stage, seconds: number): Promise<void> => {
  const events = (seconds * SATURATED_EVENTS_PER_SECOND) / stage.destinations;
  const { eventsPerSecond, cpuMsPerEvent } = await saturate(stage, events);
  const deliveries = eventsPerSecond * stage.destinations;
  const cpuMs = cpuMsPerEvent / stage.destinations;
  printRow(
    `${stage.destinations} destinations, saturated: deliveries a second / CPU each`,
    `${deliveries.toFixed(0)} / ${cpuMs.toFixed(2)} ms`,
  );
};

const printRow = (row: string, value: string): void => {
  console.log(`  ${row.padEnd(58)} ${value}`);
};

const measureSeconds = async (work: () => Promise<unknown>): Promise<string> => {
  const startedAt = performance.now();
  await work();
  return `${((performance.now() - startedAt) / 1000).toFixed(2)} s`;
};

const saturate = (stage: Stage, events: number): Promise<Stretch> =>
  measure(stage, events, () => runClosedLoop(events, IN_FLIGHT, createSubscriber(stage)));

const measureSteadyRate = (stage: Stage, rate: number, seconds: number): Promise<Stretch> =>
  measure(stage, rate * seconds, () => openLoop(rate * seconds, rate, createSubscriber(stage)));

/** Measures one stretch. It is void unless every delivery of every event arrives. */
const measure = async (
  { service, receiver, destinations }: Stage,
  events: number,
  load: () => Promise<unknown>,
): Promise<Stretch> => {
  await delay(SETTLING_MS);
  receiver.reset();
  const cpuBefore = service.cpuSeconds;
  const startedAt = performance.now();
  await load();
  const giveUpAt = Date.now() + WAIT_LIMIT_MS;
  while ((await receiver.readTotal()) < events * destinations) {
    if (Date.now() > giveUpAt) throw new Error('void: not everything arrived');
    await delay(10);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMsPerEvent = ((service.cpuSeconds - cpuBefore) * 1000) / events;
  const { firstMs } = await receiver.report();
  if (Object.keys(firstMs).length !== events) throw new Error('void: an event is missing');
  const latenciesMs = Object.entries(firstMs).map(([id, atMs]) => atMs - readCreatedMs(id));
  return { eventsPerSecond: events / seconds, cpuMsPerEvent, latenciesMs };
};
