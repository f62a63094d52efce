import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from './api';
import { ConsoleBrowser } from './console-browser';
import { databases, type TestDatabase } from './databases';
import { askForService, endService, type SharedServiceFacts } from './shared-services-client';

const ROOT = join(__dirname, '../..');
/**
 * The time limit for a start, in ms. It is shorter than a hook's limit, so that the service's
 * output is shown.
 */
const START_WAIT_LIMIT_MS = 45_000;
const LINES_KEPT = 500;

export interface ServiceOptions {
  readonly database?: TestDatabase;
  readonly env?: Readonly<Record<string, string>>;
  /** The directory of another build. The default is this source tree. */
  readonly build?: string;
  /** Flags of Node in addition to those that users have. */
  readonly nodeFlags?: readonly string[];
  /** A program with its arguments that executes the service. */
  readonly wrapper?: readonly string[];
}

export interface MemoryBytes {
  readonly own: number;
  readonly resident: number;
}

/** A running service, independent of the owner of its process. */
export class RunningService {
  url = '';

  constructor(readonly dataDir: string) {}

  /**
   * Returns a service that many suites use one after the other, one for each worker of Jest. It is
   * for suites that create their own tenant and need no environment of their own. No suite disposes
   * of it.
   */
  static async shared(database: TestDatabase = databases[0]!): Promise<SharedService> {
    return new SharedService(database, await askForService(database.name));
  }

  get operatorToken(): string {
    return readFileSync(join(this.dataDir, 'operator-token'), 'utf8').trim();
  }

  createOperatorApi(token: string): Api {
    return new Api(() => this.url, token);
  }

  get operator(): Api {
    return new Api(() => this.url, this.operatorToken);
  }

  /** Creates a tenant with a key of the environment. */
  async tenant(environment: 'live' | 'test' = 'test'): Promise<TestTenant> {
    const { operator } = this;
    const { id } = (await operator.post('/operator/v1/tenants', { name: 'Acme Magazine' })).created;
    return this.createKey(id as string, environment);
  }

  /** Creates another key of a tenant. */
  async createKey(id: string, environment: 'live' | 'test'): Promise<TestTenant> {
    const issue = { environment, name: 'tests' };
    const { key } = (await this.operator.post(`/operator/v1/tenants/${id}/api-keys`, issue))
      .created;
    return { id, key: key as string, api: this.createApi(key as string) };
  }

  /** Returns an API client with this key. */
  createApi(key: string): Api {
    return new Api(() => this.url, key);
  }

  /** A browser without a session. */
  get browser(): ConsoleBrowser {
    return new ConsoleBrowser(new Api(() => this.url, null));
  }

  /** Returns a browser that a one-time link of this role signed in. */
  async signedIn(link: {
    readonly tenant_id?: string;
    readonly role: string;
  }): Promise<ConsoleBrowser> {
    const { browser } = this;
    const { url } = (await this.operator.post('/operator/v1/console_links', link)).created;
    await browser.openLink(url as string);
    return link.tenant_id === undefined ? browser : browser.openTenant(link.tenant_id);
  }

  /** Returns the number of destinations that the process delivers to, by its own metrics. */
  async countOwnedDestinations(): Promise<number> {
    const metrics = await (await fetch(`${this.url}/metrics`)).text();
    return Number(/^subscription_service_destinations_held (\d+)$/m.exec(metrics)?.[1]);
  }

  exists(file: string): boolean {
    return existsSync(join(this.dataDir, file));
  }
}

/**
 * The service that the suites of a worker share. Its process belongs to the main process of Jest.
 */
export class SharedService extends RunningService {
  pid: number;

  constructor(
    private readonly database: TestDatabase,
    { url, dataDir, pid }: SharedServiceFacts,
  ) {
    super(dataDir);
    this.url = url;
    this.pid = pid;
  }

  /** Kills the process at once, as a crash does. */
  async kill(): Promise<void> {
    await endService(this.database.name, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await endService(this.database.name, 'SIGTERM');
  }

  /** Starts another process on the same data and port. The next suite gets one in any case. */
  async run(): Promise<void> {
    const { pid } = await askForService(this.database.name);
    this.pid = pid;
  }
}

/** The service as users run it: the built program in its own process, on real sockets. */
export class Service extends RunningService {
  private child: ChildProcess | undefined;
  private errors = '';
  private warned = 0;
  private isEnding = false;
  private reportsEnds = false;
  private lines: string[] = [];

  private constructor(
    dataDir: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly drop: () => Promise<void>,
    private readonly program: Pick<ServiceOptions, 'build' | 'nodeFlags' | 'wrapper'> = {},
  ) {
    super(dataDir);
  }

  override get operatorToken(): string {
    return this.env['OPERATOR_TOKEN'] ?? super.operatorToken;
  }

  /** Starts a service on its own empty stores. Resolves when it is ready for requests. */
  static async start({
    database = databases[0]!,
    env = {},
    ...program
  }: ServiceOptions = {}): Promise<Service> {
    const { env: databaseEnv, drop } = await database.create();
    const dataDir = mkdtempSync(join(tmpdir(), 'ses-'));
    const service = new Service(dataDir, { ...DEFAULTS, ...databaseEnv, ...env }, drop, program);
    await service.run();
    return service;
  }

  /** Starts a service on data that `prepare` puts into an empty directory. */
  static async startOn(
    prepare: (dataDir: string) => Promise<unknown>,
    { env = {}, ...program }: Omit<ServiceOptions, 'database'> = {},
  ): Promise<Service> {
    const dataDir = mkdtempSync(join(tmpdir(), 'ses-'));
    await prepare(dataDir);
    const all = { ...DEFAULTS, ...env };
    const service = new Service(dataDir, all, () => Promise.resolve(), program);
    await service.run();
    return service;
  }

