import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from './cli';
import { openKeptClock, openKeptTenant, restoreVersion } from './kept-version';
import { Ledger } from './ledger';
import { Service, type TestTenant } from './service';
import type { ShiftedClock } from './shifted-clock';
import { until } from './until';

const HOUR_MS = 3_600_000;
const SUBSCRIBERS = 12;
const CLIENTS = 6;
const TICKETS_AN_HOUR = 600;
export const DAILY_SUBSCRIPTIONS = 3;
/** Maximum wait for a condition in ms. A receiver that was down is probed again within a minute. */
const WAIT_LIMIT_MS = 180_000;
/** The waits in seconds before the attempts. The receiver that is down must not use them up. */
const RETRIES = '0,0.2,0.5,1,1,2,2,5,5,5,10,10,10,10,10,10,10,10,10,10';

/** The garbage is collected when the clock moves. */
const COLLECTS_GARBAGE = ['--expose-gc', '--require', join(__dirname, 'collect-garbage.cjs')];

export interface Footprint {
  /** The part of the heap that is in use, without garbage. */
  readonly heapBytes: number;
  readonly memoryBytes: number;
  /** Open files and sockets. Files of the database are left out: it keeps up to 1,000 open. */
  readonly openFiles: number;
}

/** A service whose clock runs through a day in minutes, with clients, receivers and backups. */
export class SimulatedDay {
  /** A receiver that never fails. */
  readonly steady: Ledger;
  /** A receiver that refuses some attempts and wants every subscriber's events in order. */
  readonly strict: Ledger;
  readonly accepted: string[] = [];
  readonly footprints: Footprint[] = [];
  private readonly clock: ShiftedClock;
  private readonly backups = mkdtempSync(join(tmpdir(), 'backups-'));
  private backupsMade = 0;
  private subscribers: readonly string[] = [];

  private constructor(
    readonly service: Service,
    made: { readonly clock: ShiftedClock; readonly steady: Ledger; readonly strict: Ledger },
    readonly tenant: TestTenant,
  ) {
    this.clock = made.clock;
    this.steady = made.steady;
    this.strict = made.strict;
  }

  /** Upgrades the kept data of a version and adds a tenant with two receivers. */
  static async begin(version: string): Promise<SimulatedDay> {
    const clock = openKeptClock(version);
    const { env, nodeFlags } = clock.options;
    const service = await Service.startOn((dataDir) => restoreVersion(version, dataDir), {
      env: { ...env, TEST_RETRY_SCHEDULE: RETRIES, RATE_LIMIT_METRICS: '100000' },
      nodeFlags: [...nodeFlags, ...COLLECTS_GARBAGE],
    });
    const kept = openKeptTenant(service, version).api;
    await until('the read models', async () => (await kept.get('/v1/events')).status === 200);
    const [steady, strict] = [await Ledger.start(), await Ledger.start(7)];
    const day = new SimulatedDay(service, { clock, steady, strict }, await service.tenant());
    try {
      await day.prepare();
    } catch (error) {
      await day.dispose();
      throw error;
    }
    return day;
  }

