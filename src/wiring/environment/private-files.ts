import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** Removes all rights of group and others from every file that this process creates. */
const OWNER_ONLY_UMASK = 0o077;

/**
 * Maximum length of a socket's path (`sun_path` has 108 bytes, the last of them zero; macOS has
 * 104).
 */
const SOCKET_PATH_BYTES_MAX = 103;
const SOCKET_DIRECTORY_NAME = 'sockets';
/**
 * Name of the SQL socket, as PostgreSQL's clients expect it. It is the longest name in the
 * directory.
 */
export const SQL_SOCKET = '.s.PGSQL.5432';
export const EVENT_STORE_SOCKET = 'eventstore';

/** Ensures that only the account of the service can access its files, whatever its umask was. */
export const makeDataDirectoryPrivate = (dataDir: string): void => {
  process.umask(OWNER_ONLY_UMASK);
  makePrivate(dataDir);
};

/**
 * Makes a file or a directory with its contents private. Symbolic links, and files of other owners,
 * are not changed.
 */
export const makePrivate = (path: string): void => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) {
    setMode(path, stats, OWNER_ONLY_DIRECTORY);
    for (const name of readdirSync(path)) makePrivate(join(path, name));
  } else if (stats?.isFile() === true) {
    setMode(path, stats, OWNER_ONLY_FILE);
  }
};

const setMode = (path: string, { mode, uid }: { mode: number; uid: number }, to: number): void => {
  const isOwner = process.geteuid?.() === uid || process.geteuid?.() === 0;
  if (isOwner && (mode & 0o777) !== to) chmodSync(path, to);
};

/**
 * Creates the directory of the sockets, which no other account can enter, and returns its path. It is
 * in the data directory, or in the system's temporary directory if the paths would be too long for a
 * socket. A temporary one is removed at the end of the process.
 */
export const makeSocketDirectory = (dataDir: string): string => {
  const usual = join(dataDir, SOCKET_DIRECTORY_NAME);
  const isShort = Buffer.byteLength(join(usual, SQL_SOCKET)) <= SOCKET_PATH_BYTES_MAX;
  if (isShort && !existsSync(usual)) mkdirSync(usual, OWNER_ONLY_DIRECTORY);
  const path = isShort ? usual : mkdtempSync(join(tmpdir(), 'subscription-stores-'));
  chmodSync(path, OWNER_ONLY_DIRECTORY);
  if (!isShort) {
    process.once('exit', () => {
      rmSync(path, { recursive: true, force: true });
    });
  }
  return path;
};
