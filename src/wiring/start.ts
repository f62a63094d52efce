import type { Application } from './application';
import type { Config } from '../config/config';
import { needsSockets, prepareDataDirectory, resolveMasterKeys } from './environment/prepare';
import { makeSocketDirectory } from './environment/private-files';
import { startEventStore, startSqlStore } from './environment/stores';

/**
 * Starts the service. Resolves when it listens. `onFatal` is called with an error that the process
 * cannot survive. Half of the time of a start is loading the application's modules, so the SQL
 * database starts in its own thread at the same time, but only after the event store has locked the
 * data directory.
 */
export const startApplication = async (
  config: Config,
  onFatal: (error: unknown) => void,
): Promise<Application> => {
  const dataDir = prepareDataDirectory(config);
  const keys = resolveMasterKeys(config, dataDir);
  const sockets = needsSockets(config) ? makeSocketDirectory(dataDir) : null;
  const place = { dataDir, socketDir: sockets?.path ?? null, onFatal };
  const eventStore = await startEventStore(config, place);
  const [sql, loaded] = await Promise.all([
    startSqlStore(config, place),
    import('./application.js'),
  ]);
  const stores = { eventStore, sql, keys, sockets, siblings: null };
  return loaded.Application.start(config, stores, onFatal);
};
