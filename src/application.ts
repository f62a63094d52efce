import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppModule } from './app.module';
import type { Config } from './config';
import { Mailer } from './delivery/mail/mailer';
import { Sender } from './delivery/sender';
import { awaited, CategoryLinks } from './event-store/category-links';
import { EventStoreConnection } from './event-store/connection';
import { ApiKeyDirectory } from './features/api-keys/api-key.directory';
import { CohortDirectory } from './features/cohorts/cohort.directory';
import { ImportDirectory } from './features/imports/import.directory';
import { MotionDirectory } from './features/motions/motion.directory';
import { DestinationDirectory } from './features/destinations/destination.directory';
import { TenantDirectory } from './features/tenants/tenant.directory';
import { createServer } from './http/server';
import { Loops } from './loops.module';
import { log } from './ops/log';
import { Readiness } from './ops/readiness';
import { keptOperatorToken, operatorTokenFile } from './ops/secrets';
import { Supervisor } from './ops/supervisor';
import { Database } from './read-models/database';
import { migrate } from './read-models/migrate';
import { Runtime } from './runtime';
import type { Stores } from './stores';

const READY_POLL_MS = 25;
const READY_PATIENCE_MS = 5_000;
/** A shorter operator token is taken, with a warning: it may be a trial on a laptop. */
const SAFE_TOKEN_LENGTH = 16;

/** The whole service in one process: HTTP server and loops over its stores, stopped in order. */
export class Application {
  private constructor(
    private readonly config: Config,
    private readonly http: NestFastifyApplication,
    private readonly supervisor: Supervisor,
    private readonly stores: Stores,
  ) {}

  /** Resolves when the server listens; `onFatal` is told what the process cannot survive. */
  static async start(
    config: Config,
    stores: Stores,
    onFatal: (error: unknown) => void,
  ): Promise<Application> {
    const { eventStore, sql, masterKey } = stores;
    const dataDir = resolve(config.dataDir);
    const runtime = new Runtime({
      eventStoreUrl: eventStore.url,
      ...sql.runtime,
      operatorToken: config.operatorToken ?? keptOperatorToken(dataDir),
      masterKey,
    });
    const http = await createServer(AppModule.of({ config, runtime }));
    const sqlDatabase = http.get(Database, { strict: false });
    sqlDatabase.onDamage = sql.onDamage;
    const applied = await migrate(sqlDatabase).catch((error: unknown) => {
      throw new Error('the SQL database cannot be used', { cause: error });
    });
    if ((config.operatorToken?.length ?? Infinity) < SAFE_TOKEN_LENGTH) {
      log.warn('OPERATOR_TOKEN can be guessed: take at least 16 random characters');
    }
    if (applied.length > 0) log.info({ migrations: applied }, 'database schema brought up to date');
    requireDirectories(http);
    await http.listen(config.port, config.host);
    const supervisor = new Supervisor(onFatal);
    const loops = http.get(Loops, { strict: false });
    supervisor.start(loops.first, loops.all);
    return new Application(config, http, supervisor, stores);
  }

  /** The address it listens on, without a trailing slash. */
  get url(): string {
    const { port } = this.http.getHttpServer().address() as { port: number };
    const host = this.config.host === '0.0.0.0' ? '127.0.0.1' : this.config.host;
    return `http://${host}:${port}`;
  }

  get operatorToken(): string {
    return this.http.get(Runtime).operatorToken;
  }

  /** Resolves true when it is ready, false when it is stopped before; says what it waits for. */
  async whenReady(say: (line: string) => void): Promise<boolean> {
    const readiness = this.http.get(Readiness, { strict: false });
    let patienceMs = READY_PATIENCE_MS;
    let speakAt = Date.now() + patienceMs;
    while (!this.supervisor.signal.aborted) {
      const checks = Object.entries(await readiness.check());
      const waiting = checks.filter(([, state]) => state !== 'ok').map(([name]) => name);
      if (waiting.length === 0) return true;
      if (Date.now() >= speakAt) {
        patienceMs *= 2;
        speakAt += patienceMs;
        say(this.waitingFor(waiting));
      }
      await delay(READY_POLL_MS);
    }
    return false;
  }

  /** Everything else waits for the event store; the embedded one is never away. */
  private waitingFor(checks: readonly string[]): string {
    if (this.config.eventStoreUrl !== undefined && checks.includes('event_store')) {
      const text = awaited(this.http.get(EventStoreConnection, { strict: false }));
      return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)} …`;
    }
    return `Waiting for ${checks.join(', ')} (the log says why, if a store does not answer) …`;
  }

  /** Stops accepting, drains deliveries (at most 20 s), then closes the stores. */
  async stop(): Promise<void> {
    const closed = this.http.getHttpAdapter().getInstance().close();
    if (!(await this.supervisor.stop())) log.warn('some work did not finish in time');
    await closed;
    await this.http.get(Sender, { strict: false }).close();
    this.http.get(Mailer, { strict: false }).close();
    await this.http.get(EventStoreConnection, { strict: false }).close();
    await this.http.get(Database, { strict: false }).close();
    await this.stores.sql.close();
    await this.stores.eventStore.close();
  }

  /** What a person wants to know after the start, and what to type next. */
  startUpLines(seconds: number): string[] {
    const { url, config, stores } = this;
    const notes = [...stores.eventStore.notes, ...stores.sql.notes];
    const token =
      config.operatorToken === undefined
        ? `in ${operatorTokenFile(resolve(config.dataDir))}`
        : 'from OPERATOR_TOKEN';
    return [
      '',
      `Subscription Event and Management Service, ready in ${seconds.toFixed(1)} s at ${url}`,
      ...notes.map((note) => `  ${note}`),
      `  operator token  ${token}`,
      `  API reference   ${url}/docs`,
      '',
      'Next, in another terminal:',
      '  npm run cli -- tenant create "Acme Magazine"',
      '  npm run demo            (a whole scenario, with a receiver)',
      '',
    ];
  }
}

/** What is looked up in memory must have been read before a request can be told that it does not exist. */
const requireDirectories = (http: NestFastifyApplication): void => {
  const readiness = http.get(Readiness, { strict: false });
  const tenants = http.get(TenantDirectory, { strict: false });
  const keys = http.get(ApiKeyDirectory, { strict: false });
  const destinations = http.get(DestinationDirectory, { strict: false });
  const cohorts = http.get(CohortDirectory, { strict: false });
  const motions = http.get(MotionDirectory, { strict: false });
  const imports = http.get(ImportDirectory, { strict: false });
  const links = http.get(CategoryLinks, { strict: false });
  readiness.require('category_links', () => links.isReady());
  readiness.require('tenants', () => tenants.isReady());
  readiness.require('api_keys', () => keys.isReady());
  readiness.require('destinations', () => destinations.isReady());
  readiness.require('cohorts', () => cohorts.isReady());
  readiness.require('motions', () => motions.isReady());
  readiness.require('imports', () => imports.isReady());
};
