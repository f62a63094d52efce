import { COMMIT_TIMEOUT_MS } from '../base/limits';
import { backUp } from './backup';
import { UnwritableError, DiskSpace } from './disk-space';
import { Committer, type Commit, type StagedEvent } from './committer';
import { compact, removeUnfinishedCompaction } from './compaction';
import { lockDirectory } from './lock';
import { LogReader, type IndexedRevision } from './log-reader';
import { OutdatedStreams } from './outdated-streams';
import { RecentEventIds } from './recent-event-ids';
import {
  readData,
  encodeRecord,
  type EventContent,
  type LinkTarget,
  TOMBSTONE_REVISION,
  createTrimmedRecord,
} from './record';
import { StreamDirectory, type Stream } from './stream-directory';
import {
  isMetastream,
  isTrimmedAsWritten,
  METADATA_TYPE,
  parseMetadata,
  getStreamOfMetastream,
} from './stream-metadata';
import {
  assertFormat,
  ExchangeableTables,
  createIndexKey,
  openTables,
  createPositionKey,
  putInto,
  readNextStreamNumber,
  readPosition,
  removeFrom,
} from './tables';
import { WriteReserve } from './write-reserve';

/** The position of the first event. It is not 0, because 0 means "from the start". */
const FIRST_POSITION = 64;

/** The number of events that stay in a stream that is trimmed while it is written. */
const EVENTS_KEPT = 2;

const HIDDEN_PREFIX = '$persistentsubscription-$all::';

export interface EventLogOptions {
  readonly dir: string;
  readonly now?: () => number;
  readonly diskFreeBytesMin?: number;
  readonly commitTimeoutMs?: number | undefined;
}

/**
 * The log. It gives events their revision and position, has them committed, and reports committed
 * events. storage/appends.ts decides whether an append is accepted.
 */
export class EventLog {
  readonly reader: LogReader;
  readonly streams: StreamDirectory;
  readonly recentIds = new RecentEventIds();
  /** The streams in which the scavenger must search for events to remove. */
  readonly outdated: OutdatedStreams;
  readonly now: () => number;

  /** Is called before a commit, so that the system projections can add their links to it. */
  onStaged: (events: readonly StagedEvent[]) => void = () => undefined;
  onCommitted: (events: readonly StagedEvent[]) => void = () => undefined;
  onRolledBack: () => void = () => undefined;

