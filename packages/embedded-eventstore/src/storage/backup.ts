import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Committer } from './committer';
import { assertRoomForCopy, copySnapshot, flushDirectory, openSnapshot } from './snapshot-copy';
import { openTables, type Tables } from './tables';
import { WriteReserve } from './write-reserve';

interface Backup {
  readonly dir: string;
  /** The directory for the copy: a new or an empty one. */
  readonly toDir: string;
  readonly tables: Tables;
  readonly committer: Committer;
  readonly onProgress: (copied: number, total: number) => void;
}

/**
 * Writes a copy of the store, as it was when the backup began, into another directory. Appends
 * continue meanwhile. A failed backup leaves no files behind.
 */
export const backUp = async (backup: Backup): Promise<void> => {
  const { dir, toDir } = backup;
  if (isWithin(toDir, dir)) {
    throw new Error(`${toDir} is in the store's own directory. Name a directory outside of it.`);
  }
  if (!existsSync(toDir)) mkdirSync(toDir, 0o700);
  if (readdirSync(toDir).length > 0) throw new Error(`${toDir} is not empty.`);
  try {
    assertRoomForCopy({ sourceDir: dir, targetDir: toDir });
    await copyInto(backup);
    // The lock file says which process has the store open, so it is not a part of a backup.
    rmSync(join(toDir, 'lock.mdb'), { force: true });
    flushDirectory(toDir);
  } catch (error) {
    rmSync(toDir, { recursive: true, force: true });
    throw error;
  }
};

const isWithin = (inner: string, outer: string): boolean =>
  relative(outer, inner).split(sep)[0] !== '..';

const copyInto = async ({ toDir, tables, committer, onProgress }: Backup): Promise<void> => {
  const copy = openTables(toDir);
  const reserve = new WriteReserve(toDir, copy);
  try {
    const snapshot = await committer.runExclusively(() => openSnapshot(tables));
    await copySnapshot({ tables, copy, reserve, snapshot, onProgress });
    reserve.release();
  } finally {
    await copy.root.close();
  }
};
