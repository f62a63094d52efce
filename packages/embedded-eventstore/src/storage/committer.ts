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

/** An event that waits for its commit, with what subscribers need of it afterwards. */
export interface StagedEvent extends LogEntry {
  readonly stream: Stream;
  readonly revision: number;
  readonly type: string;
}

/** The commit takes too long, and its outcome is not known. */
export class CommitTimeoutError extends Error {
  override readonly name = 'CommitTimeoutError';
}

type Settled = (error: Error | undefined) => void;

/** One caller that waits for a commit. */
interface Waiting {
  readonly settled: Settled;
  /** The time at which the caller began to wait, by `performance.now()`. */
  readonly sinceMs: number;
}

/** The appends that become one LMDB transaction. */
export class Commit {
  readonly events: StagedEvent[] = [];
  readonly added: Stream[] = [];
  /** The state of each stream after this commit. */
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

  /** Informs the callers that wait, or only those that have waited since the given time. */
  notify(error: Error | undefined, sinceMs = Infinity): void {
    const informed = this.#waiting.filter((each) => each.sinceMs <= sinceMs);
    this.#waiting = this.#waiting.filter((each) => each.sinceMs > sinceMs);
    for (const { settled } of informed) settled(error);
  }

  /** Returns an upper limit of the bytes by which the commit may make LMDB's file grow. */
  get growthBytesMax(): number {
    const entries = this.events.length + this.added.length + this.changes.length;
    return 2 * this.bytes + entries * RESERVE_BYTES_PER_ENTRY;
  }

  apply(tables: Tables): void {
    for (const { name, number } of this.added) {
      putInto(tables.streams, Buffer.from(name), createPositionKey(number));
    }
    for (const { position, record, stream, revision } of this.events) {
      // Positions only grow, so appending fills pages completely and needs no search.
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
  /** Throws if a commit must not be tried, for example on a full disk. */
  readonly assertWritable: (commit: Commit) => void;
  /** Returns the error of a failed commit. It says whether the disk is full or broken. */
  readonly explainFailure: (error: Error) => Error;
  readonly onCommitted: (commit: Commit) => void;
  readonly onFailed: (error: Error) => void;
}

/**
 * Group commit. Appends that arrive while one transaction is written and synced go into the next
 * one, so they share the cost of its sync. At most one transaction is in progress, so the order of
 * commits is the order of positions. If the process dies before LMDB has written its meta page,
 * nothing of the commit exists, and no client was told that it does. If the process dies later, all
 * of the commit exists, and a client that repeats its append with its revision gets the same
 * answer.
 */
export class Committer {
  #staged = new Commit();
  #committing: Commit | undefined;
  #running = false;
  readonly #idle: (() => void)[] = [];
  #exclusive: (() => Promise<void>)[] = [];
  #recorded: Commit[] | undefined;

  constructor(private readonly options: CommitterOptions) {}

  /** The commit that new events join. It is written after this turn of the event loop. */
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

  /** Returns a staged event that is not on disk yet. */
  findStaged(stream: Stream, revision: number): StagedEvent | undefined {
    const isWanted = (event: StagedEvent): boolean =>
      event.stream === stream && event.revision === revision;
    return this.#committing?.events.find(isWanted) ?? this.#staged.events.find(isWanted);
  }

  /** Calls back when everything that was staged so far is on disk, or at once if it already is. */
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

  /** Starts a recording of all commits, until `takeRecorded` ends it. */
  startRecording(): void {
    this.#recorded = [];
  }

  /** Returns the commits since the recording began or was last read, oldest first. */
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

  /**
   * Writes a commit and informs the callers that wait for it too long, so that a disk that hangs
   * leaves nobody without a response.
   */
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

  /** Fails the appends that were staged after the failed commit, because they build on it. */
  private fail(commit: Commit, error: Error): void {
    const built = this.#staged;
    this.#staged = new Commit();
    this.options.onFailed(error);
    for (const failed of [commit, built]) failed.notify(error);
  }
}
