import { READ_PAGE_BYTES } from '../base/limits';
import { isHidden, isSound, isTrimmed, TOMBSTONE_REVISION } from './record';
import {
  createIndexKey,
  indexKeyRevision,
  createPositionKey,
  readPosition,
  type Tables,
} from './tables';

/** A record and its position. */
export interface LogEntry {
  readonly position: number;
  readonly record: Buffer;
}

/** An event's revision in its stream and its position in the log. */
export interface IndexedRevision {
  readonly revision: number;
  readonly position: number;
}

export interface StreamRange {
  readonly streamNumber: number;
  /**
   * The first and the last revision, both inclusive. The order is descending if `from` is greater.
   */
  readonly from: number;
  readonly to: number;
  readonly recordsMax: number;
}

export interface LogPage {
  /** The records. There are fewer than requested, or none, where records are trimmed or hidden. */
  readonly entries: readonly LogEntry[];
  /** The position of the next page; undefined at the end of the log. */
  readonly next: number | undefined;
}

const NO_PAGE: LogPage = { entries: [], next: undefined };

/**
 * Reads committed events. Each call is one short LMDB read transaction, and long scans are made of
 * pages. So they neither block the event loop nor keep old pages from being reused.
 */
export class LogReader {
  constructor(
    private readonly tables: Tables,
    /** Is called with a contradiction in the tables before the read fails. */
    private readonly onCorruption: (error: CorruptionError) => void,
  ) {}

  /**
   * Returns the revision of the last event, or -1 if the stream has none. A tombstone is the last
   * event of its stream.
   */
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

  /** Returns undefined if there is no event or it was removed. */
  recordAt(position: number): Buffer | undefined {
    const record = this.tables.log.get(createPositionKey(position));
    return record && !isTrimmed(record) ? record : undefined;
  }

  /** Returns the oldest revisions of a stream below a limit, with their positions. */
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

  /** Returns the names of streams after a given one, in the order of their bytes. */
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

  /** Returns true if an event is or was at this position. */
  isBoundary(position: number): boolean {
    return this.tables.log.doesExist(createPositionKey(position));
  }

  /** Reads a page of one stream. It ends after `recordsMax` records or `READ_PAGE_BYTES`. */
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

  /** Reads a page of $all that starts at a position. `next` continues it. */
  readForward(from: number, recordsMax: number): LogPage {
    const page = this.readLogPage({ start: createPositionKey(from) }, recordsMax);
    return { ...page, next: page.next === undefined ? undefined : page.next + 1 };
  }

  /** Reads a page of $all before a position, newest first. `next` continues it. */
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

  /**
   * Returns the newest record of any kind. It is checked at the start, because a crash would have
   * damaged this one.
   */
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
