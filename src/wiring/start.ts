import type { Application } from './application';
import type { Config } from '../config/config';
import { needsSockets, prepareDataDirectory, resolveMasterKeys } from './environment/prepare';
import { makeSocketDirectory } from './environment/private-files';
import {
  type EventStore,
  type StorePlace,
  type Stores,
  startEventStore,
  startSqlStore,
} from './environment/stores';

/** A start of the application that has not finished. */
export interface ApplicationStart {
  readonly application: Promise<Application>;
  /**
   * Closes the event store, whose native code must not be interrupted. Everything else may end with
   * the process.
   */
  abandon(): Promise<void>;
}

/**
 * Starts the service. Resolves when it listens. `onFatal` is called with an error that the process
 * cannot survive. Half of the time of a start is loading the application's modules and creating its
 * routes, so the SQL database opens in its own thread at the same time, but only after the event
 * store has locked the data directory.
 */
export const startApplication = (
  config: Config,
  onFatal: (error: unknown) => void,
): ApplicationStart => {
  const dataDir = prepareDataDirectory(config);
  const keys = resolveMasterKeys(config, dataDir);
  const socketDir = needsSockets(config) ? makeSocketDirectory(dataDir) : null;
  const place = { dataDir, socketDir, onFatal };
  const opening = startEventStore(config, place);
  return {
    application: finishStart({ config, keys, place, opening }),
    abandon: async () => (await opening).close(),
  };
};

interface BegunStart {
  readonly config: Config;
  readonly keys: Stores['keys'];
  readonly place: StorePlace;
  readonly opening: Promise<EventStore>;
}

const finishStart = async (begun: BegunStart): Promise<Application> => {
  const { config, keys, place } = begun;
  const eventStore = await begun.opening;
  const stores = { eventStore, sql: startSqlStore(config, place), keys, siblings: null };
  const { Application } = await import('./application.js');
  return Application.start(config, stores, place.onFatal);
};
