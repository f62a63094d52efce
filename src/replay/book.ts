import type { FailedEvent, ReplayProgress, WaitingEvent } from './replay.events';
import type { KnownReplay } from './replay.decider';

/**
 * What one run of a job knows of every event it has come across: open, waiting for a retry, or
 * settled and counted. Everything changes in one turn of the event loop, so that a snapshot is
 * always whole: what it calls open was not counted, what it counted is not open. Pure bookkeeping.
 */
export class Book {
  /** Handed out and not settled, by category revision. */
  private readonly open: Set<number>;
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
    this.open = new Set(progress.open);
    this.waitingNow = new Map(waiting);
    this.scannedTo = progress.scanned_to;
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

  openRevisions(): readonly number[] {
    return [...this.open].sort((a, b) => a - b);
  }

  waitingEvents(): readonly WaitingEvent[] {
    return [...this.waitingNow.values()];
  }

  take(revision: number): void {
    this.open.add(revision);
    this.changed = true;
  }

  /** A selected event that is not sent: one the scan found, or an open one of an earlier run. */
  skip(revision: number): void {
    this.open.delete(revision);
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
      scanned_to: this.scannedTo,
      open: this.openRevisions(),
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

  private settle(revision: number): void {
    this.changed = true;
    this.open.delete(revision);
    if (!this.waitingNow.delete(revision)) return;
    this.newWaiting.delete(revision);
    this.ended.add(revision);
  }
}
