import { hasFoundAll, readPositions } from './selection';
import type { Attempted, Attempts, ReplayAttempt } from '../../delivery/attempt/attempt';
import type { DeliveryLog, PastDelivery } from '../../delivery/journal/delivery-log';
import type { DeliveryDestination, Destinations } from '../../delivery/model/destination';
import type { Pass } from '../../delivery/schedule/gate';
import { DestinationClosed } from '../../delivery/schedule/gate';
import type { Gates } from '../../delivery/schedule/gates';
import type { Journal, Outcome } from '../../delivery/journal/journal';
import { Lanes } from '../../delivery/schedule/lanes';
import { createOutcome, type Work } from '../../delivery/journal/work';
import type { EventStoreConnection } from '../../event-store/connection';
import { warnOfFailure } from '../../event-store/failures';
import { deliverableStream } from '../../event-store/streams';
import type { Schedule } from '../../kernel/backoff';
import { unreachable } from '../../kernel/decider';
import { type Clock, fromMillis } from '../../kernel/time';
import { log } from '../../ops/log';
import { ReplayTally } from '../progress/replay-tally';
import type { LivePriority } from './live-priority';
import type { ReplayRun } from '../progress/replay-run';
import { scanUntilFound } from './late-links';
import { ProgressWriter, UNWRITTEN_MAX } from './progress-writer';
import { RateLimiter } from './rate-limiter';
import { ReplayTarget } from './replay-target';
import { JobLost, type KnownReplay } from '../../domain/replays/replay.decider';
import type { FailureReason, ReplayRequest } from '../../domain/replays/replay.events';
import {
  isDeliverable,
  toFailedEvent,
  type SelectedEvent,
  toFirstWork,
  toWaitingEvent,
  toRetryWork,
} from './replay-work';
import { WakeSignal } from '../../ops/wake-signal';
import { findRevision, type ScannedPage } from './scan';
import { createRunFilters, type IsSelected } from './run-filters';

/** Maximum of events that are read but not sent. Above it the scan pauses: the log is the queue. */
const QUEUED_MAX = 1_000;
/**
 * Maximum of events that are read but not sent while live deliveries are active, so that they get
 * more processor time.
 */
const QUEUED_WITH_LIVE_MAX = 25;
/** Maximum of events that wait for their next attempt. Above it the scan pauses. */
const WAITING_MAX = 20_000;
/** Interval at which a disabled destination or a due retry is noticed. */
const POLL_MS = 500;
const PAUSE_AFTER_FAILURE_MS = 1_000;

export interface RunnerParts {
  readonly connection: EventStoreConnection;
  readonly destinations: Destinations;
  readonly log: DeliveryLog;
  readonly journal: Journal;
  readonly attempts: Attempts;
  readonly gates: Gates;
  readonly livePriority: LivePriority;
  readonly clock: Clock;
  readonly schedule: Schedule;
}

/**
 * One run of a job, continuing where the last one stopped. A scan of the category stream queues the
 * selected events, senders attempt them in the order of the lanes, and the tally is written to the
 * stream of the job at intervals. An outcome is written to the delivery journal first and then to
 * the tally.
 */
export class Runner {
  private readonly request: ReplayRequest;
  private readonly tally: ReplayTally;
  private readonly target: ReplayTarget;
  private readonly lanes: Lanes<Work>;
  private readonly rateLimiter: RateLimiter;
  private readonly replay: ReplayAttempt;
  private readonly wakeSignal = new WakeSignal();
  /** Aborted when nothing new may be sent. */
  private readonly stop = new AbortController();
  /** Aborted when nothing more is to be written. */
  private readonly ended = new AbortController();
  private readonly writer: ProgressWriter;
  private inFlight = 0;
  private isScanComplete = false;
  private failure: FailureReason | null = null;
  private isStopping = false;

