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

/** Leaves position 0 free, so that 0 can mean "from the start". */
const FIRST_POSITION = 64;

/** The number of newest events that a stream keeps if it is trimmed while it is written. */
const EVENTS_KEPT = 2;

const HIDDEN_PREFIX = '$persistentsubscription-$all::';

export interface EventLogOptions {
  readonly dir: string;
  readonly now?: () => number;
  readonly diskFreeBytesMin?: number;
  readonly commitTimeoutMs?: number | undefined;
}

/**
 * The log: decides nothing about appends (storage/appends.ts does), but gives events their revision
 * and position, has them committed, and tells what is committed.
 */
export class EventLog {
  readonly reader: LogReader;
  readonly streams: StreamDirectory;
  readonly recentIds = new RecentEventIds();
  /** The streams in which the scavenger has to look for events to remove. */
  readonly outdated: OutdatedStreams;
  readonly now: () => number;

  /** Lets the system projections add their links to the commit of the events they index. */
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
  /** Settles when the storage fails in a way that only a restart can clear. */
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

  /** The position behind the last committed event. */
  get end(): number {
    return this.#committedEnd;
  }

  get isEmpty(): boolean {
    return this.#nextPosition === FIRST_POSITION;
  }

  get stagedBytes(): number {
    return this.#committer.stagedBytes;
  }

  /** The stream to append to, with a number of its own if it has none yet. */
  openStream(name: string): Stream {
    const found = this.streams.find(name);
    if (found) return found;
    // A stream is known as soon as it has metadata: its metadata is found by its name.
    if (isMetastream(name)) this.openStream(getStreamOfMetastream(name));
    const stream = this.streams.add(name, this.#nextStreamNumber++);
    const commit = this.#committer.staged;
    commit.added.push(stream);
    this.advance(commit, stream, stream.head);
    return stream;
  }

  /** Gives an event its place. It exists once the commit it was staged for is on disk. */
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

  /** Resolves when everything decided so far is on disk, rejects when it cannot be. */
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

  /** Events that are decided and not on disk yet, oldest first. */
  listUncommitted(): readonly StagedEvent[] {
    return this.#committer.listUncommitted();
  }

  /** The position the next event will get. */
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
   * Removes events for good: of each, a stub stays at its position, because a reader may resume from
   * there. Resolves when that is on disk.
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

  /** Notes that a stream holds nothing to remove. */
  forgetOutdated(stream: Stream): void {
    this.outdated.remove(this.#committer.staged, stream);
  }

  /**
   * Writes what is in the store into a new file, which takes the place of the old one: what was
   * removed is in none of its bytes, and it is as small as it can be. Appends go on meanwhile.
   */
  compact(onProgress: (copied: number, total: number) => void): Promise<void> {
    return compact({
      dir: this.#dir,
      tables: this.#tables,
      committer: this.#committer,
      onProgress,
    });
  }

  /** Writes the store as it is now into a new or empty directory. Appends go on meanwhile. */
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

  /** Back to what is on disk. A refused write may succeed later; a failed one ends the writing. */
  private rollBack(error: Error): void {
    this.streams.forgetUncommitted();
    this.outdated.reload();
    this.recentIds.clear();
    this.#nextPosition = this.#committedEnd;
    this.#nextStreamNumber = this.#committedStreamNumber;
    this.onRolledBack();
    if (!(error instanceof UnwritableError)) this.stopWriting(error);
  }

  /** Until a restart: what is on disk is not known any more, or not to be trusted. */
  private stopWriting({ message }: Error): void {
    if (this.#failure) return;
    this.#failure = new UnwritableError(`The event store stopped writing: ${message}`);
    this.#reportFailure(this.#failure);
  }
}

/** Throws when another process has the directory. */
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
