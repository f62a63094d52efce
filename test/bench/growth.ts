import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './main';
import { toMebibytes } from './support/memory';
import { begin, type Cost, end, saturate, type Subject } from './support/subject';

/** The numbers of events in the log at which an event is measured. */
const STAGES = [10_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];
const MEASURED_EVENTS = 5_000;
/** Events are created in parts, so that nothing is kept for each of a million events. */
const PART_EVENTS = 50_000;
/** How often an allocation unit of `st_blocks` is counted, in bytes (POSIX, stat.h). */
const BLOCK_BYTES = 512;

/**
 * Measures whether the cost of an event, the memory and the files grow with the number of events
 * in the log. `--size` is the number of events at the end: `npm run bench -- growth --size
 * 1000000` takes about 20 minutes and 10 GB.
 */
export const run = async ({ size = 200_000 }: BenchOptions): Promise<void> => {
  const subject = await begin('this build');
  try {
    let created = 0;
    for (const stage of STAGES.filter((events) => events <= size)) {
      while (created < stage - MEASURED_EVENTS) {
        const part = Math.min(PART_EVENTS, stage - MEASURED_EVENTS - created);
        await saturate(subject, part);
        created += part;
      }
      printStage(stage, await saturate(subject, MEASURED_EVENTS), subject);
      created = stage;
    }
    await printRestart(subject);
  } finally {
    await end(subject);
  }
};

const printStage = (stage: number, { events, seconds, usage }: Cost, subject: Subject): void => {
  const perEvent = (ms: number | undefined): string => ((ms ?? NaN) / events).toFixed(2);
  const { own, resident } = subject.probed.service.memory;
  const { dataDir } = subject.probed.service;
  console.log(
    `${stage.toLocaleString('en')} events: ${Math.round(events / seconds)} events/s, ` +
      `CPU ${perEvent(usage.cpuMs)} ms (SQL ${perEvent(usage.cpuMsByThread.get('sql'))}, ` +
      `event store ${perEvent(usage.cpuMsByThread.get('store'))}); memory ${toMebibytes(own)} MiB ` +
      `of its own, ${toMebibytes(resident - own)} MiB of mapped files; files: event store ` +
      `${toMebibytes(measureFiles(join(dataDir, 'eventstore')))} MiB, ` +
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
