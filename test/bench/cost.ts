import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions } from './main';
import { createSubscriber } from './support/create-subscriber';
import { computePercentile, openLoop } from './support/load';
import { subtractUsage, sumCounts, type Usage } from './support/probed-service';
import {
  begin,
  type Cost,
  end,
  measure,
  measureByTurns,
  ROUNDS,
  saturate,
  type Subject,
  WARM_UP_EVENTS,
} from './support/subject';

const RATES = [20, 100];
const SECONDS = 20;
const SATURATED_EVENTS_PER_SECOND = 150;
const REST_BEFORE_MS = 60_000;
const REST_MS = 30_000;
const STATEMENTS_TOLD = 8;

/**
 * Measures the cost of one event: a `POST /v1/subscribers` with one destination, at two rates and
 * saturated. Counts do not depend on the machine. `--against DIR` measures the build in another
 * directory in the same run, turn by turn, so that the ratio of CPU is of one run. `--size` is the
 * length of a stretch in seconds.
 */
export const run = async ({ size: seconds = SECONDS, against }: BenchOptions): Promise<void> => {
  const subjects: Subject[] = [];
  try {
    subjects.push(await begin('this build'));
    if (against !== undefined) subjects.push(await begin('the other build', against));
    for (const subject of subjects) await saturate(subject, WARM_UP_EVENTS);
    for (const rate of RATES) {
      const part = Math.ceil(seconds / ROUNDS);
      const costs = await measureByTurns(subjects, (subject) =>
        measureSteadyRate(subject, rate, part),
      );
      printAll(`${rate} events/s`, subjects, costs);
    }
    const events = Math.ceil((seconds * SATURATED_EVENTS_PER_SECOND) / ROUNDS);
    printAll(
      'saturated',
      subjects,
      await measureByTurns(subjects, (subject) => saturate(subject, events)),
    );
    for (const subject of subjects) await measureIdle(subject);
  } finally {
    for (const subject of subjects) await end(subject);
  }
};

const printAll = (title: string, subjects: readonly Subject[], costs: readonly Cost[]): void => {
  for (const [i, cost] of costs.entries()) printCost(`${title}, ${subjects[i]?.name ?? ''}`, cost);
  const [own, other] = costs.map(({ usage, events }) => usage.cpuMs / events);
  if (own === undefined || other === undefined) return;
  console.log(`  CPU per event against the other build: ${(own / other).toFixed(2)}`);
};

const measureSteadyRate = (subject: Subject, rate: number, seconds: number): Promise<Cost> =>
  measure(subject, rate * seconds, (count) => openLoop(count, rate, createSubscriber(subject)));

const printCost = (title: string, { events, seconds, usage, latenciesMs }: Cost): void => {
  const formatPerEvent = (count: number): string => (count / events).toFixed(2);
  const byThread = [...usage.cpuMsByThread].map(
    ([name, cpuMs]) => `${name} ${formatPerEvent(cpuMs)}`,
  );
  const latency = [50, 95, 99].map((p) => `p${p} ${computePercentile(latenciesMs, p).toFixed(0)}`);
  console.log(`${title}: ${Math.round(events / seconds)} events/s, of each`);
  console.log(
    `  SQL round trips ${formatPerEvent(sumCounts(usage.sqlByStatement))}, ` +
      `turns of the main loop ${formatPerEvent(usage.mainLoopTurns)}, ` +
      `file writes of SQL ${formatPerEvent(usage.sqlFileWrites)}, ` +
      `writes to the event store ${formatPerEvent(usage.storeWrites)}`,
  );
  console.log(`  CPU ${formatPerEvent(usage.cpuMs)} ms (${byThread.join(', ')})`);
  console.log(`  created to received ${latency.join(', ')} ms; ${usage.residentMib} MiB resident`);
  for (const [name, count] of listMostFrequent(usage).slice(0, STATEMENTS_TOLD)) {
    console.log(`    ${formatPerEvent(count)} × ${name}`);
  }
};

const listMostFrequent = ({ sqlByStatement }: Usage): [string, number][] =>
  [...sqlByStatement].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);

/**
 * Measures an idle service for a while after a start on existing data: the queries that it makes
 * although nothing happens.
 */
const measureIdle = async ({ name, probed }: Subject): Promise<void> => {
  await probed.service.stop();
  await probed.service.run();
  await delay(REST_BEFORE_MS);
  const before = await probed.readUsage();
  await delay(REST_MS);
  const usage = subtractUsage(before, await probed.readUsage());
  const percent = (usage.cpuMs / REST_MS) * 100;
  console.log(
    `at rest, ${name}: ${usage.residentMib} MiB resident, ${percent.toFixed(1)} % of a core, ` +
      `${sumCounts(usage.sqlByStatement)} statements in ${REST_MS / 1000} s`,
  );
  for (const [statement, count] of listMostFrequent(usage)) {
    console.log(`    every ${(REST_MS / 1000 / count).toFixed(1)} s: ${statement}`);
  }
};
