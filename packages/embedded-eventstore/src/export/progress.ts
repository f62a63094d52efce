import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The progress of an export to one target: all events before this position are in the target. It is
 * stored in the data directory under a digest of the target's address, because the address may
 * contain a password. If the file is lost, the next export only takes longer, because events are
 * appended with their ids and revisions.
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
