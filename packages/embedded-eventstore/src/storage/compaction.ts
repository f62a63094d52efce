import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { COMPACTION_BACKLOG_BYTES_MAX, COMPACTION_PAGE_BYTES } from '../base/limits';
import type { Committer } from './committer';
import { UnwritableError } from './disk-space';
import { assertRoomForCopy, copySnapshot, flushDirectory, openSnapshot } from './snapshot-copy';
import { openTables, type ExchangeableTables, type Tables } from './tables';
import { WriteReserve } from './write-reserve';

/** The name of the new file until it is complete. */
const UNFINISHED = 'compacting';

/** Removes the files that an interrupted compaction left behind. */
export const removeUnfinishedCompaction = (dir: string): void => {
  rmSync(join(dir, UNFINISHED), { recursive: true, force: true });
};

interface Compaction {
  readonly dir: string;
  readonly tables: ExchangeableTables;
  readonly committer: Committer;
  readonly onProgress: (copied: number, total: number) => void;
}

/**
 * Copies entry by entry. LMDB's own compacting copy keeps whole pages, and the unused part of a
 * page may contain bytes of removed events. The copy has the store as it was when the copy began.
 * Later commits are recorded and applied to the copy as well. Only the last ones wait while the
 * files change places. If the process dies before that moment, the old file is complete; after it,
 * the new file is.
 */
export const compact = async ({
  dir,
  tables,
  committer,
  onProgress,
}: Compaction): Promise<void> => {
  assertRoomForCopy({ sourceDir: dir, targetDir: dir });
  removeUnfinishedCompaction(dir);
  const copy = openTables(join(dir, UNFINISHED));
  const reserve = new WriteReserve(join(dir, UNFINISHED), copy);
  try {
    const snapshot = await committer.runExclusively(() => {
      committer.startRecording();
      return openSnapshot(tables);
    });
    await copySnapshot({
      tables,
      copy,
      reserve,
      snapshot,
      onProgress: (copied, total) => {
        onProgress(copied, total);
        assertBacklogIsSmall(committer);
      },
    });
    while (committer.recordedBytes > COMPACTION_PAGE_BYTES)
      await applyRecorded(committer, copy, reserve);
    await committer.runExclusively(async () => {
      await applyRecorded(committer, copy, reserve);
      committer.stopRecording();
      moveIntoPlace(dir);
      const before = tables.exchange(copy);
      // Registers this process in the lock file of the new data file.
      tables.meta.get(Buffer.from('format'));
      await before.root.close();
    });
  } catch (error) {
    committer.stopRecording();
    if (tables.root !== copy.root) await copy.root.close();
    removeUnfinishedCompaction(dir);
    throw error;
  }
};

const assertBacklogIsSmall = (committer: Committer): void => {
  if (committer.recordedBytes > COMPACTION_BACKLOG_BYTES_MAX) {
    throw new UnwritableError('Too much is being written for a compaction. Try again later.');
  }
};

const applyRecorded = async (
  committer: Committer,
  copy: Tables,
  reserve: WriteReserve,
): Promise<void> => {
  const commits = committer.takeRecorded();
  reserve.ensure(commits.reduce((sum, { growthBytesMax }) => sum + growthBytesMax, 0));
  await copy.root.batch(() => {
    for (const commit of commits) commit.apply(copy);
  });
  copy.root.resetReadTxn();
};

/** Moves the data file and its lock file, which says which process has the data file open. */
const moveIntoPlace = (dir: string): void => {
  for (const name of ['data.mdb', 'lock.mdb']) {
    renameSync(join(dir, UNFINISHED, name), join(dir, name));
  }
  flushDirectory(dir);
  removeUnfinishedCompaction(dir);
};
