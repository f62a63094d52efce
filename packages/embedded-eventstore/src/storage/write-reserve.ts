import { closeSync, fstatSync, ftruncateSync, openSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { RESERVE_BYTES_MIN, RESERVE_STEP_BYTES } from '../base/limits';
import { DiskFullError } from './disk-space';
import type { Tables } from './tables';

/**
 * Keeps unused zeros at the end of LMDB's data file, so that a commit writes only to blocks that
 * the file already has. A commit that finds the disk full would end the process: lmdb-js 3.5.6
 * describes this error in a buffer that is too short (`mdb_page_flush` in its `mdb.c`). With the
 * reserve, a full disk is found before anything of the commit is written. LMDB accepts a longer
 * file, because its meta page says which pages are used. File systems that copy on write (Btrfs,
 * ZFS) do not honour the reserve; there only the check of the free space helps.
 */
export class WriteReserve {
  readonly #file: string;

  constructor(
    private readonly dir: string,
    private readonly tables: Pick<Tables, 'root'>,
  ) {
    this.#file = join(dir, 'data.mdb');
  }

  /**
   * Makes the file long enough for this number of bytes. It must run while no commit is in
   * progress. Throws if the disk has no room.
   */
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

  /** Removes the unused end of a file that is complete. */
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
      // Other programs need the last bytes of the disk more.
      ftruncateSync(handle, fileBytes);
      const { message } = error as Error;
      throw new DiskFullError(`The disk of ${this.dir} is full: ${message}`);
    }
  }

  private get usedBytes(): number {
    const { root } = this.tables;
    const { lastPageNumber, pageSize } = root.getStats() as Usage;
    // LMDB does not reuse pages that a reader may still see, so no reader may be left open.
    root.resetReadTxn();
    return (lastPageNumber + 1) * pageSize;
  }
}

interface Usage {
  readonly lastPageNumber: number;
  readonly pageSize: number;
}
