import type { Attempted, Attempts, ReplayAttempt } from '../../delivery/attempt/attempt';
import type { DeliveryLog, PastDelivery } from '../../delivery/journal/delivery-log';
import type { DeliveryDestination, Destinations } from '../../delivery/model/destination';
import type { Pass } from '../../delivery/schedule/gate';
import type { Gates } from '../../delivery/schedule/gates';
import type { Journal, Outcome } from '../../delivery/journal/journal';
import { Lanes } from '../../delivery/schedule/lanes';
import { outcomeOf, type Work } from '../../delivery/journal/work';
import type { EventStoreConnection } from '../../event-store/connection';
import { warnOfFailure } from '../../event-store/failures';
import { deliverable } from '../../event-store/streams';
import type { Schedule } from '../../kernel/backoff';
import { type Clock, fromMillis } from '../../kernel/time';
import { log } from '../../ops/log';
import { Book } from '../progress/book';
import type { Courtesy } from './courtesy';
import type { Job } from '../progress/job';
import { scanTo } from './late-links';
import { failedEventsOf, subscribersOf } from '../progress/members';
import { Pace } from './pace';
import { JobLost, type KnownReplay } from '../../domain/replays/replay.decider';
import type { FailedEvent, FailureReason, ReplayRequest } from '../../domain/replays/replay.events';
import { isDeliverable, type SelectedEvent, toFreshWork, toWaiting, toWork } from './replay-work';
import { rest, Rouse } from './rouse';
import { findRevision, type Narrowing, type ScannedEvent, type ScannedPage } from './scan';
import { narrowingOf, selects } from './selection';

/** Events read and not sent yet; beyond it the scan pauses: the log is the queue. */
const QUEUED_MAX = 1_000;
/** While live deliveries go on nothing is read before it is needed. */
const QUEUED_BESIDE_LIVE_MAX = 25;
/** Events that wait for their next attempt; beyond it the scan pauses. */
const WAITING_MAX = 20_000;
/** Retries and failures that are not in the log yet; beyond it nothing new is sent. */
const UNWRITTEN_MAX = 1_500;
/** Whoever needs the job reads every progress of it: a long run writes it less often than a short one. */
const WRITE_EVERY_MIN_MS = 200;
const WRITE_EVERY_MAX_MS = 2_000;
/** Of the time the run has taken so far. */
const WRITE_EVERY_SHARE = 1 / 10;
/** So many retries and failures do not wait for their time. */
const WRITE_AT_UNWRITTEN = UNWRITTEN_MAX / 3;
/** A destination that was disabled, or a retry that came due, is noticed within this. */
const LOOK_EVERY_MS = 500;
const PAUSE_AFTER_FAULT_MS = 1_000;

export interface RunnerParts {
  readonly connection: EventStoreConnection;
  readonly destinations: Destinations;
  readonly log: DeliveryLog;
  readonly journal: Journal;
  readonly attempts: Attempts;
  readonly gates: Gates;
  readonly courtesy: Courtesy;
  readonly clock: Clock;
  readonly schedule: Schedule;
}

/**
 * One run of a job, from where the last one stopped: a scan of the category stream hands out what is
 * selected, senders attempt it in the order of the lanes, and the book of all that is written to the
 * job's stream every now and then. An outcome is first in the delivery journal, then in the book.
 */
export class Runner {
  private readonly request: ReplayRequest;
  private readonly book: Book;
  private readonly lanes: Lanes<Work>;
  private readonly pace: Pace;
  private readonly replay: ReplayAttempt;
  private readonly changed = new Rouse();
  /** Aborted when nothing new is to be sent. */
  private readonly stop = new AbortController();
  /** Aborted when nothing is to be written any more. */
  private readonly settled = new AbortController();
  private inFlight = 0;
  private scanned = false;
  private failure: FailureReason | null = null;

  constructor(
    private readonly job: Job,
    { request, ...state }: KnownReplay,
    private readonly parts: RunnerParts,
  ) {
    this.request = request;
    this.book = new Book(state);
    this.pace = new Pace(request.rate_per_second);
    this.lanes = new Lanes(this.destination()?.ordering ?? 'relaxed');
    this.replay = {
      replayId: request.id,
      dedupeStrategy: request.dedupe_strategy,
      schedule: parts.schedule,
    };
  }

