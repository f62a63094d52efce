import { closeSync, fsyncSync, openSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { COMPACTION_PAGE_BYTES, DISK_FREE_BYTES_MIN } from '../base/limits';
import { UnwritableError } from './disk-space';
import { appendTo, type Table, type Tables } from './tables';
import type { WriteReserve } from './write-reserve';

/**
 * The store as it was at one moment. `done` must end the snapshot, because until then no page is
 * reused.
 */
export type Snapshot = ReturnType<Tables['root']['useReadTransaction']>;

/** Must run while no commit is in progress. */
export const openSnapshot = ({ root }: Tables): Snapshot => {
  root.resetReadTxn();
  return root.useReadTransaction();
};

interface SnapshotCopy {
  readonly tables: Tables;
  readonly copy: Tables;
  /** The write reserve of the copy. */
  readonly reserve: WriteReserve;
  readonly snapshot: Snapshot;
  /** Is called after each page. The copy ends if it throws. */
  readonly onProgress: (copied: number, total: number) => void;
}

/**
 * Copies a snapshot entry by entry and ends the snapshot. LMDB's own copy keeps whole pages, and
 * the unused part of a page may contain bytes of removed events. Other work can run between two
 * pages.
 */
export const copySnapshot = async ({
  tables,
  copy,
  reserve,
  snapshot,
  onProgress,
}: SnapshotCopy): Promise<void> => {
  try {
    const pairs = (['log', 'index', 'streams', 'meta'] as const).map(
      (name) => [tables[name], copy[name]] as const,
    );
    const total = pairs.reduce((sum, [from]) => sum + countEntries(from), 0);
    let copied = 0;
    for (const [from, to] of pairs) {
      let page = readPageAfter(from, NO_KEY, snapshot);
      for (let last = page.at(-1); last; last = page.at(-1)) {
        reserve.ensure(COPIED_BYTES_MAX);
        await write(to, page);
        copied += page.length;
        onProgress(copied, total);
        await setImmediate();
        page = readPageAfter(from, last.key, snapshot);
      }
    }
  } finally {
    snapshot.done();
  }
};

interface CopyPlace {
  /** The directory of the store to copy. */
  readonly sourceDir: string;
  /** The directory for the copy. */
  readonly targetDir: string;
}

/** Throws if the disk would be full before the copy is complete. */
export const assertRoomForCopy = (place: CopyPlace): void => {
  const { bavail, bsize } = statfsSync(place.targetDir);
  const neededBytes = statSync(join(place.sourceDir, 'data.mdb')).size + DISK_FREE_BYTES_MIN;
  if (bavail * bsize < neededBytes) {
    throw new UnwritableError(
      `A copy of ${place.sourceDir} may need ${Math.ceil(neededBytes / 1024 ** 2)} MB of free disk space in ${place.targetDir}.`,
    );
  }
};

/** Resolves when the entries of the directory are on disk. */
export const flushDirectory = (dir: string): void => {
  const handle = openSync(dir, 'r');
  fsyncSync(handle);
  closeSync(handle);
};

interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

const NO_KEY = Buffer.alloc(0);

/** An upper limit of the bytes by which one page of entries makes the copy grow. */
const COPIED_BYTES_MAX = 4 * COMPACTION_PAGE_BYTES;

const countEntries = (table: Table): number =>
  (table.getStats() as { entryCount: number }).entryCount;

const readPageAfter = (table: Table, key: Buffer, transaction: Snapshot): Entry[] => {
  const page: Entry[] = [];
  let bytes = 0;
  // The next greater key has at least one more byte.
  const start = Buffer.concat([key, Buffer.alloc(1)]);
  for (const entry of table.getRange({ start, transaction })) {
    page.push(entry);
    bytes += entry.key.length + entry.value.length;
    if (bytes >= COMPACTION_PAGE_BYTES) break;
  }
  return page;
};

const write = async (table: Table, page: readonly Entry[]): Promise<void> => {
  await table.batch(() => {
    for (const { key, value } of page) appendTo(table, key, value);
  });
};
