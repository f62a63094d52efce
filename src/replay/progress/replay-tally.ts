import type { FailedEvent, ReplayProgress, WaitingEvent } from '../../domain/replays/replay.events';
import { type RevisionRange, readResumePoint, toDoneRanges } from './resume-point';
import type { KnownReplay } from '../../domain/replays/replay.decider';

/**
 * The state of every event that one run of a job has found: open, waiting for a retry, or finished
 * and counted. Each change happens in one turn of the event loop, so a snapshot is always
 * consistent: an open event is not counted, and a counted event is not open. Pure bookkeeping.
 */
export class ReplayTally {
  /** Category revisions of events that are queued or in flight. */
  private readonly openRevisions = new Set<number>();
  /** Revisions that this run has found, in order, starting with the first open one. */
  private revisionsFromFirstOpen: number[] = [];
  /** Revisions that earlier runs finished, starting with the first open one. */
  private doneByEarlierRuns: readonly RevisionRange[];
  private readonly waitingNow: Map<number, WaitingEvent>;
  private scannedTo: number;
  private delivered: number;
  private failed: number;
  private skipped: number;
  /** Changes that are not yet in the log. */
  private readonly newWaiting = new Map<number, WaitingEvent>();
  private readonly ended = new Set<number>();
  private readonly failures: FailedEvent[] = [];
  private changed = false;

  constructor({ progress, waiting }: Pick<KnownReplay, 'progress' | 'waiting'>) {
    const { scannedTo, done } = readResumePoint(progress);
    this.scannedTo = scannedTo;
    this.doneByEarlierRuns = done;
    this.waitingNow = new Map(waiting);
    this.delivered = progress.events_delivered;
    this.failed = progress.events_failed;
    this.skipped = progress.events_skipped;
  }

  /**
   * Number of events found so far. Every selected event is either counted here or not yet scanned.
   */
  get seen(): number {
    return (
      this.delivered + this.failed + this.skipped + this.openRevisions.size + this.waitingNow.size
    );
  }

  /** Number of events that are open or waiting. */
  get unfinished(): number {
    return this.openRevisions.size + this.waitingNow.size;
  }

  get waiting(): number {
    return this.waitingNow.size;
  }

  get attempted(): number {
    return this.delivered + this.failed;
  }

  /** Number of changes that are not yet in the log. */
  get unwritten(): number {
    return this.newWaiting.size + this.ended.size + this.failures.length;
  }

  get nextRevision(): number {
    return this.scannedTo;
  }

  /** True if an earlier run finished a revision that is scanned again. */
  isDone(revision: number): boolean {
    return this.doneByEarlierRuns.some(([from, to]) => from <= revision && revision < to);
  }

  listWaiting(): readonly WaitingEvent[] {
    return [...this.waitingNow.values()];
  }

  /**
   * Records a selected event that is to be sent. Events must be recorded in the order of their
   * revisions.
   */
  markOpen(revision: number): void {
    this.revisionsFromFirstOpen.push(revision);
    this.openRevisions.add(revision);
    this.changed = true;
  }

  /** Records a selected event that is not sent. */
  markSkipped(revision: number): void {
    this.revisionsFromFirstOpen.push(revision);
    this.skipped += 1;
    this.changed = true;
  }

  markScannedTo(to: number): void {
    if (to <= this.scannedTo) return;
    this.scannedTo = to;
    this.changed = true;
  }

  markDelivered(revision: number): void {
    this.close(revision);
    this.delivered += 1;
  }

  markFailed(revision: number, failure: FailedEvent): void {
    this.close(revision);
    this.failed += 1;
    this.failures.push(failure);
  }

  markWaiting(event: WaitingEvent): void {
    this.openRevisions.delete(event.revision);
    this.waitingNow.set(event.revision, event);
    this.newWaiting.set(event.revision, event);
    this.changed = true;
  }

  /** Returns the progress that is not yet in the log, or null. The caller must store it. */
  takeUnwritten(): ReplayProgress | null {
    if (!this.changed) return null;
    const progress = {
      ...this.computeResumePoint(),
      open: [],
      events_delivered: this.delivered,
      events_failed: this.failed,
      events_skipped: this.skipped,
      waiting: [...this.newWaiting.values()],
      ended: [...this.ended],
      failures: [...this.failures],
    };
    this.changed = false;
    this.newWaiting.clear();
    this.ended.clear();
    this.failures.length = 0;
    return progress;
  }

  /**
   * Computes where another run would continue: from the first open event on, without the finished
   * ones.
   */
  private computeResumePoint(): Pick<ReplayProgress, 'scanned_to' | 'done'> {
    const isDone = (revision: number): boolean => !this.openRevisions.has(revision);
    const first = this.revisionsFromFirstOpen.findIndex((revision) => !isDone(revision));
    this.revisionsFromFirstOpen = first < 0 ? [] : this.revisionsFromFirstOpen.slice(first);
    const scanned_to = this.revisionsFromFirstOpen[0] ?? this.scannedTo;
    this.doneByEarlierRuns = this.doneByEarlierRuns.filter(([, to]) => to > scanned_to);
    return {
      scanned_to,
      done: [...this.doneByEarlierRuns, ...toDoneRanges(this.revisionsFromFirstOpen, isDone)],
    };
  }

  private close(revision: number): void {
    this.changed = true;
    this.openRevisions.delete(revision);
    if (!this.waitingNow.delete(revision)) return;
    this.newWaiting.delete(revision);
    this.ended.add(revision);
  }
}
