import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { listProcesses } from '../support/process-stage';
import { Service } from '../support/service';
import type { BenchOptions } from './main';
import { runClosedLoop } from './support/load';
import { BenchReceiver } from './support/receiver';

const EVENTS = 5_000;
const WARM_UP_EVENTS = 2_000;
const IN_FLIGHT = 64;
const WAIT_LIMIT_MS = 120_000;
const CLOCK_TICKS_PER_SECOND = 100;

/**
 * Measures each process's share of an event's CPU, saturated, with one destination. The process
 * with the largest share is the first bottleneck on a machine with many cores.
 */
export const run = async ({ size: events = EVENTS }: BenchOptions): Promise<void> => {
  const receiver = await BenchReceiver.start();
  const service = await Service.start({ env: { PROCESSES: '3' } });
  const pool = new Pool(service.url, { connections: IN_FLIGHT });
  try {
    const { api, key } = await service.tenant();
    const destination = { type: 'https_webhook', url: receiver.url, max_in_flight: 100 };
    (await api.post('/v1/destinations', destination)).expect(201);
    const create = async (i: number): Promise<void> => {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/subscribers',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `reader-${i}@example.com`, tags: ['bench'] }),
      });
      await body.dump();
      if (statusCode !== 201) throw new Error(`void: a request was answered ${statusCode}`);
    };
    const saturate = async (from: number, count: number): Promise<void> => {
      receiver.reset();
      await runClosedLoop(count, IN_FLIGHT, (i) => create(from + i));
      const giveUpAt = Date.now() + WAIT_LIMIT_MS;
      while ((await receiver.count()) < count) {
        if (Date.now() > giveUpAt) throw new Error('void: not everything arrived');
        await delay(20);
      }
    };
    await saturate(0, WARM_UP_EVENTS);
    const before = readCpuMsByProcess(service);
    await saturate(WARM_UP_EVENTS, events);
    printCosts(before, readCpuMsByProcess(service), events);
  } finally {
    await pool.destroy();
    await service.dispose();
    receiver.close();
  }
};

type CpuMs = ReadonlyMap<string, number>;

const printCosts = (before: CpuMs, after: CpuMs, events: number): void => {
  const used = [...after].map(
    ([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / events] as const,
  );
  const total = used.reduce((sum, [, ms]) => sum + ms, 0);
  for (const [name, ms] of used) {
    const share = Math.round((ms / total) * 100);
    console.log(`  ${name.padEnd(14)} ${ms.toFixed(2)} ms of CPU an event, ${share} %`);
  }
  console.log(`  ${'all'.padEnd(14)} ${total.toFixed(2)} ms`);
};

/** Returns the CPU time of all threads of each process. */
const readCpuMsByProcess = (service: Service): CpuMs =>
  new Map(
    [...listProcesses(service)].map(([name, pid]) => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = Number(fields[11]) + Number(fields[12]);
      return [name, (ticks / CLOCK_TICKS_PER_SECOND) * 1000] as const;
    }),
  );
