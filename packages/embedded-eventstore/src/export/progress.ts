import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The progress of an export to one target: every event before this position is there. It is kept beside
 * the data under a digest of the target's address, which may hold a password. Losing the file costs
 * time only, because events are appended at their revisions with their ids.
 */
export class Progress {
  readonly #file: string;

  constructor(dir: string, target: string) {
    const digest = createHash('sha256').update(target).digest('hex').slice(0, 16);
    this.#file = join(dir, `export-${digest}.position`);
  }

  get position(): number {
    return existsSync(this.#file) ? Number(readFileSync(this.#file, 'utf8')) : 0;
  }

  save(position: number): void {
    writeFileSync(`${this.#file}.new`, String(position));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
