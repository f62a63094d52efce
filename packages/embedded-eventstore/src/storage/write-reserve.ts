import { closeSync, fstatSync, ftruncateSync, openSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { RESERVE_BYTES_MIN, RESERVE_STEP_BYTES } from '../base/limits';
import { DiskFullError } from './disk-space';
import type { Tables } from './tables';

/**
 * Keeps the end of LMDB's data file filled with zeros that LMDB has not used yet, so that a commit
 * only writes to blocks which the file already has. A commit that found the disk full would end the
 * process: lmdb-js 3.5.6 describes such an error in a buffer that is too short (`mdb_page_flush` in
 * its `mdb.c`). Here the same error is met first, while nothing of the commit is written.
 *
 * LMDB takes a longer file as it is: its meta page says which pages are used. A file system that
 * copies on each write (Btrfs, ZFS) keeps no such promise; there only the check of the free space helps.
 */
export class WriteReserve {
  readonly #file: string;

  constructor(
    private readonly dir: string,
    private readonly tables: Pick<Tables, 'root'>,
  ) {
    this.#file = join(dir, 'data.mdb');
  }

  /** Must run while no commit is under way. Throws where the disk has no room for so many bytes. */
  ensure(bytes: number): void {
    const neededBytes = RESERVE_BYTES_MIN + bytes;
    const handle = openSync(this.#file, 'a');
    try {
      const fileBytes = fstatSync(handle).size;
      const reservedBytes = fileBytes - this.usedBytes;
      if (reservedBytes >= neededBytes) return;
      this.extend(handle, fileBytes, neededBytes - reservedBytes + RESERVE_STEP_BYTES);
    } finally {
      closeSync(handle);
    }
  }

  /** Gives back what no commit has used, from a file that is complete. */
  release(): void {
    truncateSync(this.#file, this.usedBytes);
  }

  private extend(handle: number, fileBytes: number, bytes: number): void {
    const zeros = Buffer.alloc(Math.min(bytes, RESERVE_STEP_BYTES));
    try {
      for (let left = bytes; left > 0;) {
        left -= writeSync(handle, zeros, 0, Math.min(left, zeros.length));
      }
    } catch (error) {
      // Others need the last bytes of the disk more.
      ftruncateSync(handle, fileBytes);
      const { message } = error as Error;
      throw new DiskFullError(`The disk of ${this.dir} is full: ${message}`);
    }
  }

  private get usedBytes(): number {
    const { root } = this.tables;
    const { lastPageNumber, pageSize } = root.getStats() as Usage;
    // Pages that a reader may still see are not used again, so no reader may be left behind.
    root.resetReadTxn();
    return (lastPageNumber + 1) * pageSize;
  }
}

interface Usage {
  readonly lastPageNumber: number;
  readonly pageSize: number;
}
