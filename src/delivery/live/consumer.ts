import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  consumeGroup,
  type Group,
  type GroupBatch,
  type GroupMessage,
  isOwnedElsewhere,
} from '../../event-store/groups';
import { warnOfFailure } from '../../event-store/failures';
import { keepSubscribed, type SubscriptionSession } from '../../event-store/keep-subscribed';
import { deliverableStream } from '../../event-store/streams';
import { fromMillis } from '../../kernel/time';
import { PendingAcks } from './acks';
import type { Attempted } from '../attempt/attempt';
import type { AttemptOptions, ConsumerParts, Ownership } from './consumer-parts';
import type { DeliveryDestination } from '../model/destination';
import { PreparationFailures } from './preparation-failures';
import type { Gate } from '../schedule/gate';
import type { Outcome } from '../journal/journal';
import { HOLD_MS, Lanes } from '../schedule/lanes';
import { type ManualRetry, ManualRetries } from './manual-retries';
import {
  limitOutstanding,
  addJitter,
  computeStandbyRetryMs,
  PAUSE_AFTER_FAILURE_MS,
} from './many-destinations';
import { Outage } from './outage';
import { createResumedWork, createRetry } from './resumed-work';
import { countBacklog, type Backlog } from './backlog';
import {
  type DeliverableEvent,
  isForDestination,
  createOutcome,
  createWork,
  type Work,
} from '../journal/work';

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
 * The longest sleep before the due times are compared with the clock again. They are wall-clock
 * times: a clock that was wrong for a moment would otherwise delay retries for as long as it was
 * wrong by.
 */
const CLOCK_CHECK_MS = 10_000;

/**
 * Delivers the events of one destination. It subscribes to the destination's group, filters the
 * events, attempts them in the order of the lanes, journals each outcome and acknowledges the event
 * only then. The owner of the group also runs the retries, so two processes never deliver to one
 * destination at the same time.
 */
export class Consumer {
  private readonly lanes: Lanes<Work>;
  private readonly acks = new PendingAcks();
  private readonly outage: Outage;
  private readonly gate: Gate;
  /** Ids of events whose delivery has ended but whose outcome is not yet stored in the journal. */
  private readonly journalling = new Set<string>();
  private readonly manual: ManualRetries;
  private isManualTurn = false;
  private readonly preparationFailures = new PreparationFailures();
  private runningCount = 0;
  private journalledTo = -1;
  private timer: NodeJS.Timeout | undefined;
  /** Emits `room` when the consumer can pull more messages. */
  private readonly changes = new EventEmitter();
  private ownership: Ownership | null = null;
  private stopping = false;