  private async prepare(): Promise<void> {
    const path = `/operator/v1/tenants/${this.tenant.id}/destinations`;
    for (const [{ receiver }, ordering] of [
      [this.steady, 'relaxed'],
      [this.strict, 'strict'],
    ] as const) {
      const destination = {
        type: 'https_webhook',
        environment: 'test',
        url: receiver.url,
        ordering,
      };
      (await this.service.operator.post(path, destination)).expect(201);
    }
    const { api } = this.tenant;
    const plan = { name: 'Daily', amount: 100, currency: 'USD', interval: 'day' };
    (await api.put('/v1/plans/daily', plan)).expect(200);
    this.subscribers = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, async (_, i) => {
        const person = { email: `reader${i}@example.com` };
        return (await api.post('/v1/subscribers', person)).created['id'] as string;
      }),
    );
    for (const subscriber_id of this.subscribers.slice(0, DAILY_SUBSCRIPTIONS)) {
      const start = { subscriber_id, plan: 'daily', payment_method: 'pm_test_ok' };
      (await api.post('/v1/subscriptions', start)).expect(201);
    }
  }

  /**
   * One hour: clients submit tickets while `meanwhile` happens. It ends when the steady receiver
   * has all of them; then the clock moves on.
   */
  async runHour(meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = client; i < TICKETS_AN_HOUR; i += CLIENTS) await this.submit(i % SUBSCRIBERS);
    });
    await Promise.all([...clients, meanwhile()]);
    await until(
      'the tickets of the hour at the steady receiver',
      () => this.steady.hasTickets(this.accepted),
      WAIT_LIMIT_MS,
    );
    this.clock.advance(HOUR_MS, this.service);
    this.footprints.push(await this.measure());
  }

  /** Waits until both receivers have everything. */
  async untilAllDelivered(): Promise<void> {
    for (const ledger of [this.steady, this.strict]) {
      const hasAll = (): boolean => ledger.hasTickets(this.accepted);
      await until('all tickets at a receiver', hasAll, WAIT_LIMIT_MS);
    }
  }

  /** Kills the service under load and starts it again. */
  async kill(): Promise<void> {
    await this.service.kill();
    for (const ledger of [this.steady, this.strict]) ledger.recordKill();
    await this.service.run();
  }

  /** Ends the service in order and starts the same code again. */
  async restart(): Promise<void> {
    expect(await this.service.stop()).toBe(0);
    await this.service.run();
  }

  /** Makes a backup of the running service and returns its directory. */
  async backUp(): Promise<string> {
    this.backupsMade += 1;
    const directory = join(this.backups, String(this.backupsMade));
    expect(await runCli(this.service, ['backup', directory])).toMatchObject({ code: 0 });
    return directory;
  }

  /** Deletes the data after everything was delivered, and continues with a backup of that time. */
  async loseAndRestore(): Promise<void> {
    await this.untilAllDelivered();
    const backup = await this.backUp();
    const { service } = this;
    await service.kill();
    for (const ledger of [this.steady, this.strict]) ledger.recordKill();
    rmSync(service.dataDir, { recursive: true });
    const restore = ['restore', backup, '--data-dir', service.dataDir];
    expect(await runCli(service, restore)).toMatchObject({ code: 0 });
    await service.run();
  }

  /** All files of the data directory: paths and sizes in bytes. */
  listFiles(): Map<string, number> {
    const paths = readdirSync(this.service.dataDir, { recursive: true, encoding: 'utf8' });
    const sizes = paths.flatMap((path): [string, number][] => {
      const found = statSync(join(this.service.dataDir, path), { throwIfNoEntry: false });
      return found?.isFile() === true ? [[path, found.size]] : [];
    });
    return new Map(sizes);
  }

  async dispose(): Promise<void> {
    await this.service.dispose();
    await this.steady.close();
    await this.strict.close();
    this.clock.dispose();
    rmSync(this.backups, { recursive: true, force: true });
  }

  /** Waits until the service uses the new time and has run a garbage collection after that. */
  private async measure(): Promise<Footprint> {
    const { service } = this;
    const readValue = (metrics: string, name: string): number =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
    const metrics = await until(
      'the new time',
      async () => {
        const text = await (await fetch(`${service.url}/metrics`)).text();
        const seconds = readValue(text, 'subscription_service_clock_timestamp_seconds');
        return Math.abs(seconds * 1_000 - this.clock.nowMs) < HOUR_MS / 2 ? text : undefined;
      },
      WAIT_LIMIT_MS,
    );
    return {
      heapBytes: readValue(metrics, 'nodejs_heap_size_used_bytes'),
      memoryBytes: service.memory.own,
      openFiles: this.countOpenFiles(),
    };
  }

  private countOpenFiles(): number {
    const { pid, dataDir } = this.service;
    const directory = `/proc/${pid}/fd`;
    const isOfDatabase = (name: string): boolean => {
      try {
        return readlinkSync(join(directory, name)).startsWith(join(dataDir, 'sql'));
      } catch {
        // It was closed in between.
        return true;
      }
    };
    return readdirSync(directory).filter((name) => !isOfDatabase(name)).length;
  }

  /** Submits a ticket and repeats the request with its key until it is accepted. */
  private async submit(subscriber: number): Promise<void> {
    const ticket = { subscriber_id: this.subscribers[subscriber], topic: 'other', subject: 'day' };
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    const id = await until(
      'a ticket to be accepted',
      async () => {
        const answer = await this.tenant.api.post('/v1/tickets', ticket, key);
        return answer.status === 201 ? (answer.body['id'] as string) : undefined;
      },
      WAIT_LIMIT_MS,
    );
    this.accepted.push(id);
  }
}
