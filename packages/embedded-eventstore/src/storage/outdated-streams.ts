import type { Commit } from './committer';
import type { Stream } from './stream-directory';
import { putInto, removeFrom, type Tables } from './tables';

const PREFIX = 'outdated:';
/** The first text in sort order after all texts that begin with the prefix. */
const PREFIX_END = 'outdated;';

const createKey = (streamNumber: number): Buffer => Buffer.from(`${PREFIX}${streamNumber}`);

/**
 * The streams that may have events which metadata or a tombstone cut off. A stream is added in the
 * commit that cuts something off, so a restart does not lose it. It is removed when the scavenger
 * has removed the events. A stream with `$maxAge` stays, because its events expire without a
 * commit.
 */
export class OutdatedStreams {
  #names = new Map<number, string>();

  constructor(private readonly tables: Tables) {
    this.reload();
  }

  /** Reads the state on disk again after a failed commit. */
  reload(): void {
    const range = { start: Buffer.from(PREFIX), end: Buffer.from(PREFIX_END) };
    this.#names = new Map(
      Array.from(this.tables.meta.getRange(range), ({ key, value }) => [
        Number(key.toString().slice(PREFIX.length)),
        value.toString(),
      ]),
    );
  }

  names(): readonly string[] {
    return [...this.#names.values()];
  }

  add(commit: Commit, { number, name }: Stream): void {
    if (this.#names.has(number)) return;
    this.#names.set(number, name);
    commit.changes.push(({ meta }) => {
      putInto(meta, createKey(number), Buffer.from(name));
    });
  }

  remove(commit: Commit, { number }: Stream): void {
    if (!this.#names.delete(number)) return;
    commit.changes.push(({ meta }) => {
      removeFrom(meta, createKey(number));
    });
  }
}
