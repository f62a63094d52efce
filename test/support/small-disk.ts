import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const MOUNT = 'mount -t tmpfs -o size=300m tmpfs "$DATA_DIR" && exec "$0" "$@"';
const BLOCK = Buffer.alloc(2 ** 20);

/**
 * A program that executes another one with a disk of 300 MB for its DATA_DIR. The disk is seen by
 * that process only and ends with it. Null where the system does not allow it.
 */
export const smallDisk: readonly string[] | null = (() => {
  const wrappers = [['--mount'], ['--mount', '--user', '--map-root-user']].map((flags) => [
    'unshare',
    ...flags,
    'sh',
    '-c',
  ]);
  const canRun = ([program = '', ...args]: readonly string[]): boolean => {
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: '/mnt' };
    return spawnSync(program, [...args, MOUNT, 'true'], { env }).status === 0;
  };
  const found = wrappers.find(canRun);
  return found === undefined ? null : [...found, MOUNT];
})();

/** Returns the path by which other processes reach a directory that only this process sees. */
export const locateDirectory = (pid: number, dir: string): string => join(`/proc/${pid}/root`, dir);

/**
 * Fills the disk of a directory to its last byte. Returns a function that makes room again.
 */
export const fillDisk = (dir: string): (() => void) => {
  const file = join(dir, 'filler');
  const handle = openSync(file, 'w');
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  };
  try {
    while (freeBytes() > 0) writeSync(handle, BLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(handle);
  }
  return () => {
    rmSync(file);
  };
};
