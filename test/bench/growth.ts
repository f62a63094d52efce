import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './main';
import { toMebibytes } from './support/memory';
import {
  begin,
  type Cost,
  end,
  measureByTurns,
  ROUNDS,
  saturate,
  type Subject,
} from './support/subject';

/** The numbers of events in the log at which an event is measured. */
const STAGES = [10_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];
const SMALL_LOG_EVENTS = 5_000;
const MEASURED_EVENTS = 6_000;
/** Events are created in parts, so that nothing is kept for each of a million events. */
const PART_EVENTS = 50_000;
/** How often an allocation unit of `st_blocks` is counted, in bytes (POSIX, stat.h). */
const BLOCK_BYTES = 512;

/**
 * Measures whether the cost of an event, the memory and the files grow with the number of events
 * in the log. Each stage is measured in turn with a second service, whose log stays small, so that
 * the ratio does not depend on other load of the machine. `--size` is the number of events at the
 * end: `npm run bench -- growth --size 1000000` takes half an hour to an hour, and 12 GB.
 */
export const run = async ({ size = 200_000 }: BenchOptions): Promise<void> => {
  const grown = await begin('this build');
  const small = await begin('this build with a small log');
  try {
    await saturate(small, SMALL_LOG_EVENTS);
    let created = 0;
    for (const stage of STAGES.filter((events) => events <= size)) {
      await createEvents(grown, stage - MEASURED_EVENTS - created);
      const [cost, smallCost] = await measureByTurns([grown, small], (subject) =>
        saturate(subject, MEASURED_EVENTS / ROUNDS),
      );
      created = stage;
      if (cost !== undefined && smallCost !== undefined) printStage(stage, grown, cost, smallCost);
    }
    await printRestart(grown);
  } finally {
    await end(grown);
    await end(small);
  }
};

const createEvents = async (subject: Subject, events: number): Promise<void> => {
  for (let left = events; left > 0; left -= PART_EVENTS)
    await saturate(subject, Math.min(PART_EVENTS, left));
};

const printStage = (stage: number, { probed }: Subject, cost: Cost, smallCost: Cost): void => {
  const { events, seconds, usage } = cost;
  const { own, resident } = probed.service.memory;
  const { dataDir } = probed.service;
  const ratio = usage.cpuMs / events / (smallCost.usage.cpuMs / smallCost.events);
  console.log(
    `${stage.toLocaleString('en')} events: ${Math.round(events / seconds)} events/s, ` +
      `CPU ${(usage.cpuMs / events).toFixed(2)} ms, ${ratio.toFixed(2)} of that with a small log; ` +
      `memory ${toMebibytes(own)} MiB of its own, ${toMebibytes(resident - own)} MiB of mapped ` +
      `files; files: event store ${toMebibytes(measureFiles(join(dataDir, 'eventstore')))} MiB, ` +
      `SQL ${toMebibytes(measureFiles(join(dataDir, 'sql')))} MiB`,
  );
};

const measureFiles = (dir: string): number =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => {
      // A file that is deleted meanwhile takes no space.
      const blocks = statSync(join(parentPath, name), { throwIfNoEntry: false })?.blocks ?? 0;
      return sum + blocks * BLOCK_BYTES;
    }, 0);

const printRestart = async ({ probed: { service } }: Subject): Promise<void> => {
  await service.kill();
  const startedAt = performance.now();
  await service.run();
  console.log(`killed, then ready after ${Math.round(performance.now() - startedAt)} ms`);
};
