import { lockDirectory } from './lock';
import {
  isSound,
  isTrimmed,
  readRevision,
  readStreamName,
  readStreamNumber,
  TOMBSTONE_REVISION,
} from './record';
import {
  assertFormat,
  assertStore,
  createIndexKey,
  indexKeyRevision,
  openTables,
  createPositionKey,
  readNextStreamNumber,
  readPosition,
  type Tables,
} from './tables';

export interface VerifyReport {
  readonly events: number;
  readonly streams: number;
  /** The size of all records in bytes. */
  readonly bytes: number;
  /** Descriptions of the first problems; empty if the store is sound. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

const PROBLEMS_TOLD_MAX = 50;

/**
 * Reads the whole store and checks the rules that record.ts and tables.ts describe: checksums,
 * positions that do not overlap, one index entry for each record and one record for each index
 * entry, revisions without gaps except for removed events, and streams that are found by their
 * names. Throws if the directory is locked or has no store.
 */
export const verifyDirectory = async (dir: string): Promise<VerifyReport> => {
  assertStore(dir);
  const tables = openTables(dir, { readOnly: true });
  try {
    lockDirectory(dir, tables.root);
    assertFormat(dir, tables);
    return new Verification(tables).run();
  } finally {
    await tables.root.close();
  }
};

class Verification {
  readonly #problems: string[] = [];
  #problemCount = 0;
  #events = 0;
  #bytes = 0;
  /** Places in the log whose event was removed. */
  #removed = 0;
  /** Revisions that are missing at the beginning of streams. */
  #missing = 0;
  readonly #names = new Map<number, string>();

  constructor(private readonly tables: Tables) {}

  run(): VerifyReport {
    // If LMDB cannot continue to read, the verification ends and reports it as a problem.
    const parts = [
      () => {
        this.checkStreams();
      },
      () => {
        this.checkLog();
      },
      () => {
        this.checkIndex();
      },
    ];
    for (const check of parts) {
      try {
        check();
      } catch (error) {
        this.addProblem(`unreadable: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return {
      events: this.#events,
      streams: this.#names.size,
      bytes: this.#bytes,
      problems: this.#problems,
      problemCount: this.#problemCount,
    };
  }

  private checkStreams(): void {
    const next = readNextStreamNumber(this.tables);
    for (const { key, value } of this.tables.streams.getRange({})) {
      const [name, number] = [key.toString(), readPosition(value)];
      const other = this.#names.get(number);
      if (other !== undefined) this.addProblem(`streams ${other} and ${name} have one number`);
      if (number >= next) this.addProblem(`stream ${name} has a number that was never given`);
      this.#names.set(number, name);
    }
  }

  private checkLog(): void {
    let end = 0;
    for (const { key, value } of this.tables.log.getRange({})) {
      const position = readPosition(key);
      if (position < end)
        this.addProblem(`the record at ${position} begins within the one before it`);
      end = position + value.length;
      this.#bytes += value.length;
      if (!isSound(value, position))
        this.addProblem(`the record at ${position} is damaged (checksum)`);
      else if (isTrimmed(value)) this.#removed++;
      else this.checkRecord(position, value);
    }
  }

  private checkRecord(position: number, record: Buffer): void {
    this.#events++;
    const [number, revision] = [readStreamNumber(record), readRevision(record)];
    const name = readStreamName(record);
    if (this.#names.get(number) !== name) {
      this.addProblem(`stream ${name} of the record at ${position} is not found by its name`);
    }
    const indexed = this.tables.index.get(createIndexKey(number, revision));
    if (!indexed || readPosition(indexed) !== position) {
      this.addProblem(`${revision}@${name} at ${position} is not in the index`);
    }
  }

  private checkIndex(): void {
    let before = { number: -1, revision: -1 };
    let entries = 0;
    for (const { key, value } of this.tables.index.getRange({})) {
      const at = { number: readPosition(key), revision: indexKeyRevision(key) };
      entries++;
      this.checkRevision(before, at);
      const record = this.tables.log.get(createPositionKey(readPosition(value)));
      if (!record || isTrimmed(record)) {
        this.addProblem(
          `${this.formatPlace(at)} points to ${readPosition(value)}, where there is no record`,
        );
      }
      before = at;
    }
    if (entries !== this.#events) {
      this.addProblem(`${entries} index entries for ${this.#events} records`);
    }
    if (this.#missing > this.#removed) {
      this.addProblem(`${this.#missing} revisions are missing, but ${this.#removed} were removed`);
    }
  }

  /**
   * Checks that revisions have no gaps. Only the oldest events of a stream are ever removed, and a
   * tombstone is the last event.
   */
  private checkRevision(before: IndexPlace, at: IndexPlace): void {
    if (at.revision === TOMBSTONE_REVISION) return;
    const expected = before.revision + 1;
    if (before.number !== at.number) this.#missing += at.revision;
    else if (at.revision !== expected) {
      this.addProblem(`${this.formatPlace(at)} where ${expected} should follow`);
    }
  }

  private formatPlace({ number, revision }: IndexPlace): string {
    return `${revision}@${this.#names.get(number) ?? `stream number ${number}`}`;
  }

  private addProblem(problem: string): void {
    this.#problemCount++;
    if (this.#problems.length < PROBLEMS_TOLD_MAX) this.#problems.push(problem);
  }
}

interface IndexPlace {
  readonly number: number;
  readonly revision: number;
}