  constructor(
    private readonly replayRun: ReplayRun,
    { request, ...state }: KnownReplay,
    private readonly parts: RunnerParts,
  ) {
    this.request = request;
    this.tally = new ReplayTally(state);
    this.writer = new ProgressWriter({
      replayId: request.id,
      tally: this.tally,
      replayRun,
      ended: this.ended.signal,
      onWritten: () => {
        this.wakeSignal.wakeAll();
      },
      onJobEnded: () => {
        this.stop.abort();
      },
    });
    this.rateLimiter = new RateLimiter(request.rate_per_second);
    this.target = new ReplayTarget(request.destination_id, parts);
    this.lanes = new Lanes(this.target.find()?.ordering ?? 'relaxed');
    this.replay = {
      replayId: request.id,
      dedupeStrategy: request.dedupe_strategy,
      schedule: parts.schedule,
    };
  }

  /**
   * Resolves when the job has ended or the signal aborts; attempts in flight then finish and are
   * counted. Throws the error that stopped the run; a later run continues.
   */
  async run(signal: AbortSignal): Promise<void> {
    const halt = (): void => {
      this.isStopping = true;
      this.stop.abort();
    };
    signal.addEventListener('abort', halt, { once: true });
    if (signal.aborted) halt();
    const errors: unknown[] = [];
    const stopOnError = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => {
        // An abort of this run is not a failure.
        if (error === this.signal.reason) return;
        errors.push(error);
        halt();
      });
    const writing = stopOnError(this.writer.writePeriodically());
    await Promise.all([stopOnError(this.scan()), stopOnError(this.sendQueued())]);
    const finished = !this.stop.signal.aborted;
    while (this.inFlight > 0) await this.wakeSignal.wait(POLL_MS, this.ended.signal);
    this.ended.abort();
    await writing;
    signal.removeEventListener('abort', halt);
    if (!errors.some((error) => error instanceof JobLost)) await this.writer.write();
    if (errors.length > 0) throw errors[0] as Error;
    if (this.failure !== null) await this.replayRun.fail(this.failure);
    else if (finished) await this.replayRun.finish();
  }

  /** Queues the selected events in the order of the log. */
  private async scan(): Promise<void> {
    for (const waiting of this.tally.listWaiting()) this.lanes.add(toRetryWork(waiting));
    const { position_from: first } = this.request;
    if (first !== null) await this.scanFrom(BigInt(first));
    this.isScanComplete = true;
    this.wakeSignal.wakeAll();
  }

  private async scanFrom(first: bigint): Promise<void> {
    const { connection } = this.parts;
    const stream = deliverableStream(readScope(this.request));
    if (this.tally.nextRevision >= 0)
      await this.parts.log.waitUntilProjected(this.request.destination_id, this.signal);
    else this.tally.markScannedTo(await findRevision(connection, stream, first));
    const { isSelected, filter } = await createRunFilters(connection, this.request, this.tally);
    // The scan begins one entry earlier, because that entry shows whether an earlier run reached the
    // end.
    const from = Math.max(0, this.tally.nextRevision - 1);
    const { last: end } = readPositions(this.request);
    const hasNoLiveDeliveries = (): boolean => this.parts.livePriority.hasNoLiveDeliveries;
    const options = { from, end, filter, hasNoLiveDeliveries, signal: this.signal };
    for await (const page of scanUntilFound(connection, stream, options)) {
      await this.parts.livePriority.waitForTurn(this.signal);
      await this.queueSelected(page, isSelected);
      if (this.hasReachedEnd(page) || this.signal.aborted) return;
      await this.waitForRoom();
    }
    if (!this.signal.aborted) this.warnOfMissingEvents();
  }

  private async queueSelected(
    { events, next }: ScannedPage,
    isSelected: IsSelected,
  ): Promise<void> {
    const destination = this.target.find();
    if (destination === undefined) {
      this.failJob(this.target.describeFailure());
      return;
    }
    const wanted = events.filter(isSelected).filter(isDeliverable);
    const past = await this.parts.log.findPast(destination, wanted);
    // From here on there is no `await`, so the tally is consistent when other code reads it.
    for (const event of wanted) this.queueOrSkip(event, destination, past.get(event.id));
    this.tally.markScannedTo(next);
    this.wakeSignal.wakeAll();
  }

  private queueOrSkip(
    event: SelectedEvent,
    destination: DeliveryDestination,
    past: PastDelivery | undefined,
  ): void {
    const { id, dedupe_strategy: strategy } = this.request;
    const revision = event.linkRevision;
    if (past?.delivered === true) {
      // An earlier run of this job delivered the event but stopped before it wrote that.
      if (past.replayId === id) {
        this.tally.markOpen(revision);
        this.tally.markDelivered(revision);
        return;
      }
      switch (strategy) {
        case 'skip_existing':
          this.tally.markSkipped(revision);
          return;
        case 'force_redeliver':
          break;
        default:
          unreachable(strategy);
      }
    }
    this.tally.markOpen(revision);
    this.lanes.add(toFirstWork(event, destination, past?.firstSentAt ?? null));
  }

  private hasReachedEnd({ lastPosition }: ScannedPage): boolean {
    return hasFoundAll(this.request, { lastPosition, seen: this.tally.seen });
  }

  /**
   * Warns that events are missing. `events_matched` is corrected at the end of the job, and the
   * operator should know why.
   */
  private warnOfMissingEvents(): void {
    const { id: replay_id, events_matched } = this.request;
    const found = { replay_id, events_matched, events_found: this.tally.seen };
    log.warn(found, 'selected events are no longer in the log: a replay continues without them');
  }

  private async waitForRoom(): Promise<void> {
    const isFull = (): boolean => {
      const queuedMax = this.parts.livePriority.hasNoLiveDeliveries
        ? QUEUED_MAX
        : QUEUED_WITH_LIVE_MAX;
      return this.lanes.size - this.tally.waiting >= queuedMax || this.tally.waiting >= WAITING_MAX;
    };
    while (isFull() && !this.signal.aborted) await this.wakeSignal.wait(POLL_MS, this.signal);
  }

  private async sendQueued(): Promise<void> {
    for (;;) {
      const work = await this.takeNextWork();
      if (work === null) return;
      await this.rateLimiter.waitForTurn(this.signal);
      await this.parts.livePriority.waitForTurn(this.signal);
      const pass = await this.target.admit(this.signal);
      // The destination may have changed during the wait.
      const destination = this.target.find();
      if (pass === null || destination === undefined || this.signal.aborted) {
        pass?.leave();
        // The delivery is sent next if the destination still accepts events. Otherwise it stays open in
        // the tally.
        this.lanes.retry(work);
        continue;
      }
      void this.attempt(work, destination, pass);
    }
  }

  /**
   * Returns the next delivery to attempt; null if everything is finished or nothing more may be
   * sent.
   */
  private async takeNextWork(): Promise<Work | null> {
    for (;;) {
      if (!(await this.target.takesEvents())) this.failJob(this.target.describeFailure());
      if (this.signal.aborted) return null;
      const nowMs = this.nowMs();
      const work = this.tally.unwritten < UNWRITTEN_MAX ? this.lanes.startNext(nowMs) : null;
      if (work !== null) return work;
      if (this.isScanComplete && this.tally.unfinished === 0) return null;
      const dueMs = this.lanes.nextDueMs() ?? Infinity;
      await this.wakeSignal.wait(Math.min(POLL_MS, Math.max(1, dueMs - nowMs)), this.signal);
    }
  }

  private async attempt(work: Work, destination: DeliveryDestination, pass: Pass): Promise<void> {
    this.inFlight += 1;
    try {
      const trigger = { kind: 'replay', replay: this.replay } as const;
      const maySend = (): boolean => this.target.maySend();
      const attempted = await this.parts.attempts.make(work, destination, trigger, maySend);
      // This happens before the pass is free for the next attempt.
      if (attempted.verdict.kind === 'gone') this.failAsGone(destination, attempted.facts);
      if (attempted.verdict.kind === 'delivered') this.target.recordSuccess();
      pass.leave();
      await this.applyVerdict(attempted);
    } catch (error) {
      if (error instanceof DestinationClosed) {
        // The delivery is sent later if the disabling could not be stored. Otherwise it stays open in
        // the tally.
        this.lanes.retry(work);
        return;
      }
      // Nothing was sent, because the event could not be read or rendered. It does not count as
      // an attempt.
      warnOfFailure('a replayed delivery cannot be prepared: it waits', this.request.id, error, {
        event_id: work.eventId,
      });
      const pauseMs = PAUSE_AFTER_FAILURE_MS * (0.5 + Math.random());
      this.lanes.retry({ ...work, notBeforeMs: this.nowMs() + pauseMs });
    } finally {
      pass.leave();
      this.inFlight -= 1;
      this.wakeSignal.wakeAll();
    }
  }

  private async applyVerdict({ work, facts, verdict }: Attempted): Promise<void> {
    const { categoryRevision: revision, eventId } = work;
    switch (verdict.kind) {
      case 'delivered':
        this.endInLane(eventId);
        await this.recordOutcome(work, { ...facts, kind: 'delivered' });
        this.tally.markDelivered(revision);
        return;
      case 'gone':
        await this.target.waitUntilDisabled();
        await this.recordFailure(work, facts);
        return;
      case 'failed':
        await this.recordFailure(work, facts);
        return;
      case 'retry': {
        // The attempts of a replay do not count as live attempts. A retry therefore looks up the
        // time of the first live attempt again.
        const { firstSentAt: _, ...retried } = work;
        const waiting: Work = {
          ...retried,
          notBeforeMs: this.nowMs() + verdict.afterMs,
          event: null,
        };
        const next_attempt_at = fromMillis(waiting.notBeforeMs);
        await this.recordOutcome(waiting, { ...facts, kind: 'retrying', next_attempt_at });
        this.tally.markWaiting(toWaitingEvent(waiting));
        this.lanes.retry(waiting);
      }
    }
  }

  /** The subscriber's next event is sent at once: it does not wait until this outcome is stored. */
  private endInLane(eventId: string): void {
    this.lanes.finish(eventId);
    this.wakeSignal.wakeAll();
  }

  private async recordFailure(work: Work, facts: Partial<Outcome>): Promise<void> {
    this.endInLane(work.eventId);
    await this.recordOutcome(work, { ...facts, kind: 'failed' });
    const failed = toFailedEvent(work, facts, this.parts.clock.now());
    this.tally.markFailed(work.categoryRevision, failed);
  }

  private recordOutcome(
    work: Work,
    facts: Partial<Outcome> & Pick<Outcome, 'kind'>,
  ): Promise<void> {
    const { destination_id, id } = this.request;
    const at = this.parts.clock.now();
    const outcome = createOutcome(work, readScope(this.request), { at, ...facts, replay_id: id });
    return this.parts.journal.record(destination_id, outcome);
  }

  private failAsGone(destination: DeliveryDestination, facts: Partial<Outcome>): void {
    this.failJob('destination_gone');
    this.target.disableAsGone(destination, facts, () => this.isStopping);
  }

  private failJob(reason: FailureReason): void {
    if (this.signal.aborted) return;
    this.failure = reason;
    this.stop.abort();
  }

  private get signal(): AbortSignal {
    return this.stop.signal;
  }

  private nowMs(): number {
    return this.parts.clock.nowMs();
  }
}

const readScope = ({ tenant_id: tenantId, environment }: ReplayRequest) => ({
  tenantId,
  environment,
});
