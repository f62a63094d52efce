import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  consumeGroup,
  type Group,
  type GroupBatch,
  isOwnedElsewhere,
} from '../../event-store/groups';
import { warnOfFailure } from '../../event-store/failures';
import { keepSubscribed, type SubscriptionSession } from '../../event-store/keep-subscribed';
import { deliverableStream } from '../../event-store/streams';
import type { Attempted } from '../attempt/attempt';
import { AttemptStarter } from './attempt-starter';
import type { AttemptOptions, ConsumerParts, Ownership } from './consumer-parts';
import type { DeliveryDestination } from '../model/destination';
import { UnknownEventType } from '../model/render';
import { PreparationFailures } from './preparation-failures';
import { DestinationClosed, type Gate } from '../schedule/gate';
import { computeDueAfterProbe, Lanes } from '../schedule/lanes';
import { disableAsGone } from './gone-receiver';
import { type ManualRetry, ManualRetries } from './manual-retries';
import { limitOutstanding, computeStandbyRetryMs } from './many-destinations';
import { Outage } from './outage';
import { OutcomeRecorder } from './outcome-recorder';
import { createResumedWork } from './resumed-work';
import { countBacklog, type Backlog } from './backlog';
import type { LatestDelivery } from '../journal/delivery-log';
import { addUnscheduled, isForDestination, type Work } from '../journal/work';

/**
 * The consumer stops pulling when this many deliveries of one destination wait. The rest stays in
 * the log.
 */
const WAITING_MAX = 10_000;
/**
 * This limit replaces WAITING_MAX while the breaker is open. Each probe needs a delivery, so the
 * consumer pulls a few even then. There are several, so that one event that the receiver can never
 * accept does not keep the breaker open.
 */
const WAITING_WHILE_PROBING_MAX = 10;
const DRAIN_POLL_MS = 100;

/**
 * Delivers the events of one destination. It subscribes to the destination's group, filters the
 * events, attempts them in the order of the lanes (`attempt-starter.ts`), journals each outcome and
 * acknowledges the event only then (`outcome-recorder.ts`). The owner of the group also runs the
 * retries, so two processes never deliver to one destination at the same time.
 */
export class Consumer {
  private readonly lanes: Lanes<Work>;
  private readonly outage: Outage;
  private readonly gate: Gate;
  private readonly recorder: OutcomeRecorder;
  private readonly manual: ManualRetries;
  private readonly preparationFailures = new PreparationFailures();
  private readonly starter: AttemptStarter;
  private journalledTo = -1;
  /** Emits `room` when the consumer can pull more messages. */
  private readonly changes = new EventEmitter();
  private ownership: Ownership | null = null;
  private stopping = false;

  constructor(
    private readonly destination: DeliveryDestination,
    private readonly parts: ConsumerParts,
  ) {
    const { clock, journal } = parts;
    this.lanes = new Lanes(destination.ordering);
    this.outage = new Outage(destination.id, parts.destinations);
    this.recorder = new OutcomeRecorder({ destination, lanes: this.lanes, journal, clock });
    this.manual = new ManualRetries({
      findLatest: (eventId) => this.findLatest(eventId),
      attempt: (work) => this.attempt(work, 'manual'),
      journalAndAck: (work, facts) => this.recorder.record(work, facts),
    });
    this.gate = parts.gates.gateFor(destination);
    const { lanes, manual, outage, preparationFailures, gate } = this;
    this.starter = new AttemptStarter(
      { lanes, manual, outage, preparationFailures, gate, clock },
      {
        prepareStart: () => this.prepareStart(),
        deliver: (work, options) => this.deliver(work, options),
      },
    );
    this.gate.onLiveRoom = () => {
      this.starter.startDueAttempts();
    };
    this.gate.onReplayDelivered = () => {
      this.recordSuccess();
    };
  }

  /**
   * Runs until the signal aborts. Attempts in flight then finish, and their outcomes are journalled
   * and acknowledged.
   */
  async run(signal: AbortSignal): Promise<void> {
    const session = new AbortController();
    signal.addEventListener('abort', () => {
      void this.drain().finally(() => {
        session.abort();
      });
    });
    const { connection } = this.parts;
    const name = `destination ${this.destination.id}`;
    await keepSubscribed({ connection, name, signal: session.signal }, async (subscription) => {
      try {
        await this.consumeGroup(session.signal, subscription);
      } catch (error) {
        if (!isOwnedElsewhere(error)) throw error;
        subscription.markHealthy();
        subscription.watched.recordAnswer();
        await delay(computeStandbyRetryMs(this.parts.destinations.listActive().length), undefined, {
          signal: session.signal,
        });
      } finally {
        this.ownership = null;
        this.recorder.discardMessages();
        this.lanes.forgetWaiting();
        this.manual.forgetWaiting();
        // Another process makes the live deliveries now, so the replays of this process need not
        // wait for them.
        this.gate.setLiveWaiting(false);
      }
    });
  }

