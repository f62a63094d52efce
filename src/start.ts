import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Application } from './application';
import type { Config } from './config';
import { startEventStore, startSqlStore } from './stores';

/**
 * Starts the service. Resolves when it listens; `onFatal` is told what the process cannot survive.
 * Half of a start is loading the application's modules: the database starts in its own thread
 * meanwhile, but not before the event store has locked the data directory.
 */
export const startApplication = async (
  config: Config,
  onFatal: (error: unknown) => void,
): Promise<Application> => {
  const dataDir = resolve(config.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const eventStore = await startEventStore(config, dataDir, onFatal);
  const [sql, loaded] = await Promise.all([
    startSqlStore(config, dataDir, onFatal),
    import('./application.js'),
  ]);
  return loaded.Application.start(config, { eventStore, sql }, onFatal);
};