  constructor(
    private readonly destination: DeliveryDestination,
    private readonly parts: ConsumerParts,
  ) {
    this.lanes = new Lanes(destination.ordering);
    this.outage = new Outage(destination.id, parts.destinations);
    this.manual = new ManualRetries({
      attempt: (work) => this.attempt(work, 'manual'),
      journalAndAck: (work, facts) => this.record(work, facts),
    });
    this.gate = parts.gates.gateFor(destination);
    this.gate.onLiveRoom = () => {
      this.startDueAttempts();
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
        this.acks.discardAll();
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
    this.startDueAttempts();
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
      this.startDueAttempts();
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
    const found = await this.parts.log.recover(this.currentDestination(), signal);
    signal.throwIfAborted();
    this.journalledTo = found.journalledTo;
    this.outage.recover(found, this.monotonicMs());
    this.warnIfOutageIsLong();
    for (const work of createResumedWork(found, this.nowMs(), this.parts.destinations)) {
      const isKnown = this.journalling.has(work.eventId) || this.lanes.get(work.eventId);
      if (!isKnown) this.lanes.add(work);
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
        .map(({ event }) => event?.id ?? ''),
    );
    signal.throwIfAborted();
    const done = new Set(messages);
    for (const message of wanted) {
      const event = message.event as DeliverableEvent;
      if (known.has(event.id) && this.lanes.get(event.id) === undefined) continue;
      if (this.acceptMessage(message, event, ack)) done.delete(message);
    }
    await ack([...done]);
  }

  /** True if the message must not be acknowledged until its outcome is journalled. */
  private acceptMessage(
    message: GroupMessage,
    event: DeliverableEvent,
    ack: GroupBatch['ack'],
  ): boolean {
    const waiting = this.lanes.get(event.id);
    // The record of a deferred event may not be stored yet when its message arrives a second time.
    if (waiting?.journalled === true && !this.acks.has(event.id)) return false;
    this.acks.add(event.id, { message, ack });
    if (waiting !== undefined || this.journalling.has(event.id)) return true;
    const nowMs = this.nowMs();
    const work = createWork(event, message.categoryRevision, nowMs + HOLD_MS);
    const held = this.lanes.isHeld(work, nowMs);
    this.lanes.add(work);
    if (held) this.recordDeferred([work]);
    return true;
  }

  /** Starts every attempt that may run now, and sets a timer for the next one. */
  private startDueAttempts(): void {
    clearTimeout(this.timer);
    const destination = this.parts.destinations.find(this.destination.id);
    // The destination may just have been disabled or deleted, or another process may own it. Its
    // waiting deliveries stay in the journal. They are loaded again when the destination is
    // enabled, or by the new owner.
    if (destination === undefined || !this.mayStart) return;
    this.parts.gates.gateFor(destination);
    this.lanes.ordering = destination.ordering;
    const nowMs = this.nowMs();
    while (this.startOne(nowMs));
    const waitMs = this.msUntilScheduledStart();
    const manualWaits = this.manual.first !== null;
    const liveWaits = waitMs > 0 && !this.outage.isOpen && this.lanes.hasReady;
    this.gate.setLiveWaiting(manualWaits || liveWaits);
    const nextMs = waitMs === 0 ? (this.lanes.nextDueMs() ?? Infinity) - nowMs : waitMs;
    this.setTimer(manualWaits ? Math.min(nextMs, this.msUntilAnyStart()) : nextMs);
  }

  private get mayStart(): boolean {
    return !this.stopping && this.isHeld(this.ownership) && this.ownership.isReady;
  }

  /**
   * Alternates between scheduled deliveries and manual retries, so that neither can starve the
   * other.
   */
  private startOne(nowMs: number): boolean {
    this.isManualTurn = !this.isManualTurn;
    return this.isManualTurn
      ? this.startManual() || this.startScheduled(nowMs)
      : this.startScheduled(nowMs) || this.startManual();
  }

  private startScheduled(nowMs: number): boolean {
    if (this.msUntilScheduledStart() > 0) return false;
    const work = this.outage.isOpen ? this.lanes.startProbe(nowMs) : this.lanes.startNext(nowMs);
    if (work === null) return false;
    void this.runOne(work);
    return true;
  }

  private startManual(): boolean {
    if (this.manual.first === null || this.msUntilAnyStart() > 0) return false;
    const retry = this.manual.takeFirst();
    if (retry === null) return false;
    const taken = this.lanes.startOutOfTurn(retry.eventId);
    const waiting = this.lanes.get(retry.eventId);
    if (taken !== null) void this.runOne(taken, taken.attempts > 0);
    else if (waiting !== undefined)
      this.lanes.update({ ...waiting, notBeforeMs: 0, heldUntilMs: 0 });
    else if ('status' in retry)
      void this.runInsideGate(() => this.manual.retryEndedDelivery(retry));
    return true;
  }

  /**
   * Returns the milliseconds until the limits and the breaker admit a scheduled delivery. Due times
   * of single deliveries are not considered. Infinity means that an event will announce it.
   */
  private msUntilScheduledStart(): number {
    const { probeAtMs } = this.outage;
    if (probeAtMs === null) return this.msUntilAnyStart();
    if (this.runningCount > 0) return Infinity;
    const probeInMs = probeAtMs - this.monotonicMs();
    return probeInMs > 0 ? probeInMs : this.msUntilAnyStart();
  }

  /**
   * Returns the milliseconds until the limits admit any attempt, including a manual one, which
   * ignores the breaker.
   */
  private msUntilAnyStart(): number {
    const pauseMs = this.preparationFailures.waitMs(this.monotonicMs());
    return pauseMs > 0 ? pauseMs : this.gate.waitMs();
  }

  private setTimer(ms: number): void {
    if (ms === Infinity) return;
    this.timer = setTimeout(
      () => {
        this.startDueAttempts();
      },
      Math.min(Math.max(1, ms), CLOCK_CHECK_MS),
    );
  }

  /** Runs an attempt that holds a pass of the destination's gate until it ends. */
  private async runInsideGate(attempt: () => Promise<void>): Promise<void> {
    const pass = this.gate.enter();
    this.runningCount += 1;
    try {
      await attempt();
    } finally {
      this.runningCount -= 1;
      pass.leave();
    }
  }

  private runOne(work: Work, isManual = false): Promise<void> {
    const isProbe = this.outage.isOpen;
    return this.runInsideGate(async () => {
      try {
        await this.deliver(work, { isProbe, isManual });
      } catch {
        this.lanes.retry({
          ...work,
          notBeforeMs: this.nowMs() + addJitter(PAUSE_AFTER_FAILURE_MS),
        });
      }
    });
  }

  /**
   * Makes one attempt. It throws if nothing was sent because the event store or the vault did not
   * answer; that does not count as an attempt.
   */
  private async attempt(work: Work, kind: 'live' | 'retry' | 'manual'): Promise<Attempted> {
    try {
      const attempted = await this.parts.attempts.make(work, this.currentDestination(), { kind });
      this.preparationFailures.recordSuccess();
      this.recordHealth(attempted);
      return attempted;
    } catch (error) {
      this.preparationFailures.recordFailure(
        work.eventId,
        this.monotonicMs(),
        this.outage.isOpen,
        Math.random(),
      );
      warnOfFailure('a delivery cannot be prepared: it waits', this.destination.id, error, {
        event_id: work.eventId,
      });
      throw error;
    }
  }

  private async deliver(work: Work, { isProbe, isManual }: AttemptOptions): Promise<void> {
    const tried = isManual ? { ...work, manualAttempts: (work.manualAttempts ?? 0) + 1 } : work;
    const scheduled = work.attempts > 0 ? 'retry' : 'live';
    const attempted = await this.attempt(tried, isManual ? 'manual' : scheduled);
    const { kind } = attempted.verdict;
    const wasSent = attempted.facts.at !== undefined;
    if (isProbe && wasSent && (kind === 'retry' || kind === 'failed')) {
      // A failed probe does not count in the retry schedule, because an outage may last longer than
      // the schedule.
      this.lanes.postponeProbe({ ...work, event: attempted.work.event }, this.nowMs());
      return;
    }
    this.applyVerdict(attempted, isManual ? Math.max(work.notBeforeMs, this.nowMs()) : null);
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
  private applyVerdict({ work, verdict, facts }: Attempted, dueMs: number | null): void {
    switch (verdict.kind) {
      case 'retry':
        this.retryLater(work, facts, dueMs ?? this.nowMs() + verdict.afterMs);
        return;
      case 'gone':
        // The delivery waits until the destination is enabled again, and is due then.
        this.retryLater(work, { ...facts, next_attempt_at: facts.at ?? null }, Infinity);
        void this.outage.disableAsGone(this.parts.clock, facts, () => this.stopping);
        return;
      case 'delivered':
      case 'failed':
        this.finish(work, { ...facts, kind: verdict.kind });
    }
  }

  private finish(work: Work, facts: Partial<Outcome> & Pick<Outcome, 'kind'>): void {
    this.journalling.add(work.eventId);
    this.lanes.finish(work.eventId);
    this.changes.emit('room');
    void this.record(work, facts);
  }

  private retryLater(work: Work, facts: Partial<Outcome>, dueMs: number): void {
    const waiting = createRetry(work, dueMs, this.nowMs());
    const held = this.lanes.retry(waiting);
    void this.record(waiting, {
      next_attempt_at: dueMs === Infinity ? null : fromMillis(dueMs),
      ...facts,
      kind: 'retrying',
    });
    this.recordDeferred(held.filter(({ journalled }) => !journalled));
  }

  /**
   * Journals events that wait behind a failing one of the same subscriber, so that their messages
   * can be acknowledged.
   */
  private recordDeferred(held: readonly Work[]): void {
    for (const work of held) {
      this.lanes.update({ ...work, journalled: true, event: null });
      const heldUntil = fromMillis(work.heldUntilMs);
      void this.record(work, { kind: 'deferred', next_attempt_at: heldUntil });
    }
  }

  /** Journals an outcome and acknowledges the event only after that. */
  private async record(work: Work, facts: Partial<Outcome> & Pick<Outcome, 'kind'>): Promise<void> {
    const { id, scope } = this.destination;
    await this.parts.journal.record(
      id,
      createOutcome(work, scope, { at: this.parts.clock.now(), ...facts }),
    );
    // Both in the same turn: a message that arrives between them would never be acknowledged.
    if (facts.kind === 'delivered' || facts.kind === 'failed')
      this.journalling.delete(work.eventId);
    this.acks.markJournalled(work.eventId);
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
    clearTimeout(this.timer);
    this.gate.setLiveWaiting(false);
    while (this.runningCount > 0 || this.journalling.size > 0) await delay(DRAIN_POLL_MS);
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