  /**
   * Returns for how many milliseconds this process has owned the destination; null if another
   * process owns it.
   */
  ownedForMs(): number | null {
    return this.isHeld(this.ownership) ? this.monotonicMs() - this.ownership.sinceMs : null;
  }

  /**
   * Counts the deliveries that wait for their turn or for their next retry, with the time of the
   * oldest one.
   */
  countBacklog(): Backlog {
    return countBacklog(this.lanes, this.nowMs(), this.outage.isOpen);
  }

  /**
   * Sends the warnings about a long outage (D-63) when they are due, even if nothing is attempted.
   */
  warnIfOutageIsLong(): void {
    if (this.isHeld(this.ownership)) this.outage.warnIfDue(this.parts.clock.now());
  }

  /**
   * Attempts a delivery out of turn, as soon as the limits of the destination admit it. A process
   * that does not own the destination ignores the request: the owner receives it too.
   */
  retryNow(retry: ManualRetry): void {
    if (!this.isHeld(this.ownership) || this.stopping) return;
    this.manual.add(retry);
    this.starter.startDueAttempts();
  }

  private async consumeGroup(
    signal: AbortSignal,
    { markHealthy, watched }: SubscriptionSession,
  ): Promise<void> {
    const { id, scope, startRevision } = this.destination;
    const group: Group = { stream: deliverableStream(scope), name: id, startRevision };
    const batches = consumeGroup(this.parts.connection, group, {
      signal,
      outstandingMax: limitOutstanding(this.parts.destinations.listActive().length),
      watched,
    });
    for await (const batch of batches) {
      markHealthy();
      if (this.ownership === null) await this.recover(batch.signal);
      await this.acceptBatch(batch);
      this.starter.startDueAttempts();
      await this.waitForRoom(batch.signal);
    }
  }

  /** Resolves when more messages can be pulled. Throws when the ownership is lost. */
  private async waitForRoom(signal: AbortSignal): Promise<void> {
    while (this.isFull()) {
      await once(this.changes, 'room', { signal }).catch(() => {
        signal.throwIfAborted();
      });
    }
  }

  private isHeld(ownership: Ownership | null): ownership is Ownership {
    return ownership?.signal.aborted === false;
  }

  /**
   * True if no more messages are to be pulled. Almost none are pulled while the breaker is open:
   * the log is the queue.
   */
  private isFull(): boolean {
    return this.lanes.size >= (this.outage.isOpen ? WAITING_WHILE_PROBING_MAX : WAITING_MAX);
  }

  /**
   * Loads the deliveries that earlier sessions left waiting, and how far the journal reaches.
   * Waiting deliveries of this process's own earlier session are dropped first: another process may
   * have owned the destination in between.
   */
  private async recover(signal: AbortSignal): Promise<void> {
    const ownership: Ownership = { sinceMs: this.monotonicMs(), signal, isReady: false };
    this.ownership = ownership;
    this.lanes.forgetWaiting();
    const found = await this.parts.log.loadRecoveredState(this.currentDestination(), signal);
    signal.throwIfAborted();
    this.journalledTo = found.journalledTo;
    this.outage.recover(found, this.monotonicMs());
    this.warnIfOutageIsLong();
    for (const work of createResumedWork(found, this.nowMs(), this.parts.destinations)) {
      if (!this.recorder.isPending(work.eventId)) this.lanes.add(work);
    }
    // Requests that arrived during the load are kept. Adding the same request again has no effect.
    for (const request of found.requestedEnded) this.manual.add(request);
    for (const eventId of found.requestedPending) this.manual.add({ eventId });
    ownership.isReady = true;
  }

  private async acceptBatch({ messages, signal, ack }: GroupBatch): Promise<void> {
    const destination = this.currentDestination();
    const wanted = messages.filter((message) => isForDestination(message, destination));
    const known = await this.parts.log.findKnown(
      this.destination.id,
      wanted
        .filter(({ categoryRevision }) => categoryRevision <= this.journalledTo)
        .map(({ event }) => event.id),
    );
    signal.throwIfAborted();
    const done = new Set(messages);
    for (const message of wanted) {
      const { event } = message;
      if (known.has(event.id) && this.lanes.get(event.id) === undefined) continue;
      if (this.recorder.acceptMessage(message, event, ack)) done.delete(message);
    }
    await ack([...done]);
  }

  /** Applies the current settings of the destination. Returns false if no attempt may start now. */
  private prepareStart(): boolean {
    const destination = this.parts.destinations.find(this.destination.id);
    // The destination may just have been disabled or deleted, or another process may own it. Its
    // waiting deliveries stay in the journal. They are loaded again when the destination is
    // enabled, or by the new owner.
    if (destination === undefined || !this.mayStart) return false;
    this.lanes.ordering = destination.ordering;
    return !this.parts.gates.gateFor(destination).isClosed;
  }

  /** True if an attempt that has been prepared may be sent. */
  private maySend(): boolean {
    return this.parts.destinations.find(this.destination.id) !== undefined && !this.gate.isClosed;
  }

  private get mayStart(): boolean {
    return !this.stopping && this.isHeld(this.ownership) && this.ownership.isReady;
  }

