import { requirePresent } from '../../kernel/present';
import { resolve } from 'node:path';
import { type Config, loadConfig } from '../../config/config';
import type { StoreMaintenance, StoreMaintenanceStatus } from '../../config/store-maintenance';
import { log } from '../../ops/log';
import { endIfStopped } from '../../ops/signals';
import { makeDataDirectoryPrivate } from '../environment/private-files';
import { resolveMasterKeys } from '../environment/prepare';
import {
  type EventStore,
  connectToEventStore,
  createExternalEventStore,
  createExternalSqlStore,
  type SqlStore,
  connectToSqlStore,
  startEventStore,
  startSqlStore,
} from '../environment/stores';
import type { ReadyFacts } from './messages';
import { type ProcessPlan, planProcesses } from './plan';
import { Supervised } from './supervised';

/** Environment variables by which the supervisor tells a process its role. */
export const PROCESS_NAME_VARIABLE = 'SERVICE_PROCESS';
export const PROCESS_COUNT_VARIABLE = 'SERVICE_PROCESS_COUNT';
export const SOCKET_DIRECTORY = 'SERVICE_SOCKETS';

const MAINTAIN = 'maintain';
const MAINTENANCE_STATUS = 'maintenance-status';
const DATABASE_DAMAGED = 'database-damaged';

/**
 * The program of one process of a group: it starts, reports that it is ready, and ends when it is
 * told to.
 */
interface ProcessWork {
  /** The facts that it reports when it is ready. Null if it was told to stop before that. */
  readonly facts: ReadyFacts | null;
  stop(): Promise<void>;
}

interface ProcessSettings {
  readonly config: Config;
  readonly plans: readonly ProcessPlan[];
  readonly supervised: Supervised;
  /** The directory of the sockets of the embedded stores. */
  readonly socketDir: string;
  readonly onFatal: (error: unknown) => void;
}

/** Returns a variable that the supervisor sets for each of its processes. */
const requireVariable = (env: NodeJS.ProcessEnv, name: string): string =>
  requirePresent(env[name], `the variable ${name}`);

/** Runs one process of a group until the supervisor stops it. */
export const runProcess = async (onFatal: (error: unknown) => void): Promise<void> => {
  const { env } = process;
  const config = loadConfig(env);
  log.level = config.logLevel;
  const supervised = new Supervised(requireVariable(env, PROCESS_NAME_VARIABLE));
  const plans = planProcesses(config, Number(env[PROCESS_COUNT_VARIABLE]));
  const plan = plans.find(({ name }) => name === supervised.name);
  if (plan === undefined) throw new Error(`there is no process "${supervised.name}"`);
  makeDataDirectoryPrivate(resolve(config.dataDir));
  const socketDir = requireVariable(env, SOCKET_DIRECTORY);
  const work = await startWork(plan, { config, plans, supervised, socketDir, onFatal });
  if (work.facts !== null) supervised.reportReady(work.facts);
  await supervised.stopped;
  await work.stop();
  exitAfterStop();
};

const exitAfterStop = (): never => process.exit(0);

const startWork = (plan: ProcessPlan, setting: ProcessSettings): Promise<ProcessWork> => {
  switch (plan.kind) {
    case 'event-store':
      return startEventStoreProcess(setting);
    case 'sql':
      return startSqlProcess(setting);
    case 'application':
      return startApplicationProcess(setting);
  }
};

const startEventStoreProcess = async (setting: ProcessSettings): Promise<ProcessWork> => {
  const { supervised } = setting;
  // A stop does not interrupt this start, because the store's native code must not be interrupted.
  const store = await startEventStore(setting.config, createPlace(setting));
  const { maintenance, notes } = store;
  supervised.answer(MAINTAIN, (order) =>
    maintenance?.start(order as Parameters<StoreMaintenance['start']>[0]),
  );
  supervised.answer(MAINTENANCE_STATUS, () => maintenance?.readStatus());
  return { facts: { url: null, notes, isNewDatabase: false }, stop: () => store.close() };
};

const startSqlProcess = async (setting: ProcessSettings): Promise<ProcessWork> => {
  const { config, plans, supervised } = setting;
  const clients = plans.filter(({ kind }) => kind === 'application').length;
  const { opened } = startSqlStore(config, createPlace(setting), clients);
  const store = await endIfStopped(supervised.stopped, opened, exitAfterStop);
  supervised.answer(DATABASE_DAMAGED, (message) => {
    store.onDamage(new Error(message as string));
  });
  const facts = { url: null, notes: store.notes, isNewDatabase: store.isNew };
  return { facts, stop: () => store.close() };
};

const createPlace = ({ config, socketDir, onFatal }: ProcessSettings) => ({
  dataDir: resolve(config.dataDir),
  socketDir,
  onFatal,
});

const startApplicationProcess = async (setting: ProcessSettings): Promise<ProcessWork> => {
  const { config, supervised, onFatal } = setting;
  const { Application } = await import('../application.js');
  const stores = {
    eventStore: connectEventStore(setting),
    sql: connectSql(setting),
    keys: resolveMasterKeys(config, resolve(config.dataDir)),
    siblings: supervised,
  };
  const starting = Application.start(config, stores, onFatal);
  const application = await endIfStopped(supervised.stopped, starting, exitAfterStop);
  let stopping: Promise<void> | null = null;
  // The stop begins as soon as the supervisor requests it. `runProcess` calls `stop` too, to wait
  // for its end.
  const stop = (): Promise<void> => (stopping ??= application.stop());
  void supervised.stopped.then(stop);
  const printLine = (line: string): void => {
    if (config.roles.has('api')) process.stderr.write(`${line}\n`);
  };
  // A process that is stopped before it is ready reports nothing, but its stop must be awaited.
  if (!(await application.waitUntilReady(printLine))) return { facts: null, stop };
  const url = config.roles.has('api') ? application.url : null;
  return { facts: { url, notes: [], isNewDatabase: false }, stop };
};

const connectEventStore = ({ config, supervised, socketDir }: ProcessSettings): EventStore => {
  if (config.eventStoreUrl !== undefined) return createExternalEventStore(config.eventStoreUrl);
  const ask = async (what: string, order?: unknown): Promise<StoreMaintenanceStatus> =>
    (await supervised.call('event-store', what, order)) as StoreMaintenanceStatus;
  return connectToEventStore(socketDir, {
    scavengesByItself: true,
    start: (order) => ask(MAINTAIN, order),
    readStatus: () => ask(MAINTENANCE_STATUS),
  });
};

const connectSql = ({ config, supervised, socketDir }: ProcessSettings): SqlStore => {
  if (config.databaseUrl !== undefined) return createExternalSqlStore(config.databaseUrl);
  // The supervisor starts a process of this name only when the one before it has ended.
  const instanceId = `embedded-${supervised.name}`;
  return connectToSqlStore(socketDir, instanceId, ({ message }) => {
    void supervised.call('sql', DATABASE_DAMAGED, message).catch(() => undefined);
  });
};
