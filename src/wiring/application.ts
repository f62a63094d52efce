import { capitalise } from '../kernel/text';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppModule } from './app.module';
import { Config } from '../config/config';
import { Mailer } from '../delivery/mail/mailer';
import { Sender } from '../delivery/webhook/sender';
import { describeWait, CategoryLinks } from '../event-store/category-links';
import { EventStoreConnection } from '../event-store/connection';
import { ApiKeyDirectory } from '../directories/api-key.directory';
import { OperatorTokenDirectory } from '../directories/operator-token.directory';
import { CohortDirectory } from '../directories/cohort.directory';
import { ImportDirectory } from '../directories/import.directory';
import { MotionDirectory } from '../directories/motion.directory';
import { DestinationDirectory } from '../directories/destination.directory';
import { MemberDirectory } from '../directories/member.directory';
import { TenantDirectory } from '../directories/tenant.directory';
import { IdempotencyStore } from '../http/pipeline/idempotency';
import { getListeningAddress } from '../http/pipeline/listening-address';
import { createServer } from '../http/server';
import { Loops } from './modules/loops.module';
import { log } from '../ops/log';
import { Metrics } from '../ops/metrics';
import { waitUntilListening } from './listening';
import { serveMetrics } from './metrics-server';
import { observeMetrics } from './observed-metrics';
import { connectSiblings, PROCESSES_CHECK } from './connect-siblings';
import { DISK_CHECK, observeDisk } from './disk-check';
import { needsSockets } from './environment/prepare';
import { Readiness } from './modules/readiness';
import { loadOperatorToken, locateOperatorToken } from '../config/secrets';
import { removeServiceFile, writeServiceFile } from '../config/service-file';
import { createStartUpLines } from './environment/start-up-lines';
import { DRAIN_TIMEOUT_MS, Supervisor } from '../ops/supervisor';
import { Tracing } from '../ops/tracing';
import { TimeLimitPassed, waitWithTimeLimit } from '../ops/within';
import { Database } from '../read-models/database';
import { migrate } from '../read-models/migrate';
import { explainUnusableDatabase } from '../read-models/unusable-database';
import { Runtime } from '../config/runtime';
import type { OpenSqlStore, Stores } from './environment/stores';

/** The readiness checks for which a start does not wait. */
const NOT_AWAITED = [PROCESSES_CHECK, DISK_CHECK];
const READY_POLL_MS = 25;
const READY_MESSAGE_AFTER_MS = 5_000;

/** The whole service in one process: HTTP server and loops over its stores, stopped in order. */
export class Application {
  private constructor(
    private readonly config: Config,
    private readonly http: NestFastifyApplication,
    private readonly supervisor: Supervisor,
    private readonly stores: Stores,
    private readonly sql: OpenSqlStore,
  ) {}

  /**
   * Resolves when the server listens. `onFatal` is called with an error that the process cannot
   * survive.
   */
  static async start(
    config: Config,
    stores: Stores,
    onFatal: (error: unknown) => void,
  ): Promise<Application> {
    const { eventStore, sql, keys, siblings } = stores;
    const dataDir = resolve(config.dataDir);
    const runtime = new Runtime({
      eventStoreUrl: eventStore.url,
      prepareEventStoreClient: eventStore.prepareClient,
      storeMaintenance: eventStore.maintenance,
      ...sql.runtime,
      operatorToken: config.operatorToken ?? loadOperatorToken(dataDir),
      ...keys,
      siblings,
    });
    const [http, openSql] = await Promise.all([createHttp(config, runtime), sql.opened]);
    const sqlDatabase = http.get(Database, { strict: false });
    sqlDatabase.onDamage = openSql.onDamage;
    const applied = await migrate(sqlDatabase).catch(explainUnusableDatabase);
    if (runtime.isAlone) await http.get(IdempotencyStore, { strict: false }).unlockAll();
    if (config.allowInsecureDestinations && hasPublicPort(config, stores)) {
      log.warn(
        'ALLOW_INSECURE_DESTINATIONS is on: destinations may be plain HTTP and in private networks. Do not use it in production.',
      );
    }
    if (applied.length > 0) log.info({ migrations: applied }, 'database schema brought up to date');
    addReadinessChecks(http);
    if (siblings !== null) connectSiblings(http, siblings, getReadiness(http));
    if (hasPublicPort(config, stores)) await listen(http, config);
    const supervisor = new Supervisor(onFatal);
    const loops = http.get(Loops, { strict: false });
    supervisor.start(loops.first, loops.all);
    return new Application(config, http, supervisor, stores, openSql);
  }

  /** The URL on which the service listens, without a trailing slash. */
  get url(): string {
    return getListeningAddress(this.http, this.config);
  }

  get operatorToken(): string {
    return this.http.get(Runtime).operatorToken;
  }

  /**
   * Resolves to true when the service is ready, or to false when it is stopped before. It reports
   * what it waits for.
   */
  async waitUntilReady(say: (line: string) => void): Promise<boolean> {
    const readiness = getReadiness(this.http);
    let waitLimitMs = READY_MESSAGE_AFTER_MS;
    let speakAt = Date.now() + waitLimitMs;
    while (!this.supervisor.signal.aborted) {
      const checks = Object.entries(await readiness.check());
      const waiting = checks
        .filter(([name, state]) => state !== 'ok' && !NOT_AWAITED.includes(name))
        .map(([name]) => name);
      if (waiting.length === 0) {
        readiness.logChanges();
        if (hasPublicPort(this.config, this.stores)) {
          writeServiceFile(resolve(this.config.dataDir), this.url);
        }
        return true;
      }
      if (Date.now() >= speakAt) {
        waitLimitMs *= 2;
        speakAt += waitLimitMs;
        say(this.describeWaiting(waiting));
      }
      await delay(READY_POLL_MS);
    }
    return false;
  }