  /**
   * Makes one attempt. It throws if nothing was sent, because the event store or the vault did not
   * answer, or because this version does not know the event's type; that does not count as an
   * attempt.
   */
  private async attempt(work: Work, kind: 'live' | 'retry' | 'manual'): Promise<Attempted> {
    try {
      const attempted = await this.parts.attempts.make(
        work,
        this.currentDestination(),
        { kind },
        () => this.maySend(),
      );
      this.preparationFailures.recordSuccess();
      this.recordHealth(attempted);
      return attempted;
    } catch (error) {
      if (error instanceof DestinationClosed) throw error;
      this.recordPreparationFailure(work, error);
      warnOfFailure('a delivery cannot be prepared: it waits', this.destination.id, error, {
        event_id: work.eventId,
      });
      throw error;
    }
  }

  /**
   * An event of an unknown type does not show that the store or the vault is down, so it pauses no
   * other delivery. As a probe it delays the next probe like any other.
   */
  private recordPreparationFailure({ eventId }: Work, error: unknown): void {
    const isProbe = this.outage.isOpen;
    if (error instanceof UnknownEventType && !isProbe) return;
    const nowMs = this.monotonicMs();
    this.preparationFailures.recordFailure(eventId, nowMs, isProbe, Math.random());
  }

  private findLatest(eventId: string): Promise<LatestDelivery | null> {
    const { signal } = this.ownership ?? { signal: AbortSignal.abort() };
    return this.parts.log.findLatest(this.destination.id, eventId, signal);
  }

  private async deliver(work: Work, { isProbe, isManual }: AttemptOptions): Promise<void> {
    const tried = isManual || isProbe ? addUnscheduled(work) : work;
    const scheduled = work.attempts > 0 ? 'retry' : 'live';
    const attempted = await this.attempt(tried, isManual ? 'manual' : scheduled);
    const { kind } = attempted.verdict;
    const wasSent = attempted.facts.at !== undefined;
    const unchangedMs = Math.max(work.notBeforeMs, this.nowMs());
    if (isProbe && wasSent && (kind === 'retry' || kind === 'failed')) {
      const dueMs = isManual ? unchangedMs : computeDueAfterProbe(work.notBeforeMs, this.nowMs());
      const nextMs = await this.planUnlessDisabled(dueMs);
      this.recorder.retryAfterProbe(attempted.work, attempted.facts, nextMs);
      return;
    }
    await this.applyVerdict(attempted, isManual ? unchangedMs : null);
  }

  /** Updates the health of the destination from the result of an attempt. */
  private recordHealth({ work, verdict, facts }: Attempted): void {
    if (verdict.kind === 'delivered') {
      this.recordSuccess();
    } else if (facts.at !== undefined) {
      this.outage.recordFailure(work.eventId, this.monotonicMs(), { ...facts, at: facts.at });
    }
  }

  private recordSuccess(): void {
    if (!this.outage.recordSuccess()) return;
    this.lanes.wakeAll();
    this.changes.emit('room');
  }

  /**
   * Applies the verdict of an attempt. `dueMs` is the due time of the next attempt after a manual
   * one; null means that the schedule sets it.
   */
  private async applyVerdict(
    { work, verdict, facts }: Attempted,
    dueMs: number | null,
  ): Promise<void> {
    switch (verdict.kind) {
      case 'retry':
        this.recorder.retryLater(
          work,
          facts,
          await this.planUnlessDisabled(dueMs ?? this.nowMs() + verdict.afterMs),
        );
        return;
      case 'gone':
        void disableAsGone(this.parts, this.currentDestination(), facts, () => this.stopping);
        await this.planUnlessDisabled(Infinity);
        this.recorder.retryLater(work, facts, Infinity);
        return;
      case 'delivered':
      case 'failed':
        this.recorder.finish(work, { ...facts, kind: verdict.kind });
        this.changes.emit('room');
    }
  }

  /**
   * Returns the due time of the next attempt. After a 410, the outcomes of attempts in flight wait
   * until the disabling is stored. No next attempt is planned then (Infinity): the delivery is due
   * when the destination is enabled.
   */
  private async planUnlessDisabled(dueMs: number): Promise<number> {
    await this.gate.waitUntilDisabled();
    return this.maySend() ? dueMs : Infinity;
  }

  /**
   * Returns the current state of the destination. Its URL, secrets and limits may have changed
   * since the consumer started.
   */
  private currentDestination(): DeliveryDestination {
    return this.parts.destinations.find(this.destination.id) ?? this.destination;
  }

  private async drain(): Promise<void> {
    this.stopping = true;
    this.starter.stop();
    while (this.starter.isRunning || this.recorder.isStoring) await delay(DRAIN_POLL_MS);
  }

  /**
   * Returns the wall clock, which due times in the journal use. Pauses and rate limits use
   * `monotonicMs`.
   */
  private nowMs(): number {
    return this.parts.clock.nowMs();
  }

  private monotonicMs(): number {
    return this.parts.clock.monotonicMs();
  }
}
