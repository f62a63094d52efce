import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The directory that Linux keeps in memory. */
const MEMORY = '/dev/shm';
/** The memory that must be free. The data directories of two suites take a tenth of it. */
const FREE_BYTES_MIN = 4 * 2 ** 30;
const NAME = /^ses-tests-(\d+)-/;

/**
 * Creates the directory for the temporary files of all suites and returns a function that deletes
 * it. It is in memory where enough is free: each data directory has 1,200 files, and ext4 creates
 * files slowly after many were deleted. The long suites use the disk.
 */
export const makeTemporaryDirectory = (): (() => void) => {
  const parent = hasEnoughMemory() ? MEMORY : tmpdir();
  deleteLeftOver(parent);
  const directory = mkdtempSync(join(parent, `ses-tests-${process.pid}-`));
  // The account of PostgreSQL must reach its own directory in it.
  chmodSync(directory, 0o711);
  process.env['TMPDIR'] = directory;
  return () => {
    rmSync(directory, { recursive: true, force: true });
  };
};

const hasEnoughMemory = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
};

/** Deletes the directories of runs that were killed. */
const deleteLeftOver = (parent: string): void => {
  for (const name of readdirSync(parent)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && existsSync('/proc') && !existsSync(join('/proc', pid))) {
      rmSync(join(parent, name), { recursive: true, force: true });
    }
  }
};
