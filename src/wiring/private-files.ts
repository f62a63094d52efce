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
/** Takes all rights from group and others, for every file that this process makes from now on. */
const OWNER_ONLY_UMASK = 0o077;

/** The longest path of a socket (`sun_path` has 108 bytes, the last of them zero; macOS has 104). */
const SOCKET_PATH_BYTES_MAX = 103;
const SOCKETS = 'sockets';
/** The longest name in it: PostgreSQL's clients give it. */
export const SQL_SOCKET = '.s.PGSQL.5432';
export const EVENT_STORE_SOCKET = 'eventstore';

/** Only the account that runs the service reads or writes what it keeps, whatever its umask is. */
export const keepFilesPrivate = (dataDir: string): void => {
  process.umask(OWNER_ONLY_UMASK);
  makePrivate(dataDir);
};

/** A directory with everything in it. Symbolic links are left alone, and what somebody else owns. */
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

/** Where the embedded stores listen. */
export interface SocketDirectory {
  readonly path: string;
  remove(): void;
}

/**
 * A directory for the sockets of the embedded stores that no other account can enter: in the data
 * directory, or, where the paths in it would be too long for a socket, a new one in the system's
 * directory for temporary files.
 */
export const makeSocketDirectory = (dataDir: string): SocketDirectory => {
  const usual = join(dataDir, SOCKETS);
  const isShort = Buffer.byteLength(join(usual, SQL_SOCKET)) <= SOCKET_PATH_BYTES_MAX;
  if (isShort && !existsSync(usual)) mkdirSync(usual, OWNER_ONLY_DIRECTORY);
  const path = isShort ? usual : mkdtempSync(join(tmpdir(), 'subscription-stores-'));
  chmodSync(path, OWNER_ONLY_DIRECTORY);
  return {
    path,
    remove: () => {
      if (!isShort) rmSync(path, { recursive: true, force: true });
    },
  };
};