  /**
   * Describes what the start waits for. Everything else waits for an external event store; the
   * embedded one is always available.
   */
  private describeWaiting(checks: readonly string[]): string {
    if (this.config.eventStoreUrl !== undefined && checks.includes('event_store')) {
      const text = describeWait(this.http.get(EventStoreConnection, { strict: false }));
      return `${capitalise(text)} …`;
    }
    return `Waiting for ${checks.join(', ')} (the log says why, if a store does not answer) …`;
  }

  /** Stops accepting, drains requests and deliveries (at most 20 s), then closes the stores. */
  async stop(): Promise<void> {
    removeServiceFile(resolve(this.config.dataDir));
    const [haveLoopsEnded, areRequestsAnswered] = await Promise.all([
      this.supervisor.stop(),
      finishesInTime(this.http.getHttpAdapter().getInstance().close()),
    ]);
    if (!haveLoopsEnded)
      log.warn('some loops did not finish within 20 s: the process stops without them');
    if (!areRequestsAnswered)
      log.warn('some requests were not answered within 20 s: the process stops without them');
    await this.http.get(Sender, { strict: false }).close();
    this.http.get(Mailer, { strict: false }).close();
    await this.http.get(EventStoreConnection, { strict: false }).close();
    await this.http.get(Database, { strict: false }).close();
    await this.http.get(Tracing).close();
    await this.sql.close();
    await this.stores.eventStore.close();
  }

  /** Returns the lines that are shown after the start: facts and the next commands. */
  startUpLines(seconds: number): string[] {
    const { url, config, stores, sql } = this;
    return createStartUpLines({
      url,
      seconds,
      dataDir: config.dataDir,
      servesApi: config.roles.has('api'),
      hasOwnToken: config.operatorToken !== undefined,
      operatorTokenFile: locateOperatorToken(resolve(config.dataDir)),
      notes: [...stores.eventStore.notes, ...sql.notes],
    });
  }
}

/** Creates the server with all its routes. It uses no store. */
const createHttp = async (config: Config, runtime: Runtime): Promise<NestFastifyApplication> => {
  const { app } = await createServer(AppModule.create({ config, runtime }), config, getReadiness);
  return app.init();
};

/** True if work has ended before the process must stop without it. */
const finishesInTime = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await waitWithTimeLimit(DRAIN_TIMEOUT_MS, work);
    return true;
  } catch (error) {
    if (error instanceof TimeLimitPassed) return false;
    throw error;
  }
};

/**
 * True if this process listens on the port of the service. If a supervisor runs several processes,
 * only the API does, and it also answers for the others.
 */
const hasPublicPort = ({ roles }: Config, { siblings }: Stores): boolean =>
  siblings === null || roles.has('api');

const listen = async (http: NestFastifyApplication, config: Config): Promise<void> => {
  const { host, port, metricsPort } = config;
  if (metricsPort !== undefined) {
    const place = { host, port: metricsPort };
    const server = serveMetrics(http.get(Metrics), { ...place, token: config.metricsToken });
    await waitUntilListening(server, { variable: 'METRICS_PORT', ...place });
  }
  await waitUntilListening(http.listen(port, host), { variable: 'PORT', host, port });
};

const getReadiness = (app: NestFastifyApplication): Readiness =>
  app.get(Readiness, { strict: false });

/**
 * Adds conditions of readiness. The directories must be read before a request can be told that an
 * object does not exist.
 */
const addReadinessChecks = (http: NestFastifyApplication): void => {
  const readiness = getReadiness(http);
  const tenants = http.get(TenantDirectory, { strict: false });
  const keys = http.get(ApiKeyDirectory, { strict: false });
  const operatorTokens = http.get(OperatorTokenDirectory, { strict: false });
  const destinations = http.get(DestinationDirectory, { strict: false });
  const cohorts = http.get(CohortDirectory, { strict: false });
  const motions = http.get(MotionDirectory, { strict: false });
  const imports = http.get(ImportDirectory, { strict: false });
  const links = http.get(CategoryLinks, { strict: false });
  readiness.require('category_links', () => links.isReady());
  readiness.observe('category_links', () => links.state());
  const { subscriptions } = http.get(EventStoreConnection, { strict: false });
  readiness.observe('subscriptions', () =>
    subscriptions.listUnconfirmed().length === 0 ? 'ok' : 'unconfirmed',
  );
  const config = http.get(Config);
  if (needsSockets(config)) observeDisk(readiness, resolve(config.dataDir));
  observeMetrics(http, readiness);
  readiness.require('tenants', () => tenants.isReady());
  const members = http.get(MemberDirectory, { strict: false });
  readiness.require('members', () => members.isReady());
  readiness.require('api_keys', () => keys.isReady());
  readiness.require('operator_tokens', () => operatorTokens.isReady());
  readiness.require('destinations', () => destinations.isReady());
  readiness.require('cohorts', () => cohorts.isReady());
  readiness.require('motions', () => motions.isReady());
  readiness.require('imports', () => imports.isReady());
};
