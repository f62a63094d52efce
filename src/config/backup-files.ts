import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describeDataInBackup } from './backup-place';
import { DATA_FORMAT } from './data-format';

/**
 * The description of a backup. It is written last, so a directory without it contains no complete
 * backup.
 */
const MANIFEST = 'backup.json';
/** Marks a backup that is not complete. It is renamed to the manifest at the end. */
const UNFINISHED_BACKUP = 'backup-unfinished';
/** Marks a data directory whose restore is not complete. */
const UNFINISHED_RESTORE = 'restore-unfinished';
const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;

interface BackedUpFile {
  /** The path, relative both to the backup and to the data directory. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackupManifest {
  /** Version of the service that made the backup. */
  readonly version: string;
  readonly data_format: number;
  readonly created_at: string;
  readonly files: readonly BackedUpFile[];
}

/** Thrown if a backup cannot be restored, or not to the given directory. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

/**
 * Creates a directory and its missing parents. Node's option `recursive` never returns where the
 * system allows no directories, such as in /proc.
 */
export const makeDirectories = (dir: string): void => {
  if (existsSync(dir)) return;
  if (dirname(dir) !== dir) makeDirectories(dirname(dir));
  mkdirSync(dir, OWNER_ONLY_DIRECTORY);
};

/** Marks an empty directory as an incomplete backup. */
export const beginBackup = (dir: string): void => {
  writeFlushed(join(dir, UNFINISHED_BACKUP), 'A backup began here and has not ended.\n');
  flush(dir);
};

/** Removes the mark after the files of a failed backup were removed. */
export const forgetBackup = (dir: string): void => {
  rmSync(join(dir, UNFINISHED_BACKUP), { force: true });
};

/**
 * Returns the reason why a backup cannot be made in a directory; null if the directory is empty.
 */
export const describeOccupied = (dir: string): string | null => {
  const found = readdirSync(dir);
  if (found.length === 0) return null;
  if (found.includes(UNFINISHED_BACKUP)) {
    return 'The directory holds a backup that was cut off. Delete what is in it, or name a new directory.';
  }
  return found.includes(MANIFEST)
    ? 'The directory already contains a complete backup. Name a new directory for each backup.'
    : 'The directory is not empty. Name a new or empty directory for each backup.';
};

/** Completes a backup: measures the files and writes the manifest, all flushed to disk. */
export const finishBackup = async (
  dir: string,
  names: readonly string[],
  made: Pick<BackupManifest, 'version' | 'created_at'>,
): Promise<BackupManifest> => {
  const files: BackedUpFile[] = [];
  for (const name of names) files.push(await describeFile(dir, name));
  const manifest = { ...made, data_format: DATA_FORMAT, files };
  const unfinished = join(dir, UNFINISHED_BACKUP);
  writeFlushed(unfinished, `${JSON.stringify(manifest, null, 2)}\n`);
  // After a crash the directory has either the mark or the complete manifest.
  renameSync(unfinished, join(dir, MANIFEST));
  flush(dir);
  return manifest;
};

/** Writes a small file that only its owner may read, flushed to disk. */
export const writeFlushed = (file: string, text: string): void => {
  const handle = openSync(file, 'w', OWNER_ONLY_FILE);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
};

/**
 * Copies a backup into a data directory that does not exist or is empty. Every file is compared
 * with the manifest first.
 */
export const restoreBackup = async (dir: string, dataDir: string): Promise<BackupManifest> => {
  const manifest = readManifest(dir);
  const misplaced = describeDataInBackup(dataDir, dir);
  if (misplaced !== null) throw new RestoreError(misplaced);
  assertEmpty(dataDir);
  for (const file of manifest.files) await assertUnchanged(dir, file);
  makeDataDirectory(dataDir);
  const mark = join(dataDir, UNFINISHED_RESTORE);
  writeFlushed(mark, 'A restore began here and has not ended.\n');
  flush(dataDir);
  copyAll(dir, dataDir, manifest);
  for (const file of manifest.files) await assertUnchanged(dataDir, file);
  rmSync(mark);
  flush(dataDir);
  return manifest;
};

/**
 * True if a restore into the directory was interrupted, so it may contain only a part of the data.
 */
export const hasUnfinishedRestore = (dataDir: string): boolean =>
  existsSync(join(dataDir, UNFINISHED_RESTORE));

const readManifest = (dir: string): BackupManifest => {
  const file = join(dir, MANIFEST);
  if (!existsSync(file)) {
    throw new RestoreError(
      existsSync(join(dir, UNFINISHED_BACKUP))
        ? `${dir} is not a complete backup: it was cut off. Restore another one.`
        : `${dir} is not a complete backup: it has no ${MANIFEST}, which is written last.`,
    );
  }
  const manifest = parseManifest(file);
  if (manifest.data_format > DATA_FORMAT) {
    throw new RestoreError(
      `The backup was made by version ${manifest.version} and has data format ${manifest.data_format}; this version knows formats up to ${DATA_FORMAT}. Restore it with version ${manifest.version} or a newer one.`,
    );
  }
  return manifest;
};

const parseManifest = (file: string): BackupManifest => {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as BackupManifest;
    if (manifest.files.every(({ name }) => isInside(name))) return manifest;
  } catch {
    // A file that cannot be read causes the same error as wrong content.
  }
  throw new RestoreError(`${file} cannot be read as the description of a backup.`);
};

/**
 * True if the name stays inside the data directory. A manipulated manifest must not write
 * elsewhere.
 */
const isInside = (name: string): boolean =>
  /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(name) && !name.includes('..');

const makeDataDirectory = (dataDir: string): void => {
  try {
    makeDirectories(dataDir);
  } catch (error) {
    throw new RestoreError(`${dataDir} cannot be made (${String(readCode(error))}).`);
  }
};

const readCode = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

const assertEmpty = (dataDir: string): void => {
  if (!existsSync(dataDir)) return;
  const [first] = readdirSync(dataDir);
  if (first === undefined) return;
  if (hasUnfinishedRestore(dataDir)) {
    throw new RestoreError(
      `${dataDir} holds a restore that was cut off. Delete what is in it and restore the backup again.`,
    );
  }
  throw new RestoreError(
    `${dataDir} is not empty (it has ${first}). A restore never replaces data: name another directory, or move this one away while no service uses it.`,
  );
};

const assertUnchanged = async (
  dir: string,
  { name, bytes, sha256 }: BackedUpFile,
): Promise<void> => {
  if (!existsSync(join(dir, name)))
    throw new RestoreError(`${name} is missing in ${dir}. Restore another backup.`);
  const found = await describeFile(dir, name);
  if (found.bytes !== bytes || found.sha256 !== sha256) {
    throw new RestoreError(
      `${name} in ${dir} is damaged: its content differs from the manifest. Restore another backup.`,
    );
  }
};

const describeFile = async (dir: string, name: string): Promise<BackedUpFile> => {
  const file = join(dir, name);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { name, bytes: statSync(file).size, sha256: hash.digest('hex') };
};

const copyAll = (dir: string, dataDir: string, { files }: BackupManifest): void => {
  try {
    for (const { name } of files) copyFlushed(join(dir, name), join(dataDir, name));
  } catch (error) {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    throw new RestoreError(
      `The backup, ${bytes} bytes, could not be copied into ${dataDir} (${String(readCode(error))}). Delete what is in it, and restore again where there is room.`,
    );
  }
};

const copyFlushed = (from: string, to: string): void => {
  makeDirectories(dirname(to));
  copyFileSync(from, to);
  flush(to);
  flush(dirname(to));
};

const flush = (path: string): void => {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
};
