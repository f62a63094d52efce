import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hasUnfinishedRestore } from '../../config/backup-files';
import { type Config, ConfigError } from '../../config/config';
import { saveMasterKeys, loadMasterKeys } from '../../config/secrets';
import { makeDataDirectoryPrivate } from './private-files';
import type { Stores } from './stores';

/** True if the service runs a store of its own, which listens on a socket. */
export const needsSockets = ({ eventStoreUrl, databaseUrl }: Config): boolean =>
  eventStoreUrl === undefined || databaseUrl === undefined;

/**
 * Creates the data directory and returns its absolute path. It throws if the directory cannot be
 * used.
 */
export const prepareDataDirectory = (config: Config): string => {
  const dataDir = resolve(config.dataDir);
  makeDirectory(dataDir);
  refuseUnfinishedRestore(dataDir);
  // A service with external stores may have its secrets in a read-only directory.
  if (needsSockets(config)) checkWritable(dataDir);
  makeDataDirectoryPrivate(dataDir);
  return dataDir;
};

export const resolveMasterKeys = ({ masterKeys }: Config, dataDir: string): Stores['keys'] =>
  masterKeys === undefined
    ? {
        masterKeys: loadMasterKeys(dataDir),
        saveMasterKeys: (keys) => {
          saveMasterKeys(dataDir, keys);
        },
      }
    : { masterKeys, saveMasterKeys: null };

const refuseUnfinishedRestore = (dataDir: string): void => {
  if (!hasUnfinishedRestore(dataDir)) return;
  throw new ConfigError([
    `DATA_DIR (${dataDir}) holds a restore that was cut off: delete what is in it and restore the backup again`,
  ]);
};

/** Mode of the data directory: no other account may read the log and the read models. */
const OWNER_ONLY = 0o700;

/**
 * Creates the directory level by level, because Node 20 never returns from a recursive call below
 * `/proc`.
 */
const makeDirectory = (dataDir: string): void => {
  if (existsSync(dataDir)) return;
  makeDirectory(dirname(dataDir));
  try {
    mkdirSync(dataDir, OWNER_ONLY);
  } catch (error) {
    // Another process has created it in the meantime.
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
