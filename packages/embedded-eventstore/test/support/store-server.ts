import { EventStoreDBClient } from '@eventstore/db-client';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultMessage, FaultReply } from '../../src/faults/messages';

export const STORE_PROGRAM = join(__dirname, '../../dist/main.js');
const START_WAIT_LIMIT_MS = 30_000;

export interface StoreOptions {
  /**
   * The directory to use, which is kept. Without it, the server gets a directory that is deleted
   * with it.
   */
  readonly dir?: string;
  /** Further arguments of `npm run eventstore --`. */
  readonly args?: readonly string[];
  /** True if the server links events to category streams. The default is true. */
  readonly projections?: boolean;
}

/** The standalone event store as users run it: the built program in a process of its own. */
export class StoreServer {
  private child: ChildProcess | undefined;
  private port = 0;
  private errors = '';
  readonly dir: string;

  private constructor(private readonly options: StoreOptions) {
    this.dir = options.dir ?? mkdtempSync(join(tmpdir(), 'store-'));
  }

  static async start(options: StoreOptions = {}): Promise<StoreServer> {
    const server = new StoreServer(options);
    await server.run();
    return server;
  }

  get connectionString(): string {
    return this.createConnectionString('');
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  createConnectionString(user: string, query = 'tls=false'): string {
    return `esdb://${user === '' ? '' : `${user}@`}${this.address}?${query}`;
  }

  /** Starts or restarts the process on the same data and port. Resolves when it is ready. */
  async run(more: readonly string[] = []): Promise<void> {
    this.errors = '';
    const { args = [], projections = true } = this.options;
    const options = ['--dir', this.dir, '--port', String(this.port), ...args, ...more];
    const child = spawn(
      process.execPath,
      [STORE_PROGRAM, 'serve', ...options, ...(projections ? ['--projections'] : [])],
      { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    this.child = child;
    child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.port = await new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`the store is not ready in time: ${this.errors}`));
      }, START_WAIT_LIMIT_MS);
      child.stdout?.on('data', (chunk: Buffer) => {
        const port = /ready: esdb:\S+:(\d+)\?/.exec(chunk.toString())?.[1];
        if (port === undefined) return;
        clearTimeout(timer);
        resolve(Number(port));
      });
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`the store ended with code ${String(code)}: ${this.errors}`));
      });
    });
  }

  /** The text that it wrote to standard error. */
  get said(): string {
    return this.errors;
  }

  /**
   * The CPU time of all its threads so far, in seconds. On a busy machine it says more than the
   * clock.
   */
  get cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const CLOCK_TICKS_PER_SECOND = 100;
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
  }

  /**
   * Its own memory in bytes, without the mapped pages of the data file, which the system can
   * reclaim.
   */
  get privateBytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  }

  get hasEnded(): boolean {
    return this.child?.exitCode !== null;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  async signal(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (child?.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  /** Sets the schedule of a fault, for example `connect-unanswered=next:3`. */
  async inject(fault: string): Promise<void> {
    await this.sendFaultMessage({ inject: fault });
  }

  /** Ends all faults. Returns how often they struck since they were ended last. */
  async clearFaults(): Promise<number> {
    return (await this.sendFaultMessage({ clearFaults: true })).struck ?? 0;
  }

  private async sendFaultMessage(message: FaultMessage): Promise<{ readonly struck?: number }> {
    const { child } = this;
    if (!child) throw new Error('the store does not run');
    const answered = once(child, 'message');
    child.send(message);
    const [reply] = (await answered) as [FaultReply];
    if ('error' in reply) throw new Error(reply.error);
    return reply;
  }

  stop(): Promise<number | null> {
    return this.signal('SIGTERM');
  }

  async restart(more: readonly string[] = []): Promise<void> {
    await this.stop();
    await this.run(more);
  }

  async dispose(): Promise<void> {
    await this.stop();
    if (this.options.dir === undefined) rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Runs one command of the program to its end. */
export const storeCommand = async (
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const child = spawn(process.execPath, [STORE_PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
};

/** Starts servers and clients for one case of a suite. They end with the case. */
export const createStoreStarter = () => {
  const servers: StoreServer[] = [];
  const clients: EventStoreDBClient[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.dispose()));
    await Promise.all(servers.splice(0).map((server) => server.dispose()));
  });
  return {
    start: async (options: Parameters<typeof StoreServer.start>[0] = {}): Promise<StoreServer> => {
      const server = await StoreServer.start(options);
      servers.push(server);
      return server;
    },
    connect: (connectionString: string): EventStoreDBClient => {
      const client = EventStoreDBClient.connectionString(connectionString);
      clients.push(client);
      return client;
    },
  };
};
