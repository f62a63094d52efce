import { endIfStopped, stopSignal } from './ops/signals';
import { capitalise } from './kernel/text';
import 'reflect-metadata';
import { existsSync, readdirSync } from 'node:fs';
import type { Application } from './wiring/application';
import { type Config, ConfigError, EXIT_BAD_CONFIGURATION, loadConfig } from './config/config';
import { describeError, log } from './ops/log';
import { PROCESS_NAME_VARIABLE, runProcess } from './wiring/processes/child';
import { ProcessFailed } from './wiring/processes/process-group';
import { countProcesses, ServiceGroup } from './wiring/processes/start-group';
import { startApplication } from './wiring/start';

/** Human-readable lines go to standard error; standard output has one JSON object per line. */
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const exitWithError = (what: string, error: unknown): never => {
  if (error instanceof ConfigError) {
    say(error.message);
    process.exit(EXIT_BAD_CONFIGURATION);
  }
  if (error instanceof ProcessFailed) {
    say(`${capitalise(what)}: ${error.message}`);
    process.exit(error.exitCode);
  }
  // A terminal shows both outputs, so one line with the reason is enough.
  if (!process.stdout.isTTY || !process.stderr.isTTY) log.fatal(describeError(error), what);
  say(`${capitalise(what)}: ${describeReason(error)}`);
  process.exit(1);
};

const main = async (): Promise<void> => {
  const die = (error: unknown): never => exitWithError('stopped', error);
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  if (process.env[PROCESS_NAME_VARIABLE] !== undefined) {
    await runProcess(die);
    return;
  }
  const config = loadConfig(process.env);
  log.level = config.logLevel;
  const playsDemo = config.demo && isEmpty(config.dataDir);
  const service = await startService(config, die);
  if (service === null) return;
  for (const line of service.startUpLines(performance.now() / 1000)) say(line);
  if (playsDemo) await demonstrate(service);
};

type RunningService = Pick<Application, 'url' | 'operatorToken' | 'startUpLines'>;

/** Resolves when the service is ready; with null if it is told to stop before. */
const startService = async (
  config: Config,
  die: (error: unknown) => never,
): Promise<RunningService | null> => {
  const count = countProcesses(config);
  if (count > 1) return startGroup(new ServiceGroup(config, count, die));
  const start = startApplication(config, die);
  const application = await endIfStopped(stopSignal, start.application, () => {
    void start.abandon().then(endStopped);
  });
  void stopOnSignal(application);
  return (await application.waitUntilReady(say)) ? application : null;
};

const startGroup = async (group: ServiceGroup): Promise<RunningService | null> => {
  let isStopping = false;
  void stopSignal.then(() => (isStopping = true));
  void stopOnSignal(group);
  try {
    return await group.start();
  } catch (error) {
    // During a stop, processes end before they are ready. That is no error.
    if (isStopping) return null;
    await group.stop();
    throw error;
  }
};

const describeReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined
    ? error.message
    : `${error.message}: ${describeReason(error.cause)}`;
};

const isEmpty = (dir: string): boolean => !existsSync(dir) || readdirSync(dir).length === 0;

const demonstrate = async (service: RunningService): Promise<void> => {
  const { playDemo } = await import('./demo/scenario.js');
  const { ok, tenantId, key } = await playDemo(service, say);
  say(ok ? 'Everything arrived as expected.' : 'SOMETHING DID NOT ARRIVE AS EXPECTED: see above.');
  say('');
  say(`The service goes on. Tenant ${tenantId}; its test key, shown this once: ${key}`);
  say(`  curl -H "Authorization: Bearer ${key}" ${service.url}/v1/events`);
};

const stopOnSignal = async (service: Pick<Application, 'stop'>): Promise<void> => {
  const signal = await stopSignal;
  say(`${signal}: finishing what is under way (at most 20 s) …`);
  await service.stop();
  endStopped();
};

const endStopped = (): never => {
  say('Stopped. Everything accepted is stored; start again to go on.');
  process.exit(0);
};

main().catch((error: unknown) => exitWithError('could not start', error));
