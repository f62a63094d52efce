import type { FailedEvent, ReplayProgress, WaitingEvent } from '../../domain/replays/replay.events';
import { type Stretch, reachOf, stretchesOf } from './reach';
import type { KnownReplay } from '../../domain/replays/replay.decider';

/**
 * What one run of a job knows of every event it has come across: open, waiting for a retry, or
 * settled and counted. Everything changes in one turn of the event loop, so that a snapshot is
 * always whole: what it calls open was not counted, what it counted is not open. Pure bookkeeping.
 */
export class Book {
  /** Handed out and not settled, by category revision. */
  private readonly open = new Set<number>();
  /** What this run came across, in order, from the first open one on. */
  private window: number[] = [];
  /** What earlier runs were done with, from the first open one on. */
  private doneBefore: readonly Stretch[];
  private readonly waitingNow: Map<number, WaitingEvent>;
  private scannedTo: number;
  private delivered: number;
  private failed: number;
  private skipped: number;
  /** What the log does not know yet. */
  private readonly newWaiting = new Map<number, WaitingEvent>();
  private readonly ended = new Set<number>();
  private readonly failures: FailedEvent[] = [];
  private changed = false;

  constructor({ progress, waiting }: Pick<KnownReplay, 'progress' | 'waiting'>) {
    const { scannedTo, done } = reachOf(progress);
    this.scannedTo = scannedTo;
    this.doneBefore = done;
    this.waitingNow = new Map(waiting);
    this.delivered = progress.events_delivered;
    this.failed = progress.events_failed;
    this.skipped = progress.events_skipped;
  }

  /** Events come across so far: what is selected is either here or still to be scanned. */
  get seen(): number {
    return this.delivered + this.failed + this.skipped + this.open.size + this.waitingNow.size;
  }

  /** Open or waiting. */
  get unsettled(): number {
    return this.open.size + this.waitingNow.size;
  }

  get waiting(): number {
    return this.waitingNow.size;
  }

  get settled(): number {
    return this.delivered + this.failed;
  }

  /** Changes that are not in the log yet. */
  get unwritten(): number {
    return this.newWaiting.size + this.ended.size + this.failures.length;
  }

  get next(): number {
    return this.scannedTo;
  }

  /** Whether an earlier run was done with a revision that is scanned again. */
  isDone(revision: number): boolean {
    return this.doneBefore.some(([from, to]) => from <= revision && revision < to);
  }

  waitingEvents(): readonly WaitingEvent[] {
    return [...this.waitingNow.values()];
  }

  /** Selected events are taken or skipped in the order of their revisions. */
  take(revision: number): void {
    this.window.push(revision);
    this.open.add(revision);
    this.changed = true;
  }

  /** A selected event that is not sent. */
  skip(revision: number): void {
    this.window.push(revision);
    this.skipped += 1;
    this.changed = true;
  }

  scanned(to: number): void {
    if (to <= this.scannedTo) return;
    this.scannedTo = to;
    this.changed = true;
  }

  deliver(revision: number): void {
    this.settle(revision);
    this.delivered += 1;
  }

  fail(revision: number, failure: FailedEvent): void {
    this.settle(revision);
    this.failed += 1;
    this.failures.push(failure);
  }

  retryLater(event: WaitingEvent): void {
    this.open.delete(event.revision);
    this.waitingNow.set(event.revision, event);
    this.newWaiting.set(event.revision, event);
    this.changed = true;
  }

  /** What the log is to know, or null when it knows everything. The caller must get it stored. */
  flush(): ReplayProgress | null {
    if (!this.changed) return null;
    const progress = {
      ...this.reach(),
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

  /** Where another run would go on: everything from the first open event on, but what is done. */
  private reach(): Pick<ReplayProgress, 'scanned_to' | 'done'> {
    const isDone = (revision: number): boolean => !this.open.has(revision);
    const first = this.window.findIndex((revision) => !isDone(revision));
    this.window = first < 0 ? [] : this.window.slice(first);
    const scanned_to = this.window[0] ?? this.scannedTo;
    this.doneBefore = this.doneBefore.filter(([, to]) => to > scanned_to);
    return { scanned_to, done: [...this.doneBefore, ...stretchesOf(this.window, isDone)] };
  }

  private settle(revision: number): void {
    this.changed = true;
    this.open.delete(revision);
    if (!this.waitingNow.delete(revision)) return;
    this.newWaiting.delete(revision);
    this.ended.add(revision);
  }
}
