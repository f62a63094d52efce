import { stopSignal } from './ops/signals';
import 'reflect-metadata';
import { existsSync, readdirSync } from 'node:fs';
import type { Application } from './wiring/application';
import { ConfigError, EXIT_BAD_CONFIGURATION, loadConfig } from './config/config';
import { reduceMajorCollections } from './ops/heap';
import { describeError, log } from './ops/log';
import { startApplication } from './wiring/start';

/** Human-readable lines go to standard error; standard output has one JSON object per line. */
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const end = (what: string, error: unknown): never => {
  if (error instanceof ConfigError) {
    say(error.message);
    process.exit(EXIT_BAD_CONFIGURATION);
  }
  log.fatal(describeError(error), what);
  say(`${what[0]?.toUpperCase() ?? ''}${what.slice(1)}: ${reasonOf(error)}`);
  process.exit(1);
};

const main = async (): Promise<void> => {
  reduceMajorCollections();
  const config = loadConfig(process.env);
  log.level = config.logLevel;
  const die = (error: unknown): never => end('stopped', error);
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  const playsDemo = config.demo && isEmpty(config.dataDir);
  const starting = startApplication(config, die);
  void stopOnSignal(starting);
  const application = await starting;
  if (!(await application.waitUntilReady(say))) return;
  for (const line of application.startUpLines(performance.now() / 1000)) say(line);
  if (playsDemo) await demonstrate(application);
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
};

const isEmpty = (dir: string): boolean => !existsSync(dir) || readdirSync(dir).length === 0;

const demonstrate = async (application: Application): Promise<void> => {
  const { playDemo } = await import('./demo/scenario.js');
  const { ok, tenantId, key } = await playDemo(application, say);
  say(ok ? 'Everything was so.' : 'SOMETHING WAS NOT AS IT SHOULD BE: see above.');
  say('');
  say(`The service goes on. Tenant ${tenantId}; its test key, shown this once: ${key}`);
  say(`  curl -H "Authorization: Bearer ${key}" ${application.url}/v1/events`);
};

/** A start that is under way is finished first: what has begun is stopped in order. */
const stopOnSignal = async (starting: Promise<Application>): Promise<void> => {
  const signal = await stopSignal;
  say(`${signal}: finishing what is under way (at most 20 s) …`);
  const application = await starting;
  await application.stop();
  say('Stopped. Everything accepted is stored; start again to go on.');
  process.exit(0);
};

main().catch((error: unknown) => end('could not start', error));
