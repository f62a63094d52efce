import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { DISK_FREE_BYTES_MIN } from '../base/limits';

/** The store cannot take writes now. Nothing was written, and nothing is acknowledged. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
}

/** The disk has too little room for a write. Reads go on, and writes when there is room again. */
export class DiskFullError extends UnwritableError {}

/** LMDB reports a write that was cut short by the end of the disk as an I/O error. */
const FULL_DISK_CODES: readonly unknown[] = [constants.errno.ENOSPC, constants.errno.EIO];

/**
 * Refuses commits while the disk is nearly full. It is asked before each commit: something else may
 * fill a disk within a second. A copy-on-write tree needs several times the bytes of a commit.
 */
export class DiskSpace {
  constructor(
    private readonly dir: string,
    private readonly freeBytesMin = DISK_FREE_BYTES_MIN,
  ) {}

  assertRoomFor(bytes: number): void {
    const freeBytes = this.measureFreeBytes();
    if (freeBytes < this.freeBytesMin + 4 * bytes) throw this.createError(freeBytes);
  }

  /**
   * Returns the error that a failed commit means. The reserve keeps such failures away (write-reserve.ts)
   * but on file systems that copy on each write. LMDB undoes a transaction whose pages it could not
   * write, and takes the next one when there is room, so a disk that became full during a commit
   * refuses it like one that was full before. Any other error stays as it is.
   */
  explainFailure(error: Error): Error {
    if (!FULL_DISK_CODES.includes((error as { code?: unknown }).code)) return error;
    const freeBytes = this.measureFreeBytes();
    return freeBytes < this.freeBytesMin ? this.createError(freeBytes) : error;
  }

  private createError(freeBytes: number): DiskFullError {
    return new DiskFullError(
      `The disk of ${this.dir} is nearly full (${Math.floor(freeBytes / 1024 ** 2)} MB left). Writes are refused until there is room.`,
    );
  }

  private measureFreeBytes(): number {
    const { bavail, bsize } = statfsSync(this.dir);
    return bavail * bsize;
  }
}
