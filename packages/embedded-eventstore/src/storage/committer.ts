import { COMMIT_TIMEOUT_CHECK_MS, RESERVE_BYTES_PER_ENTRY } from '../base/limits';
import type { LogEntry } from './log-reader';
import type { Stream, StreamFacts } from './stream-directory';
import {
  appendTo,
  createIndexKey,
  createPositionKey,
  findCommitError,
  putInto,
  putNextStreamNumber,
  type Tables,
} from './tables';

/** An event on its way into the log, and what subscribers want to know of it afterwards. */
export interface StagedEvent extends LogEntry {
  readonly stream: Stream;
  readonly revision: number;
  readonly type: string;
}

/** A commit takes too long, and whether it will succeed is not known. */
export class CommitTimeoutError extends Error {
  override readonly name = 'CommitTimeoutError';
}

type Settled = (error: Error | undefined) => void;

/** Somebody who waits for a commit. */
interface Waiting {
  readonly settled: Settled;
  /** `performance.now()` when the waiting began. */
  readonly sinceMs: number;
}

/** The appends that become one LMDB transaction. */
export class Commit {
  readonly events: StagedEvent[] = [];
  readonly added: Stream[] = [];
  /** The streams' facts as they are after this commit. */
  readonly facts = new Map<Stream, StreamFacts>();
  readonly changes: ((tables: Tables) => void)[] = [];
  #waiting: Waiting[] = [];
  bytes = 0;

  get empty(): boolean {
    return this.events.length === 0 && this.changes.length === 0;
  }

  get awaited(): boolean {
    return this.#waiting.length > 0;
  }

  wait(settled: Settled): void {
    this.#waiting.push({ settled, sinceMs: performance.now() });
  }

  /** Tells everybody who waits, or those who have waited since then or longer. */
  notify(error: Error | undefined, sinceMs = Infinity): void {
    const told = this.#waiting.filter((each) => each.sinceMs <= sinceMs);
    this.#waiting = this.#waiting.filter((each) => each.sinceMs > sinceMs);
    for (const { settled } of told) settled(error);
  }

  /** An upper limit of the bytes by which LMDB's file may grow. */
  get growthBytesMax(): number {
    const entries = this.events.length + this.added.length + this.changes.length;
    return 2 * this.bytes + entries * RESERVE_BYTES_PER_ENTRY;
  }

  apply(tables: Tables): void {
    for (const { name, number } of this.added) {
      putInto(tables.streams, Buffer.from(name), createPositionKey(number));
    }
    for (const { position, record, stream, revision } of this.events) {
      // Positions only grow: appending fills pages completely and needs no search.
      appendTo(tables.log, createPositionKey(position), record);
      putInto(tables.index, createIndexKey(stream.number, revision), createPositionKey(position));
    }
    const lastAdded = this.added.at(-1);
    if (lastAdded) putNextStreamNumber(tables, lastAdded.number + 1);
    for (const change of this.changes) change(tables);
  }
}

interface CommitterOptions {
  readonly tables: Tables;
  readonly commitTimeoutMs: number;
  /** Refuses a commit that must not be tried, for example on a full disk. */
  readonly assertWritable: (commit: Commit) => void;
  /** Tells a full disk from a broken one, after a commit that failed. */
  readonly explainFailure: (error: Error) => Error;
  readonly onCommitted: (commit: Commit) => void;
  readonly onFailed: (error: Error) => void;
}

/**
 * Group commit. Whatever is staged while one transaction is being written and synced goes into the
 * next one, so that the cost of a sync is shared by all appends that wait for it. At most one
 * transaction is under way: the order of commits is the order of positions.
 *
 * If the process dies before LMDB has written its meta page, none of the commit exists and nobody
 * was told that it does; if it dies after, all of it exists, and a client that repeats an append
 * with its revision is told so.
 */
export class Committer {
  #staged = new Commit();
  #committing: Commit | undefined;
  #running = false;
  readonly #idle: (() => void)[] = [];
  #exclusive: (() => Promise<void>)[] = [];
  #recorded: Commit[] | undefined;

  constructor(private readonly options: CommitterOptions) {}

  /** The commit that is being filled; it is written after this turn of the event loop. */
  get staged(): Commit {
    this.wake();
    return this.#staged;
  }

  private wake(): void {
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => void this.run());
  }

  get stagedBytes(): number {
    return this.#staged.bytes + (this.#committing?.bytes ?? 0);
  }

  listUncommitted(): readonly StagedEvent[] {
    return [...(this.#committing?.events ?? []), ...this.#staged.events];
  }

  /** An event that is decided but not on disk yet. */
  findStaged(stream: Stream, revision: number): StagedEvent | undefined {
    const isWanted = (event: StagedEvent): boolean =>
      event.stream === stream && event.revision === revision;
    return this.#committing?.events.find(isWanted) ?? this.#staged.events.find(isWanted);
  }

  /** Calls back when everything decided so far is on disk: at once if it already is. */
  callAfterCommit(settled: Settled): void {
    if (this.#running) this.#staged.wait(settled);
    else settled(undefined);
  }

  /** Runs something between two commits. Commits wait for it, so it must be short. */
  runExclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#exclusive.push(async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      this.wake();
    });
  }

  /** From now on every commit is also kept until `takeRecorded`. */
  startRecording(): void {
    this.#recorded = [];
  }

  /** The commits since the recording began or were last taken, oldest first. */
  takeRecorded(): readonly Commit[] {
    return this.#recorded?.splice(0) ?? [];
  }

  get recordedBytes(): number {
    return (this.#recorded ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  stopRecording(): void {
    this.#recorded = undefined;
  }

  waitUntilIdle(): Promise<void> {
    return this.#running ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  private async run(): Promise<void> {
    while (!this.#staged.empty || this.#staged.awaited || this.#exclusive.length > 0) {
      for (const work of this.#exclusive.splice(0)) await work();
      const commit = this.#staged;
      this.#staged = new Commit();
      this.#committing = commit;
      const error = await this.writeTimed(commit);
      this.#committing = undefined;
      if (error) this.fail(commit, error);
      else this.succeed(commit);
    }
    this.#running = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** A disk that hangs must not leave anybody without an answer. */
  private async writeTimed(commit: Commit): Promise<Error | undefined> {
    const { commitTimeoutMs } = this.options;
    const timer = setInterval(() => {
      const error = new CommitTimeoutError(`no commit within ${commitTimeoutMs} ms`);
      const sinceMs = performance.now() - commitTimeoutMs;
      for (const late of [commit, this.#staged]) late.notify(error, sinceMs);
    }, COMMIT_TIMEOUT_CHECK_MS);
    try {
      return await this.write(commit);
    } finally {
      clearInterval(timer);
    }
  }

  private async write(commit: Commit): Promise<Error | undefined> {
    if (commit.empty) return undefined;
    const { tables, assertWritable, explainFailure } = this.options;
    try {
      assertWritable(commit);
      await tables.root.batch(() => {
        commit.apply(tables);
      });
      return undefined;
    } catch (error) {
      return explainFailure(await findCommitError(error));
    }
  }

  private succeed(commit: Commit): void {
    this.options.tables.root.resetReadTxn();
    if (!commit.empty) this.#recorded?.push(commit);
    this.options.onCommitted(commit);
    commit.notify(undefined);
  }

  /** Appends that were staged meanwhile build on the failed commit, so they fail too. */
  private fail(commit: Commit, error: Error): void {
    const built = this.#staged;
    this.#staged = new Commit();
    this.options.onFailed(error);
    for (const failed of [commit, built]) failed.notify(error);
  }
}