  /** Starts or restarts the process on the same data. Resolves when it is ready. */
  async run(extra: Readonly<Record<string, string>> = {}): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port;
    this.errors = '';
    this.isEnding = false;
    const { build = ROOT, nodeFlags: moreFlags = [], wrapper = [] } = this.program;
    const [program, ...args] = [
      ...wrapper,
      process.execPath,
      ...listNodeFlags(build),
      ...moreFlags,
      'dist/main.js',
    ];
    const child = spawn(program, args, {
      cwd: build,
      env: { ...createBaseEnv(), ...this.env, PORT: port, DATA_DIR: this.dataDir, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = chunk.toString().split('\n');
      this.warned += lines.filter(isWarning).length;
      this.lines = [...this.lines, ...lines].slice(-LINES_KEPT);
    });
    this.url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`not ready in time:\n${this.errors}`));
      }, START_WAIT_LIMIT_MS);
      child.stderr.on('data', (chunk: Buffer) => {
        this.errors += chunk.toString();
        const [, found] = /ready in .* at (http:\S+)/.exec(this.errors) ?? [];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
      child.once('exit', (code, signal) => {
        if (this.reportsEnds && !this.isEnding) {
          const output = [this.errors, ...this.lines].join('\n');
          console.error(`a shared service ended (code ${code}, signal ${signal}):\n${output}`);
        }
        clearTimeout(timer);
        reject(new Error(`ended with code ${code} before it was ready:\n${this.errors}`));
      });
    });
  }

  /** A process that has not been started yet, with the same data. */
  createSibling(): Service {
    return new Service(this.dataDir, this.env, () => Promise.resolve(), this.program);
  }

  get pid(): number {
    return this.child?.pid ?? -1;
  }

  get running(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /**
   * The resident memory: its own, which must stay flat, and the total, which includes the mapped
   * pages of the log's file that the system reclaims when it needs them.
   */
  get memory(): MemoryBytes {
    const status = readFileSync(`/proc/${String(this.child?.pid)}/status`, 'utf8');
    const readBytes = (field: string): number =>
      Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
    return { own: readBytes('RssAnon'), resident: readBytes('VmRSS') };
  }

  /**
   * The CPU time of all its threads so far, in seconds. On a busy machine it says more than the
   * clock.
   */
  get cpuSeconds(): number {
    const stat = readFileSync(`/proc/${String(this.child?.pid)}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const CLOCK_TICKS_PER_SECOND = 100;
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
  }

  /**
   * The CPU time of the event loop's thread, in milliseconds. A request cannot have blocked the
   * loop for longer than its growth, however long the loop waited for a processor.
   */
  get eventLoopCpuMs(): number {
    const path = `/proc/${this.pid}/task/${this.pid}/schedstat`;
    const [nanoseconds = ''] = readFileSync(path, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  }

  /** The number of its log lines at the levels warn, error and fatal. */
  get warnings(): number {
    return this.warned;
  }

  /** Returns the last lines of its log with this message. */
  listLogLines(message: string): Record<string, unknown>[] {
    return this.lines
      .filter((line) => line.includes(`"message":"${message}"`))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The output for people on standard error. */
  get said(): string {
    return this.errors;
  }

  async sendSignal(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (child === undefined || !this.running) return child?.exitCode ?? null;
    this.isEnding = true;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  /** From now on, prints the output of a process that ends without a signal from the tests. */
  reportUnexpectedEnds(): void {
    this.reportsEnds = true;
  }

  /** Kills the process at once, as a crash does. */
  kill(): Promise<number | null> {
    return this.sendSignal('SIGKILL');
  }

  stop(): Promise<number | null> {
    return this.sendSignal('SIGTERM');
  }

  /** Stops the service and deletes its data. */
  async dispose(): Promise<void> {
    await this.stop();
    await this.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export interface TestTenant {
  readonly id: string;
  readonly key: string;
  readonly api: Api;
}

/**
 * The default environment: fast retries, local receivers, and no rate limit that a suite could
 * reach.
 */
const DEFAULTS: Readonly<Record<string, string>> = {
  ALLOW_INSECURE_DESTINATIONS: 'true',
  TEST_RETRY_SCHEDULE: '0,0.2,0.2,0.2,0.2',
  RETRY_SCHEDULE: '0,0.2,0.2,0.2,0.2',
  RATE_LIMIT_LIVE: '100000',
  RATE_LIMIT_TEST: '100000',
  RATE_LIMIT_REPLAY: '100000',
  RATE_LIMIT_FAILED_CREDENTIALS: '100000',
  REPLAY_RETRY_SCHEDULE: '0,0.1,0.1',
  RATE_LIMIT_METRICS: '100000',
  CONCURRENT_REQUESTS_PER_KEY: '1000',
  LOG_LEVEL: 'warn',
  // One process on every machine, however many cores it has.
  PROCESSES: '1',
};

/**
 * The flags of `npm start` of a build. `SERVICE_NODE_FLAGS="--cpu-prof"` profiles the service under
 * a test or benchmark.
 */
export const listNodeFlags = (build = ROOT): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(build, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return [
    ...scripts.start.split(' ').filter((word) => word.startsWith('--')),
    ...(process.env['SERVICE_NODE_FLAGS']?.split(' ') ?? []),
  ];
};

const isWarning = (line: string): boolean => /"level":"(?:warn|error|fatal)"/.test(line);

/** The environment without settings of the tests' own environment. */
const createBaseEnv = (): Record<string, string> => {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
};
