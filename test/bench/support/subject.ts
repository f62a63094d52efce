import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { TestTenant } from '../../support/service';
import { createSubscriber } from './create-subscriber';
import { readCreatedMs } from './event-id';
import { runClosedLoop } from './load';
import { addUsage, ProbedService, subtractUsage, type Usage } from './probed-service';
import { BenchReceiver } from './receiver';

/** The number of concurrent requests in a saturated stretch. */
const IN_FLIGHT = 64;
/** The number of turns of each subject in one measurement. */
export const ROUNDS = 4;
/** The number of events before the measurement, after which frequent code is compiled. */
export const WARM_UP_EVENTS = 3_000;
const SETTLING_MS = 2_000;
const WAIT_LIMIT_MS = 60_000;

/** A build under measurement, with a tenant that has one destination. */
export interface Subject {
  readonly name: string;
  readonly probed: ProbedService;
  readonly tenant: TestTenant;
  readonly pool: Pool;
  readonly receiver: BenchReceiver;
}

/** The cost of a stretch of events. */
export interface Cost {
  readonly events: number;
  readonly seconds: number;
  readonly usage: Usage;
  readonly latenciesMs: readonly number[];
}

export const begin = async (name: string, build?: string): Promise<Subject> => {
  const receiver = await BenchReceiver.start();
  const probed = await ProbedService.start(build === undefined ? {} : { build });
  const tenant = await probed.service.tenant();
  const destination = { type: 'https_webhook', url: receiver.url, max_in_flight: 100 };
  (await tenant.api.post('/v1/destinations', destination)).expect(201);
  const pool = new Pool(probed.service.url, { connections: IN_FLIGHT });
  return { name, probed, tenant, pool, receiver };
};

export const end = async ({ probed, pool, receiver }: Subject): Promise<void> => {
  await pool.destroy();
  await probed.dispose();
  receiver.close();
};

/** Creates events as fast as the service accepts them, and waits until all have arrived. */
export const saturate = (subject: Subject, events: number): Promise<Cost> =>
  measure(subject, events, (count) => runClosedLoop(count, IN_FLIGHT, createSubscriber(subject)));

export const measure = async (
  { probed, receiver }: Subject,
  events: number,
  load: (count: number) => Promise<unknown>,
): Promise<Cost> => {
  await delay(SETTLING_MS);
  receiver.reset();
  const before = await probed.readUsage();
  const startedAt = performance.now();
  await load(events);
  const giveUpAt = Date.now() + WAIT_LIMIT_MS;
  while ((await receiver.count()) < events) {
    if (Date.now() > giveUpAt) throw new Error('void: not everything arrived');
    await delay(20);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const usage = subtractUsage(before, await probed.readUsage());
  const { firstMs } = await receiver.report();
  const latenciesMs = Object.entries(firstMs).map(([id, atMs]) => atMs - readCreatedMs(id));
  return { events, seconds, usage, latenciesMs };
};

type Stretch = (subject: Subject) => Promise<Cost>;

/**
 * Measures the subjects in turn, several times, so that other load of the machine affects them
 * equally and none of them takes the processor from another.
 */
export const measureByTurns = async (
  subjects: readonly Subject[],
  stretch: Stretch,
): Promise<Cost[]> => {
  const rounds: Cost[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const costs: Cost[] = [];
    for (const subject of subjects) costs.push(await stretch(subject));
    rounds.push(costs);
  }
  return subjects.map((_, i) => sumCosts(rounds.flatMap((costs) => costs[i] ?? [])));
};

const sumCosts = (costs: readonly Cost[]): Cost => ({
  events: costs.reduce((sum, { events }) => sum + events, 0),
  seconds: costs.reduce((sum, { seconds }) => sum + seconds, 0),
  usage: costs.map(({ usage }) => usage).reduce(addUsage),
  latenciesMs: costs.flatMap(({ latenciesMs }) => latenciesMs),
});
