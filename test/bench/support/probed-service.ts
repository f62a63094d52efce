import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Service, type ServiceOptions } from '../../support/service';
import { toMebibytes } from './memory';

const WAIT_LIMIT_MS = 10_000;
const CLOCK_TICKS_PER_SECOND = 100;

/** The activity of one thread so far, as the probe in the service counts it. */
interface ThreadFacts {
  readonly role: 'main' | 'sql' | 'store' | 'other';
  readonly threadId: number;
  readonly loopTurns: number;
  /** The number of calls by name: `sql <statement>`, `store append`, `file write` … */
  readonly calls: Readonly<Record<string, number>>;
}

/** The resources that the service has used since its start. */
export interface Usage {
  readonly sqlByStatement: ReadonlyMap<string, number>;
  readonly mainLoopTurns: number;
  readonly sqlFileWrites: number;
  readonly storeWrites: number;
  readonly cpuMs: number;
  readonly cpuMsByThread: ReadonlyMap<string, number>;
  readonly residentMib: number;
}

let probes = 0;

/** A service that counts the cost of an event from inside. */
export class ProbedService {
  private constructor(
    readonly service: Service,
    private readonly file: string,
  ) {}

  static async start({ env = {}, ...options }: ServiceOptions): Promise<ProbedService> {
    probes += 1;
    const file = join(tmpdir(), `probe-${process.pid}-${probes}.json`);
    const service = await Service.start({
      ...options,
      env: { ...env, PROBE_FILE: file },
      nodeFlags: ['--require', join(__dirname, 'probe.cjs')],
    });
    return new ProbedService(service, file);
  }

  async readUsage(): Promise<Usage> {
    const threads = await this.readThreads();
    const roles = new Map(threads.map(({ threadId, role }) => [threadId, role]));
    const cpuMsByThread = new Map<string, number>();
    for (const { id, cpuMs } of this.readCpuOfThreads()) {
      const role = roles.get(id) ?? 'helpers of V8 and libuv';
      cpuMsByThread.set(role, (cpuMsByThread.get(role) ?? 0) + cpuMs);
    }
    const calls = threads.flatMap(({ role, calls: of }) =>
      Object.entries(of).map(([name, count]) => ({ role, name, count })),
    );
    const countOf = (prefix: string, role: string): number =>
      calls
        .filter((call) => call.role === role && call.name.startsWith(prefix))
        .reduce((sum, { count }) => sum + count, 0);
    return {
      sqlByStatement: new Map(
        calls
          .filter(({ name }) => name.startsWith('sql '))
          .map(({ name, count }) => [name.slice('sql '.length), count]),
      ),
      mainLoopTurns: threads.find(({ role }) => role === 'main')?.loopTurns ?? NaN,
      sqlFileWrites: countOf('file write', 'sql'),
      storeWrites: countOf('store ', 'main'),
      cpuMs: this.service.cpuSeconds * 1000,
      cpuMsByThread,
      residentMib: toMebibytes(this.service.memory.resident),
    };
  }

  async dispose(): Promise<void> {
    await this.service.dispose();
    rmSync(this.file, { force: true });
  }

  private async readThreads(): Promise<ThreadFacts[]> {
    rmSync(this.file, { force: true });
    process.kill(this.service.pid, 'SIGUSR2');
    const giveUpAt = Date.now() + WAIT_LIMIT_MS;
    while (!existsSync(this.file)) {
      if (Date.now() > giveUpAt) throw new Error('void: the probe does not answer');
      await delay(10);
    }
    return JSON.parse(readFileSync(this.file, 'utf8')) as ThreadFacts[];
  }

  private readCpuOfThreads(): { id: number; cpuMs: number }[] {
    const { pid } = this.service;
    return listThreadIds(pid).map((id) => {
      const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = Number(fields[11]) + Number(fields[12]);
      return { id, cpuMs: (ticks / CLOCK_TICKS_PER_SECOND) * 1000 };
    });
  }
}

const listThreadIds = (pid: number): number[] => readdirSync(`/proc/${pid}/task`).map(Number);

/** Returns the resources used between two samples. */
export const subtractUsage = (before: Usage, after: Usage): Usage => ({
  sqlByStatement: subtractCounts(before.sqlByStatement, after.sqlByStatement),
  mainLoopTurns: after.mainLoopTurns - before.mainLoopTurns,
  sqlFileWrites: after.sqlFileWrites - before.sqlFileWrites,
  storeWrites: after.storeWrites - before.storeWrites,
  cpuMs: after.cpuMs - before.cpuMs,
  cpuMsByThread: subtractCounts(before.cpuMsByThread, after.cpuMsByThread),
  residentMib: after.residentMib,
});

/** Returns the resources used in two stretches together. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  sqlByStatement: addCounts(a.sqlByStatement, b.sqlByStatement),
  mainLoopTurns: a.mainLoopTurns + b.mainLoopTurns,
  sqlFileWrites: a.sqlFileWrites + b.sqlFileWrites,
  storeWrites: a.storeWrites + b.storeWrites,
  cpuMs: a.cpuMs + b.cpuMs,
  cpuMsByThread: addCounts(a.cpuMsByThread, b.cpuMsByThread),
  residentMib: b.residentMib,
});

type Counts = ReadonlyMap<string, number>;

const subtractCounts = (before: Counts, after: Counts): Counts =>
  new Map([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]));

const addCounts = (a: Counts, b: Counts): Counts =>
  new Map(
    [...a.keys(), ...b.keys()].map((name) => [name, (a.get(name) ?? 0) + (b.get(name) ?? 0)]),
  );

export const sumCounts = (counts: Counts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
