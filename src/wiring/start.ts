import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Application } from './application';
import { isHalfRestored } from '../config/backup-files';
import { type Config, ConfigError } from '../config/config';
import { keepMasterKeys, keptMasterKeys } from '../config/secrets';
import { keepFilesPrivate, makeSocketDirectory } from './private-files';
import { startEventStore, startSqlStore, type Stores } from './stores';

/**
 * Starts the service. Resolves when it listens; `onFatal` is told what the process cannot survive.
 * Half of a start is loading the application's modules: the database starts in its own thread
 * meanwhile, but not before the event store has locked the data directory.
 */
export const startApplication = async (
  config: Config,
  onFatal: (error: unknown) => void,
): Promise<Application> => {
  const dataDir = prepareDataDirectory(config);
  const keys = masterKeysOf(config, dataDir);
  const sockets = needsSockets(config) ? makeSocketDirectory(dataDir) : null;
  const place = { dataDir, socketDir: sockets?.path ?? '', onFatal };
  const eventStore = await startEventStore(config, place);
  const [sql, loaded] = await Promise.all([
    startSqlStore(config, place),
    import('./application.js'),
  ]);
  const stores = { eventStore, sql, keys, sockets, siblings: null };
  return loaded.Application.start(config, stores, onFatal);
};

const needsSockets = ({ eventStoreUrl, databaseUrl }: Config): boolean =>
  eventStoreUrl === undefined || databaseUrl === undefined;

/** Makes the data directory, or refuses one that cannot be used; answers its absolute path. */
export const prepareDataDirectory = (config: Config): string => {
  const dataDir = resolve(config.dataDir);
  makeDirectory(dataDir);
  refuseHalfRestored(dataDir);
  // A service that brings its stores may find its secrets in a directory that is only to be read.
  if (needsSockets(config)) checkWritable(dataDir);
  keepFilesPrivate(dataDir);
  return dataDir;
};

export const masterKeysOf = ({ masterKeys }: Config, dataDir: string): Stores['keys'] =>
  masterKeys === undefined
    ? {
        masterKeys: keptMasterKeys(dataDir),
        keepMasterKeys: (keys) => {
          keepMasterKeys(dataDir, keys);
        },
      }
    : { masterKeys, keepMasterKeys: null };

const refuseHalfRestored = (dataDir: string): void => {
  if (!isHalfRestored(dataDir)) return;
  throw new ConfigError([
    `DATA_DIR (${dataDir}) holds a restore that was cut off: delete what is in it and restore the backup again`,
  ]);
};

/** The log and the read models are for nobody else on the machine. */
const OWNER_ONLY = 0o700;

/** One level after the other: Node 20 never returns from a recursive call below `/proc`. */
const makeDirectory = (dataDir: string): void => {
  if (existsSync(dataDir)) return;
  makeDirectory(dirname(dataDir));
  try {
    mkdirSync(dataDir, OWNER_ONLY);
  } catch (error) {
    // Another process made it meanwhile.
    if (existsSync(dataDir)) return;
    throw new ConfigError([`DATA_DIR cannot be made: ${(error as Error).message}`]);
  }
};

const checkWritable = (dataDir: string): void => {
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError([`DATA_DIR cannot be written to: ${(error as Error).message}`]);
  }
};
