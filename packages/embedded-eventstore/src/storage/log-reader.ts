import { READ_PAGE_BYTES } from '../base/limits';
import { isHidden, isSound, isTrimmed, TOMBSTONE_REVISION } from './record';
import {
  createIndexKey,
  indexKeyRevision,
  createPositionKey,
  readPosition,
  type Tables,
} from './tables';

/** A record and where it lies. */
export interface LogEntry {
  readonly position: number;
  readonly record: Buffer;
}

/** An event by its revision in its stream, and its place in the log. */
export interface IndexedRevision {
  readonly revision: number;
  readonly position: number;
}

export interface StreamRange {
  readonly streamNumber: number;
  /** inclusive, both ends; descending when `from` is greater */
  readonly from: number;
  readonly to: number;
  readonly recordsMax: number;
}

export interface LogPage {
  /** Fewer than asked for, even none, where trimmed or hidden records lie. */
  readonly entries: readonly LogEntry[];
  /** The position of the next page; undefined at the end of the log. */
  readonly next: number | undefined;
}

const NO_PAGE: LogPage = { entries: [], next: undefined };

/**
 * Reads of what is committed. Every call is one short LMDB read transaction: long scans are made of
 * pages, so that they neither block the event loop nor keep old pages from being reused.
 */
export class LogReader {
  constructor(
    private readonly tables: Tables,
    /** Called with the contradiction in the tables before the read fails. */
    private readonly onCorruption: (error: CorruptionError) => void,
  ) {}

  /** -1 when the stream has no event. A tombstone is the last event of its stream. */
  findLastRevision(streamNumber: number): number {
    const [key] = this.tables.index.getKeys({
      start: createIndexKey(streamNumber, TOMBSTONE_REVISION),
      end: createIndexKey(streamNumber, 0),
      reverse: true,
      limit: 1,
      inclusiveEnd: true,
    });
    return key === undefined ? -1 : indexKeyRevision(key);
  }

  findPosition(streamNumber: number, revision: number): number | undefined {
    if (revision < 0) return undefined;
    const found = this.tables.index.get(createIndexKey(streamNumber, revision));
    return found && readPosition(found);
  }

  /** Undefined where no event is, or where the event was removed. */
  recordAt(position: number): Buffer | undefined {
    const record = this.tables.log.get(createPositionKey(position));
    return record && !isTrimmed(record) ? record : undefined;
  }

  /** The oldest revisions of a stream below a limit, with their places in the log. */
  listOldestBelow(streamNumber: number, revision: number, countMax: number): IndexedRevision[] {
    const range = this.tables.index.getRange({
      start: createIndexKey(streamNumber, 0),
      end: createIndexKey(streamNumber, revision),
      limit: countMax,
    });
    return Array.from(range, ({ key, value }) => ({
      revision: indexKeyRevision(key),
      position: readPosition(value),
    }));
  }

  /** Names of streams in the order of their bytes, behind a given one. */
  listStreamNamesAfter(name: string, countMax: number): string[] {
    const after = Buffer.concat([Buffer.from(name), Buffer.alloc(1)]);
    const keys = this.tables.streams.getKeys({ start: after, limit: countMax });
    return Array.from(keys, (key) => key.toString());
  }

  find(streamNumber: number, revision: number): LogEntry | undefined {
    const position = this.findPosition(streamNumber, revision);
    const record = position === undefined ? undefined : this.recordAt(position);
    return record && position !== undefined ? { position, record } : undefined;
  }

  /** Whether an event begins, or once began, at a position. */
  isBoundary(position: number): boolean {
    return this.tables.log.doesExist(createPositionKey(position));
  }

  /** A page of one stream: ends after `recordsMax` records or `READ_PAGE_BYTES`. */
  readStreamPage({ streamNumber, from, to, recordsMax }: StreamRange): LogEntry[] {
    const page: LogEntry[] = [];
    let bytes = 0;
    const range = this.tables.index.getRange({
      start: createIndexKey(streamNumber, from),
      end: createIndexKey(streamNumber, to),
      reverse: from > to,
      inclusiveEnd: true,
      limit: recordsMax,
    });
    for (const { value } of range) {
      const position = readPosition(value);
      const record = this.recordAt(position);
      if (!record) throw this.reportCorruption(`no record at indexed position ${position}`);
      page.push({ position, record });
      bytes += record.length;
      if (bytes >= READ_PAGE_BYTES) break;
    }
    return page;
  }

  /** A page of $all from a position, inclusive; `next` continues it. */
  readForward(from: number, recordsMax: number): LogPage {
    const page = this.readLogPage({ start: createPositionKey(from) }, recordsMax);
    return { ...page, next: page.next === undefined ? undefined : page.next + 1 };
  }

  /** A page of $all before a position, exclusive, newest first; `next` continues it. */
  readBackward(before: number, recordsMax: number): LogPage {
    return before <= 0
      ? NO_PAGE
      : this.readLogPage({ start: createPositionKey(before - 1), reverse: true }, recordsMax);
  }

  private readLogPage(range: { start: Buffer; reverse?: boolean }, recordsMax: number): LogPage {
    const entries: LogEntry[] = [];
    let bytes = 0;
    let examined = 0;
    for (const { key, value } of this.tables.log.getRange(range)) {
      const position = readPosition(key);
      examined++;
      bytes += value.length;
      if (!isTrimmed(value) && !isHidden(value)) entries.push({ position, record: value });
      if (examined >= recordsMax || bytes >= READ_PAGE_BYTES) return { entries, next: position };
    }
    return { entries, next: undefined };
  }

  /** The newest record, of any kind: the one a crash would have damaged, so it is checked. */
  readLastEntry(): LogEntry | undefined {
    for (const { key, value } of this.tables.log.getRange({ reverse: true, limit: 1 })) {
      const position = readPosition(key);
      if (!isSound(value, position)) throw this.reportCorruption(`damaged record at ${position}`);
      return { position, record: value };
    }
    return undefined;
  }

  private reportCorruption(what: string): CorruptionError {
    const error = new CorruptionError(
      `The event store is damaged: ${what}. Run its verify command.`,
    );
    this.onCorruption(error);
    return error;
  }
}

export class CorruptionError extends Error {
  override readonly name = 'CorruptionError';
}
