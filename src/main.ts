import 'reflect-metadata';
import { existsSync, readdirSync } from 'node:fs';
import type { Application } from './application';
import { type Config, ConfigError, EXIT_BAD_CONFIGURATION, loadConfig } from './config';
import { describeError, log } from './ops/log';
import { startApplication } from './start';

/** Human-readable lines go to standard error; standard output has one JSON object per line. */
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const configure = (): Config => {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.message);
    process.exit(EXIT_BAD_CONFIGURATION);
  }
};

const main = async (): Promise<void> => {
  const config = configure();
  log.level = config.logLevel;
  const die = (error: unknown): never => {
    log.fatal(describeError(error), 'stopped');
    say(`Stopped: ${reasonOf(error)}`);
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  const playsDemo = config.demo && isEmpty(config.dataDir);
  const application = await startApplication(config, die);
  stopOnSignal(application);
  if (!(await application.whenReady(say))) return;
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

const stopOnSignal = (application: Application): void => {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    say(`${signal}: finishing what is under way (at most 20 s) …`);
    void application.stop().then(() => {
      say('Stopped. Everything accepted is stored; start again to go on.');
      process.exit(0);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
};

main().catch((error: unknown) => {
  log.fatal(describeError(error), 'could not start');
  say(`Could not start: ${reasonOf(error)}`);
  process.exit(1);
});