  /**
   * Resolves when the job has ended or the signal aborts; requests under way then end and are
   * counted. Throws what broke it; a later run goes on.
   */
  async run(signal: AbortSignal): Promise<void> {
    const halt = (): void => {
      this.stop.abort();
    };
    signal.addEventListener('abort', halt, { once: true });
    if (signal.aborted) halt();
    const faults: unknown[] = [];
    const watched = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => {
        // What ends because it was told to stop has not broken.
        if (error === this.signal.reason) return;
        faults.push(error);
        halt();
      });
    const writing = watched(this.writeNowAndThen());
    await Promise.all([watched(this.scan()), watched(this.send())]);
    const finished = !this.stop.signal.aborted;
    while (this.inFlight > 0) await this.changed.wait(LOOK_EVERY_MS, this.settled.signal);
    this.settled.abort();
    await writing;
    signal.removeEventListener('abort', halt);
    if (!faults.some((fault) => fault instanceof JobLost)) await this.write();
    if (faults.length > 0) throw faults[0] as Error;
    if (this.failure !== null) await this.job.fail(this.failure);
    else if (finished) await this.job.finish();
  }

  /** Hands out what is selected, in the order of the log. */
  private async scan(): Promise<void> {
    for (const waiting of this.book.waitingEvents()) this.lanes.add(toWork(waiting));
    const { position_from: first } = this.request;
    if (first !== null) await this.scanFrom(BigInt(first));
    this.scanned = true;
    this.changed.rouse();
  }

  private async scanFrom(first: bigint): Promise<void> {
    const { connection } = this.parts;
    const stream = deliverable(scopeOf(this.request));
    if (this.book.next >= 0)
      await this.parts.log.untilProjected(this.request.destination_id, this.signal);
    else this.book.scanned(await findRevision(connection, stream, first));
    const { wants, narrowing } = await this.filters();
    // The entry before tells whether an earlier run has come to the end.
    const from = Math.max(0, this.book.next - 1);
    const end = BigInt(this.request.position_to ?? -1);
    const alone = (): boolean => this.parts.courtesy.alone;
    const options = { from, end, narrowing, alone, signal: this.signal };
    for await (const page of scanTo(connection, stream, options)) {
      await this.parts.courtesy.turn(this.signal);
      await this.handOut(page, wants);
      if (this.isScanned(page) || this.signal.aborted) return;
      await this.room();
    }
    if (!this.signal.aborted) this.tellLost();
  }

  /** What is to be handed out: nothing that an earlier run was done with. */
  private async filters(): Promise<{ wants: Wants; narrowing: Narrowing }> {
    const { connection } = this.parts;
    const { retry_of: retried } = this.request;
    const subscriberIds = await subscribersOf(connection, this.request);
    const eventIds = retried === null ? null : new Set(await failedEventsOf(connection, retried));
    const selected = selects(this.request, { eventIds });
    const first = this.book.next;
    return {
      narrowing: narrowingOf(this.request, { subscriberIds }),
      wants: (event) =>
        event.linkRevision >= first && !this.book.isDone(event.linkRevision) && selected(event),
    };
  }

  private async handOut({ events, next }: ScannedPage, wants: Wants): Promise<void> {
    const destination = this.destination();
    if (destination === undefined) {
      this.failJob(this.whyNot());
      return;
    }
    const wanted = events.filter(wants).filter(isDeliverable);
    const past = await this.parts.log.past(destination, wanted);
    // From here to the end in one turn: the book is whole again when others look at it.
    for (const event of wanted) this.handOutOne(event, past.get(event.id));
    this.book.scanned(next);
    this.changed.rouse();
  }

  private handOutOne(event: SelectedEvent, past: PastDelivery | undefined): void {
    const { id, dedupe_strategy: strategy } = this.request;
    const revision = event.linkRevision;
    if (past?.delivered === true) {
      // An earlier run of this job delivered it and had no time to count it, nor that it had seen it.
      if (past.replayId === id) {
        this.book.take(revision);
        this.book.deliver(revision);
        return;
      }
      if (strategy === 'skip_existing') {
        this.book.skip(revision);
        return;
      }
    }
    this.book.take(revision);
    this.lanes.add(toFreshWork(event, past?.firstSentAt ?? null));
  }

  private isScanned({ reached: last }: ScannedPage): boolean {
    const reached = last ?? -1n;
    const end = BigInt(this.request.position_to ?? -1);
    // The events of one append may share a position: those that are counted must all be seen.
    return reached > end || (reached === end && this.book.seen >= this.request.events_matched);
  }

  /** `events_matched` is corrected at the end of the job; whoever runs the service should know why. */
  private tellLost(): void {
    const { id: replay_id, events_matched } = this.request;
    const found = { replay_id, events_matched, events_found: this.book.seen };
    log.warn(found, 'selected events are gone from the log: a replay goes on without them');
  }

  private async room(): Promise<void> {
    const isFull = (): boolean => {
      const queuedMax = this.parts.courtesy.alone ? QUEUED_MAX : QUEUED_BESIDE_LIVE_MAX;
      return this.lanes.size - this.book.waiting >= queuedMax || this.book.waiting >= WAITING_MAX;
    };
    while (isFull() && !this.signal.aborted) await this.changed.wait(LOOK_EVERY_MS, this.signal);
  }

  private async send(): Promise<void> {
    for (;;) {
      const work = await this.nextWork();
      if (work === null) return;
      await this.pace.turn(this.signal);
      await this.parts.courtesy.turn(this.signal);
      const destination = this.destination();
      if (destination === undefined) continue;
      const gate = this.parts.gates.of(destination);
      const pass = await gate.admitted(this.signal).catch(() => null);
      // What is not sent now is open in the book: the next run takes it up.
      if (pass === null || this.signal.aborted) {
        pass?.leave();
        return;
      }
      void this.attempt(work, destination, pass);
    }
  }

  /** Null when everything is settled, or nothing more is to be sent. */
  private async nextWork(): Promise<Work | null> {
    for (;;) {
      if (this.destination() === undefined) this.failJob(this.whyNot());
      if (this.signal.aborted) return null;
      const nowMs = this.nowMs();
      const work = this.book.unwritten < UNWRITTEN_MAX ? this.lanes.next(nowMs) : null;
      if (work !== null) return work;
      if (this.scanned && this.book.unsettled === 0) return null;
      const dueMs = this.lanes.nextDueMs() ?? Infinity;
      await this.changed.wait(Math.min(LOOK_EVERY_MS, Math.max(1, dueMs - nowMs)), this.signal);
    }
  }

  private async attempt(work: Work, destination: DeliveryDestination, pass: Pass): Promise<void> {
    this.inFlight += 1;
    try {
      const attempted = await this.parts.attempts.make(work, destination, {
        kind: 'replay',
        replay: this.replay,
      });
      // Before the place is free for the next one.
      if (attempted.verdict.kind === 'gone') this.failJob('destination_gone');
      if (attempted.verdict.kind === 'delivered') this.parts.gates.of(destination).onDelivered();
      pass.leave();
      await this.conclude(attempted);
    } catch (error) {
      // Nothing was sent: the store or the vault did not answer. It is no attempt.
      warnOfFailure('a replayed delivery cannot be prepared: it waits', this.request.id, error, {
        event_id: work.eventId,
      });
      const pauseMs = PAUSE_AFTER_FAULT_MS * (0.5 + Math.random());
      this.lanes.retry({ ...work, notBeforeMs: this.nowMs() + pauseMs });
    } finally {
      pass.leave();
      this.inFlight -= 1;
      this.changed.rouse();
    }
  }

  private async conclude({ work, facts, verdict }: Attempted): Promise<void> {
    const { categoryRevision: revision, eventId } = work;
    switch (verdict.kind) {
      case 'delivered':
        this.finish(eventId);
        await this.record(work, { ...facts, kind: 'delivered' });
        this.book.deliver(revision);
        return;
      case 'gone':
        await this.switchOff(facts);
        await this.giveUp(work, facts);
        return;
      case 'failed':
        await this.giveUp(work, facts);
        return;
      case 'retry': {
        // A replay looks up again when the event was first sent live: its own attempts do not count.
        const { firstSentAt: _, ...retried } = work;
        const waiting: Work = {
          ...retried,
          notBeforeMs: this.nowMs() + verdict.afterMs,
          event: null,
        };
        const next_attempt_at = fromMillis(waiting.notBeforeMs);
        await this.record(waiting, { ...facts, kind: 'retrying', next_attempt_at });
        this.book.retryLater(toWaiting(waiting));
        this.lanes.retry(waiting);
      }
    }
  }

  /** The subscriber's next event is sent at once: it does not wait until this outcome is stored. */
  private finish(eventId: string): void {
    this.lanes.finish(eventId);
    this.changed.rouse();
  }

  private async giveUp(work: Work, facts: Partial<Outcome>): Promise<void> {
    this.finish(work.eventId);
    await this.record(work, { ...facts, kind: 'failed' });
    this.book.fail(work.categoryRevision, this.failureOf(work, facts));
  }

  private record(work: Work, facts: Partial<Outcome> & Pick<Outcome, 'kind'>): Promise<void> {
    const { destination_id, id } = this.request;
    const at = this.parts.clock.now();
    const outcome = outcomeOf(work, scopeOf(this.request), { at, ...facts, replay_id: id });
    return this.parts.journal.record(destination_id, outcome);
  }

  private failureOf(work: Work, facts: Partial<Outcome>): FailedEvent {
    return {
      event_id: work.eventId,
      event_type: work.eventType,
      created_at: work.createdAt,
      attempts: work.attempts,
      last_status_code: facts.status_code ?? null,
      last_error: facts.error ?? null,
      last_attempt_at: facts.at ?? this.parts.clock.now(),
    };
  }

  /** D-61: a receiver that answers 410 wants nothing more, live or replayed. */
  private switchOff(facts: Partial<Outcome>): Promise<void> {
    const since = facts.at ?? this.parts.clock.now();
    const failure = { since, lastStatus: facts.status_code ?? null, lastError: null };
    return this.parts.destinations.disable(this.request.destination_id, 'gone', failure);
  }

  private failJob(reason: FailureReason): void {
    if (this.signal.aborted) return;
    this.failure = reason;
    this.stop.abort();
  }

  private async writeNowAndThen(): Promise<void> {
    const startedMs = performance.now();
    let writtenMs = startedMs;
    while (!this.settled.signal.aborted) {
      await rest(WRITE_EVERY_MIN_MS, this.settled.signal);
      const nowMs = performance.now();
      const everyMs = Math.min(WRITE_EVERY_MAX_MS, (nowMs - startedMs) * WRITE_EVERY_SHARE);
      if (nowMs - writtenMs < everyMs && this.book.unwritten < WRITE_AT_UNWRITTEN) continue;
      await this.write();
      writtenMs = nowMs;
      this.changed.rouse();
    }
  }

  /** Brings the job's stream up to date; what the log does not take, it is offered again. */
  private async write(): Promise<void> {
    const progress = this.book.flush();
    if (progress === null) return;
    for (;;) {
      try {
        const { status } = await this.job.write(progress);
        if (status !== 'in_progress') this.stop.abort();
        return;
      } catch (error) {
        if (error instanceof JobLost || this.settled.signal.aborted) throw error;
        warnOfFailure('the progress of a replay cannot be stored yet', this.request.id, error);
        await rest(PAUSE_AFTER_FAULT_MS, this.settled.signal);
      }
    }
  }

  private destination(): DeliveryDestination | undefined {
    return this.parts.destinations.find(this.request.destination_id);
  }

  private whyNot(): FailureReason {
    const deleted = this.parts.destinations.isDeleted(this.request.destination_id);
    return deleted ? 'destination_deleted' : 'destination_disabled';
  }

  private get signal(): AbortSignal {
    return this.stop.signal;
  }

  private nowMs(): number {
    return this.parts.clock.nowMs();
  }
}

const scopeOf = ({ tenant_id: tenantId, environment }: ReplayRequest) => ({
  tenantId,
  environment,
});

type Wants = (event: ScannedEvent) => boolean;
