import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/**
 * A backup and a data directory must not contain each other: whoever loses or deletes one would lose
 * the other. The functions return the reason why a directory is refused; null if it is not. Symbolic
 * links are followed.
 */

/** Tells whether a backup of a data directory may be written into a directory. */
export const describeBackupInData = (dir: string, dataDir: string): string | null =>
  listPlaces(dataDir).some((place) => isWithin(dir, place))
    ? `${dir} is in the data directory of the service (${dataDir}), so the backup would be lost together with the data. Name a directory outside of it, if possible on another disk.`
    : null;

/** Tells whether a backup may be restored into a directory. */
export const describeDataInBackup = (dataDir: string, backupDir: string): string | null =>
  isWithin(dataDir, backupDir)
    ? `${dataDir} is in the backup ${backupDir}, and a restore must leave the backup as it is. Name a data directory outside of it.`
    : null;

/** Returns the data directory and what is in it, which may be links to other disks. */
const listPlaces = (dataDir: string): string[] =>
  existsSync(dataDir)
    ? [dataDir, ...readdirSync(dataDir).map((name) => join(dataDir, name))]
    : [dataDir];

const isWithin = (dir: string, place: string): boolean => {
  const [first = ''] = relative(resolveLinks(place), resolveLinks(dir)).split(sep);
  return first !== '..';
};

/** Resolves the links of a path whose last directories may not exist yet. */
const resolveLinks = (path: string): string =>
  existsSync(path) || dirname(path) === path
    ? realpathSync(path)
    : join(resolveLinks(dirname(path)), basename(path));
