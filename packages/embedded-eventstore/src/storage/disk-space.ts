import { statfsSync } from 'node:fs';
import { DISK_CHECK_INTERVAL_MS, DISK_FREE_BYTES_MIN } from '../base/limits';

/** The store cannot take writes now. Nothing was written, and nothing is acknowledged. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
}

/**
 * Refuses commits while the disk is nearly full. LMDB would fail such a commit too, but with an I/O
 * error that cannot be told from a broken disk; refusing early leaves a store that goes on by itself
 * when there is room again. A copy-on-write tree needs several times the bytes of a commit.
 */
export class DiskSpace {
  #freeBytes = Infinity;
  #checkedAtMs = -Infinity;

  constructor(
    private readonly dir: string,
    private readonly freeBytesMin = DISK_FREE_BYTES_MIN,
  ) {}

  assertRoomFor(bytes: number): void {
    const neededBytes = this.freeBytesMin + 4 * bytes;
    const stale = performance.now() - this.#checkedAtMs > DISK_CHECK_INTERVAL_MS;
    if (stale || this.#freeBytes < neededBytes) this.measure();
    if (this.#freeBytes < neededBytes) {
      throw new UnwritableError(
        `The disk of ${this.dir} is nearly full (${Math.floor(this.#freeBytes / 1024 ** 2)} MB left). Writes are refused until there is room.`,
      );
    }
    this.#freeBytes -= 2 * bytes;
  }

  private measure(): void {
    const { bavail, bsize } = statfsSync(this.dir);
    this.#freeBytes = bavail * bsize;
    this.#checkedAtMs = performance.now();
  }
}