  #nextPosition: number;
  #nextStreamNumber: number;
  #committedEnd: number;
  #committedStreamNumber: number;
  #failure: Error | undefined;
  readonly #dir: string;
  readonly #tables: ExchangeableTables;
  readonly #committer: Committer;
  #reportFailure!: (error: Error) => void;
  /** Resolves with the error if the storage fails and only a restart can repair it. */
  readonly failed = new Promise<Error>((resolve) => (this.#reportFailure = resolve));

  constructor(options: EventLogOptions) {
    const { dir, now = Date.now } = options;
    this.now = now;
    const tables = openLocked(dir);
    this.#dir = dir;
    this.#tables = tables;
    this.reader = new LogReader(tables, (error) => {
      this.stopWriting(error);
    });
    this.streams = new StreamDirectory(tables, this.reader);
    this.outdated = new OutdatedStreams(tables);
    const last = this.reader.readLastEntry();
    this.#nextPosition = last ? last.position + last.record.length : FIRST_POSITION;
    this.#committedEnd = this.#nextPosition;
    this.#nextStreamNumber = readNextStreamNumber(tables);
    this.#committedStreamNumber = this.#nextStreamNumber;
    const disk = new DiskSpace(dir, options.diskFreeBytesMin);
    const reserve = new WriteReserve(dir, tables);
    this.#committer = new Committer({
      tables,
      commitTimeoutMs: options.commitTimeoutMs ?? COMMIT_TIMEOUT_MS,
      assertWritable: (commit) => {
        if (this.#failure) throw this.#failure;
        disk.assertRoomFor(commit.bytes);
        reserve.ensure(commit.growthBytesMax);
      },
      explainFailure: (error) => disk.explainFailure(error),
      onCommitted: (commit) => {
        this.finishCommit(commit);
      },
      onFailed: (error) => {
        this.rollBack(error);
      },
    });
  }

  /** The position after the last committed event. */
  get end(): number {
    return this.#committedEnd;
  }

  get isEmpty(): boolean {
    return this.#nextPosition === FIRST_POSITION;
  }

  get stagedBytes(): number {
    return this.#committer.stagedBytes;
  }

  /** Returns the stream for an append. A new stream gets a number. */
  openStream(name: string): Stream {
    const found = this.streams.find(name);
    if (found) return found;
    // A stream exists as soon as it has metadata, because its metadata is found by its name.
    if (isMetastream(name)) this.openStream(getStreamOfMetastream(name));
    const stream = this.streams.add(name, this.#nextStreamNumber++);
    const commit = this.#committer.staged;
    commit.added.push(stream);
    this.advance(commit, stream, stream.head);
    return stream;
  }

  /** Gives an event its revision and position. It exists when its commit is on disk. */
  stage(
    stream: Stream,
    event: EventContent,
    place: { revision?: number; target?: LinkTarget } = {},
  ): StagedEvent {
    const position = this.#nextPosition;
    const revision = place.revision ?? stream.head.lastRevision + 1;
    const record = encodeRecord(
      {
        streamName: stream.name,
        streamNumber: stream.number,
        revision,
        position,
        createdMs: this.now(),
        hidden: stream.name.startsWith(HIDDEN_PREFIX),
        target: place.target,
      },
      event,
    );
    this.#nextPosition += record.length;
    const staged: StagedEvent = { position, record, stream, revision, type: event.type };
    const commit = this.#committer.staged;
    commit.events.push(staged);
    commit.bytes += record.length;
    this.advance(commit, stream, { ...stream.head, lastRevision: revision });
    if (isMetastream(stream.name)) this.applyMetadata(commit, staged);
    if (isTrimmedAsWritten(stream.name) && revision >= EVENTS_KEPT) {
      this.trim(commit, stream, revision - EVENTS_KEPT + 1);
    } else if (revision === TOMBSTONE_REVISION || revision >= stream.head.metadata.countMax) {
      this.outdated.add(commit, stream);
    }
    return staged;
  }

  callAfterCommit(settled: (error: Error | undefined) => void): void {
    this.#committer.callAfterCommit(settled);
  }

  /**
   * Resolves when everything that was staged so far is on disk. Rejects if it cannot be written.
   */
  waitUntilFlushed(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.callAfterCommit((error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  findStaged(stream: Stream, revision: number): StagedEvent | undefined {
    return this.#committer.findStaged(stream, revision);
  }

  /** The staged events that are not on disk yet, oldest first. */
  listUncommitted(): readonly StagedEvent[] {
    return this.#committer.listUncommitted();
  }

  /** The position that the next event will get. */
  get stagedEnd(): number {
    return this.#nextPosition;
  }

  putMeta(key: string, value: string): void {
    this.#committer.staged.changes.push(({ meta }) => {
      putInto(meta, Buffer.from(key), Buffer.from(value));
    });
  }

  readMeta(key: string): string | undefined {
    return this.#tables.meta.get(Buffer.from(key))?.toString();
  }

  /**
   * Removes events for good. A stub stays at the position of each, because a reader may resume from
   * there. Resolves when the removal is on disk.
   */
  remove(stream: Stream, events: readonly IndexedRevision[]): Promise<void> {
    this.#committer.staged.changes.push((tables) => {
      for (const { revision, position } of events) {
        putInto(tables.log, createPositionKey(position), createTrimmedRecord(position));
        removeFrom(tables.index, createIndexKey(stream.number, revision));
      }
    });
    return this.waitUntilFlushed();
  }

  /** Notes that a stream has no events to remove. */
  forgetOutdated(stream: Stream): void {
    this.outdated.remove(this.#committer.staged, stream);
  }

  /**
   * Writes the content of the store into a new file that replaces the old one. The new file has no
   * byte of removed events and no unused page. Appends continue meanwhile.
   */
  compact(onProgress: (copied: number, total: number) => void): Promise<void> {
    return compact({
      dir: this.#dir,
      tables: this.#tables,
      committer: this.#committer,
      onProgress,
    });
  }

  /** Writes a copy of the store into a new or an empty directory. Appends continue meanwhile. */
  backUp(toDir: string, onProgress: (copied: number, total: number) => void): Promise<void> {
    return backUp({
      dir: this.#dir,
      toDir,
      tables: this.#tables,
      committer: this.#committer,
      onProgress,
    });
  }

  /** Resolves when everything staged is on disk and the files are closed. */
  async close(): Promise<void> {
    await this.#committer.waitUntilIdle();
    await this.#tables.root.close();
  }

  private advance(commit: Commit, stream: Stream, facts: Stream['head']): void {
    this.streams.advance(stream, facts);
    commit.facts.set(stream, facts);
  }

  private applyMetadata(commit: Commit, { stream, record, type }: StagedEvent): void {
    if (type !== METADATA_TYPE) return;
    const owner = this.openStream(getStreamOfMetastream(stream.name));
    this.advance(commit, owner, {
      ...owner.head,
      metadata: parseMetadata(readData(record)),
      hasMetadata: true,
    });
    this.outdated.add(commit, owner);
  }

  private trim(commit: Commit, stream: Stream, keepFrom: number): void {
    commit.changes.push((tables) => {
      const outdated = tables.index.getRange({
        start: createIndexKey(stream.number, 0),
        end: createIndexKey(stream.number, keepFrom),
      });
      for (const { key, value } of outdated) {
        const position = readPosition(value);
        putInto(tables.log, createPositionKey(position), createTrimmedRecord(position));
        removeFrom(tables.index, key);
      }
    });
  }

  private finishCommit(commit: Commit): void {
    for (const [stream, facts] of commit.facts) this.streams.finishCommit(stream, facts);
    const last = commit.events.at(-1);
    if (last) this.#committedEnd = last.position + last.record.length;
    this.#committedStreamNumber += commit.added.length;
    this.onCommitted(commit.events);
  }

  /**
   * Returns to the state on disk. After a refused write a later one may succeed; after a failed one
   * no more are accepted.
   */
  private rollBack(error: Error): void {
    this.streams.forgetUncommitted();
    this.outdated.reload();
    this.recentIds.clear();
    this.#nextPosition = this.#committedEnd;
    this.#nextStreamNumber = this.#committedStreamNumber;
    this.onRolledBack();
    if (!(error instanceof UnwritableError)) this.stopWriting(error);
  }

  /**
   * Ends all writing until a restart, because the state on disk is unknown or not to be trusted.
   */
  private stopWriting({ message }: Error): void {
    if (this.#failure) return;
    this.#failure = new UnwritableError(`The event store stopped writing: ${message}`);
    this.#reportFailure(this.#failure);
  }
}

/** Throws if another process has the directory open. */
const openLocked = (dir: string): ExchangeableTables => {
  const tables = openTables(dir);
  try {
    lockDirectory(dir, tables.root);
    assertFormat(dir, tables);
    removeUnfinishedCompaction(dir);
    return new ExchangeableTables(tables);
  } catch (error) {
    void tables.root.close();
    throw error;
  }
};
