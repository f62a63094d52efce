import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { DISK_FREE_BYTES_MIN } from '../base/limits';

/** The store cannot accept writes now. Nothing was written or acknowledged. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
}

/**
 * The disk has too little room for a write. Reads continue, and writes too as soon as there is
 * room.
 */
export class DiskFullError extends UnwritableError {}

/** LMDB reports an I/O error if the end of the disk cuts a write short. */
const FULL_DISK_CODES: readonly unknown[] = [constants.errno.ENOSPC, constants.errno.EIO];

/**
 * Refuses commits while the disk is nearly full. The check runs before each commit, because another
 * program may fill the disk within a second. LMDB copies pages on write and so needs several times
 * the bytes of a commit.
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
   * Returns the error that a failed commit means. The write reserve (write-reserve.ts) prevents a
   * full disk during a commit, except on file systems that copy on write. LMDB discards a
   * transaction whose pages it could not write and accepts the next one when there is room. So a
   * disk that became full during a commit is reported like one that was full before. Other errors
   * are returned unchanged.
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
