import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventStoreConnection } from '../../event-store/connection';
import {
  consume,
  type Group,
  type GroupBatch,
  type GroupMessage,
  isTaken,
} from '../../event-store/groups';
import { warnOfFailure } from '../../event-store/failures';
import { resubscribe, type Session } from '../../event-store/resubscribe';
import { deliverable } from '../../event-store/streams';
import { type Clock, fromMillis } from '../../kernel/time';
import { Acks } from './acks';
import type { Attempted, Attempts } from '../attempt/attempt';
import type { DeliveryLog } from '../journal/delivery-log';
import type { DeliveryDestination, Destinations } from '../model/destination';
import { Faults } from './faults';
import type { Gate } from '../schedule/gate';
import type { Gates } from '../schedule/gates';
import type { Journal, Outcome } from '../journal/journal';
import { HOLD_MS, Lanes } from '../schedule/lanes';
import { type ManualRetry, ManualRetries } from './manual-retries';
import { outstandingMax, resumesWithinMs, spread, standByMs } from './many-destinations';
import { Outage } from './outage';
import { waitingIn, type WaitingDeliveries } from './waiting';
import { type DeliverableEvent, isWanted, outcomeOf, toWork, type Work } from '../journal/work';

/** Waiting deliveries of one destination; beyond it the consumer stops pulling: the log is the queue. */
const WAITING_MAX = 10_000;
/**
 * The same while the breaker is open. It closes by a probe, and that takes a delivery: where all have
 * ended, the next must come from the log, and with a few of them no single one decides.
 */
const PROBED_MAX = 10;
/** A delivery that is tried again within this keeps its event in memory; later ones are read again. */
const KEPT_FOR_MS = 10_000;
const DRAIN_POLL_MS = 100;
const PAUSE_AFTER_FAULT_MS = 5_000;

export interface ConsumerParts {
  readonly connection: EventStoreConnection;
  readonly destinations: Destinations;
  readonly log: DeliveryLog;
  readonly journal: Journal;
  readonly attempts: Attempts;
  readonly gates: Gates;
  readonly clock: Clock;
}

/** The group's one place, while it is ours. */
interface Place {
  /** Monotonic. */
  readonly sinceMs: number;
  /** Aborts when it is lost: from then on another process may deliver. */
  readonly signal: AbortSignal;
  /** Whether what an earlier session left is known: until then nothing is started. */
  isReady: boolean;
}

/** How an attempt is begun. */
interface AttemptStart {
  /** It finds out whether an outage is over. */
  readonly isProbe: boolean;
  /** Somebody asked for it, beside the schedule. */
  readonly isByHand: boolean;
}

/**
 * Delivers one destination's events: takes the one place of its group, filters, attempts in the
 * order of the lanes, journals each outcome and only then acks. Whoever holds the group's place
 * also runs the retries, so two processes never deliver to one destination at the same time.
 */
export class Consumer {
  private readonly lanes: Lanes<Work>;
  private readonly acks = new Acks();
  private readonly outage: Outage;
  private readonly gate: Gate;
  /** Finished, and on their way into the journal. */
  private readonly settling = new Set<string>();
  private readonly manual: ManualRetries;
  private manualFirst = false;
  private readonly faults = new Faults();
  private running = 0;
  private journalledTo = -1;
  private timer: NodeJS.Timeout | undefined;
  /** Says `room` when more may be waiting than before. */
  private readonly changes = new EventEmitter();
  private place: Place | null = null;
  private stopping = false;

  constructor(
    private readonly destination: DeliveryDestination,
    private readonly parts: ConsumerParts,
  ) {
    this.lanes = new Lanes(destination.ordering);
    this.outage = new Outage(destination.id, parts.destinations);
    this.manual = new ManualRetries({
      attempt: (work) => this.attempt(work, 'manual'),
      record: (work, facts) => this.record(work, facts),
    });
    this.gate = parts.gates.of(destination);
    this.gate.onRoom = () => {
      this.pump();
    };
    this.gate.onDelivered = () => {
      this.succeeded();
    };
  }

  /** Runs until the signal aborts; attempts under way then end and are journalled and acked. */
  async run(signal: AbortSignal): Promise<void> {
    const session = new AbortController();
    signal.addEventListener('abort', () => {
      void this.drain().finally(() => {
        session.abort();
      });
    });
    const { connection } = this.parts;
    const name = `destination ${this.destination.id}`;
    await resubscribe({ connection, name, signal: session.signal }, async (subscription) => {
      try {
        await this.pull(session.signal, subscription);
      } catch (error) {
        if (!isTaken(error)) throw error;
        subscription.healthy();
        subscription.watched.answered();
        await delay(standByMs(this.parts.destinations.active().length), undefined, {
          signal: session.signal,
        });
      } finally {
        this.place = null;
        this.acks.forget();
        this.lanes.forgetWaiting();
        this.manual.forgetWaiting();
        // Replays of this process must not stand back for what another one delivers.
        this.gate.setLiveWaits(false);
      }
    });
  }

  /** For how long the destination's deliveries have been ours; null = another process makes them. */
  heldForMs(): number | null {
    return this.isOurs(this.place) ? this.monotonicMs() - this.place.sinceMs : null;
  }

  /** What waits here: for its turn, or for its next try; and since when the oldest of it. */
  waiting(): WaitingDeliveries {
    return waitingIn(this.lanes, this.nowMs(), this.outage.isOpen);
  }

  /** An outage is warned of when its time has come, also where nothing is attempted (D-63). */
  lookAfter(): void {
    if (this.isOurs(this.place)) this.outage.look(this.parts.clock.now());
  }

  /**
   * Attempts a delivery out of turn, as soon as the destination's limits let it; what is not ours to
   * deliver is left to whose it is.
   */
  retryNow(retry: ManualRetry): void {
    if (!this.isOurs(this.place) || this.stopping) return;
    this.manual.ask(retry);
    this.pump();
  }

  private async pull(signal: AbortSignal, { healthy, watched }: Session): Promise<void> {
    const { id, scope, startRevision } = this.destination;
    const group: Group = { stream: deliverable(scope), name: id, startRevision };
    const batches = consume(this.parts.connection, group, {
      signal,
      outstandingMax: outstandingMax(this.parts.destinations.active().length),
      watched,
    });
    for await (const batch of batches) {
      healthy();
      if (this.place === null) await this.recover(batch.signal);
      await this.intake(batch);
      this.pump();
      await this.room(batch.signal);
    }
  }

  /** Resolves when there is room for more; throws when the place is lost. */
  private async room(signal: AbortSignal): Promise<void> {
    while (this.isFull()) {
      await once(this.changes, 'room', { signal }).catch(() => {
        signal.throwIfAborted();
      });
    }
  }

  private isOurs(place: Place | null): place is Place {
    return place?.signal.aborted === false;
  }

  /** While the breaker is open nothing is pulled either: the log is the queue. */
  private isFull(): boolean {
    return this.lanes.size >= (this.outage.isOpen ? PROBED_MAX : WAITING_MAX);
  }

  /**
   * Finds again what an earlier session left waiting, and how far its journal reaches. What waits
   * here from a session of our own may be out of date: another process may have had the place since.
   */
  private async recover(signal: AbortSignal): Promise<void> {
    const place = { sinceMs: this.monotonicMs(), signal, isReady: false };
    this.place = place;
    this.lanes.forgetWaiting();
    const found = await this.parts.log.recover(this.current(), signal);
    signal.throwIfAborted();
    this.journalledTo = found.journalledTo;
    this.outage.recover(found, this.monotonicMs());
    this.lookAfter();
    const isFailing = found.failure !== null;
    for (const delivery of found.pending) {
      const { eventId } = delivery;
      if (this.settling.has(eventId) || this.lanes.get(eventId) !== undefined) continue;
      const isRetry = isFailing && delivery.attempts > 0;
      const notBeforeMs = isRetry
        ? Math.max(delivery.notBeforeMs, this.resumesAtMs())
        : delivery.notBeforeMs;
      this.lanes.add({ ...delivery, notBeforeMs, event: null, journalled: true });
    }
    // Beside what was asked for meanwhile, which may be among them.
    for (const request of found.requested) this.manual.ask(request);
    for (const eventId of found.asked) this.manual.ask({ eventId });
    place.isReady = true;
  }

  /**
   * What waits for a receiver that failed last is not tried at once after a start, when all of it may be
   * overdue: calls of the API and receivers that answer go first.
   */
  private resumesAtMs(): number {
    const withinMs = resumesWithinMs(this.parts.destinations.active().length);
    return this.nowMs() + Math.random() * withinMs;
  }

  private async intake({ messages, signal, ack }: GroupBatch): Promise<void> {
    const destination = this.current();
    const wanted = messages.filter((message) => isWanted(message, destination));
    const known = await this.parts.log.known(
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
      if (this.accept(message, event, ack)) done.delete(message);
    }
    await ack([...done]);
  }

  /** True when the message stays outstanding until its outcome is journalled. */
  private accept(message: GroupMessage, event: DeliverableEvent, ack: GroupBatch['ack']): boolean {
    const waiting = this.lanes.get(event.id);
    // A message that comes twice is not acked before the record is stored.
    if (waiting?.journalled === true && !this.acks.isHeld(event.id)) return false;
    this.acks.hold(event.id, { message, ack });
    if (waiting !== undefined || this.settling.has(event.id)) return true;
    const nowMs = this.nowMs();
    const work = toWork(event, message.categoryRevision, nowMs + HOLD_MS);
    const held = this.lanes.isHeld(work, nowMs);
    this.lanes.add(work);
    if (held) this.defer([work]);
    return true;
  }

  /** Starts what may run now, and sets the clock for what becomes due later. */
  private pump(): void {
    clearTimeout(this.timer);
    const destination = this.parts.destinations.find(this.destination.id);
    // Disabled or deleted a moment ago: what waits is found again when it is enabled. So is what
    // waits while the place is not ours: another process delivers it.
    if (destination === undefined || !this.mayStart) return;
    this.parts.gates.of(destination);
    this.lanes.ordering = destination.ordering;
    const nowMs = this.nowMs();
    while (this.startOne(nowMs));
    const waitMs = this.waitMs();
    const manualWaits = this.manual.first !== null;
    const liveWaits = waitMs > 0 && !this.outage.isOpen && this.lanes.hasReady;
    this.gate.setLiveWaits(manualWaits || liveWaits);
    const nextMs = waitMs === 0 ? (this.lanes.nextDueMs() ?? Infinity) - nowMs : waitMs;
    this.wakeIn(manualWaits ? Math.min(nextMs, this.roomInMs()) : nextMs);
  }

  private get mayStart(): boolean {
    return !this.stopping && this.isOurs(this.place) && this.place.isReady;
  }

  /** By turns: many requests do not keep the deliveries waiting, nor a backlog the requests. */
  private startOne(nowMs: number): boolean {
    this.manualFirst = !this.manualFirst;
    return this.manualFirst
      ? this.startManual() || this.startNext(nowMs)
      : this.startNext(nowMs) || this.startManual();
  }

  private startNext(nowMs: number): boolean {
    if (this.waitMs() > 0) return false;
    const work = this.outage.isOpen ? this.lanes.nextProbe(nowMs) : this.lanes.next(nowMs);
    if (work === null) return false;
    void this.runOne(work);
    return true;
  }

  private startManual(): boolean {
    if (this.manual.first === null || this.roomInMs() > 0) return false;
    const retry = this.manual.next();
    if (retry === null) return false;
    const taken = this.lanes.take(retry.eventId);
    const waiting = this.lanes.get(retry.eventId);
    if (taken !== null) void this.runOne(taken, taken.attempts > 0);
    else if (waiting !== undefined)
      this.lanes.update({ ...waiting, notBeforeMs: 0, heldUntilMs: 0 });
    else if ('status' in retry) void this.inside(() => this.manual.make(retry));
    return true;
  }

  /** How long until a delivery may start, as far as it does not depend on which. */
  private waitMs(): number {
    const { probeAtMs } = this.outage;
    if (probeAtMs === null) return this.roomInMs();
    if (this.running > 0) return Infinity;
    const probeInMs = probeAtMs - this.monotonicMs();
    return probeInMs > 0 ? probeInMs : this.roomInMs();
  }

  /** How long until any attempt may start, also one that was asked for. */
  private roomInMs(): number {
    const pauseMs = this.faults.waitMs(this.monotonicMs());
    return pauseMs > 0 ? pauseMs : this.gate.waitMs();
  }

  private wakeIn(ms: number): void {
    if (ms === Infinity) return;
    this.timer = setTimeout(
      () => {
        this.pump();
      },
      Math.max(1, ms),
    );
  }

  /** Runs an attempt inside the gate. */
  private async inside(attempt: () => Promise<void>): Promise<void> {
    const pass = this.gate.enter();
    this.running += 1;
    try {
      await attempt();
    } finally {
      this.running -= 1;
      pass.leave();
    }
  }

  private runOne(work: Work, isByHand = false): Promise<void> {
    const isProbe = this.outage.isOpen;
    return this.inside(async () => {
      try {
        await this.deliver(work, { isProbe, isByHand });
      } catch {
        this.lanes.retry({ ...work, notBeforeMs: this.nowMs() + spread(PAUSE_AFTER_FAULT_MS) });
      }
    });
  }

  /** Throws where nothing was sent: the store or the vault did not answer. It is no attempt. */
  private async attempt(work: Work, kind: 'live' | 'retry' | 'manual'): Promise<Attempted> {
    try {
      const attempted = await this.parts.attempts.make(work, this.current(), { kind });
      this.faults.prepared();
      this.note(attempted);
      return attempted;
    } catch (error) {
      this.faults.failed(work.eventId, this.monotonicMs(), this.outage.isOpen, Math.random());
      warnOfFailure('a delivery cannot be prepared: it waits', this.destination.id, error, {
        event_id: work.eventId,
      });
      throw error;
    }
  }

  private async deliver(work: Work, { isProbe, isByHand }: AttemptStart): Promise<void> {
    const tried = isByHand ? { ...work, byHand: (work.byHand ?? 0) + 1 } : work;
    const scheduled = work.attempts > 0 ? 'retry' : 'live';
    const attempted = await this.attempt(tried, isByHand ? 'manual' : scheduled);
    const { kind } = attempted.verdict;
    const wasSent = attempted.facts.at !== undefined;
    if (isProbe && wasSent && (kind === 'retry' || kind === 'failed')) {
      // A probe uses up no schedule: the outage may last longer than that.
      this.lanes.giveWay({ ...work, event: attempted.work.event }, this.nowMs());
      return;
    }
    this.conclude(attempted, isByHand ? Math.max(work.notBeforeMs, this.nowMs()) : null);
  }

  /** What an attempt says about the destination as a whole. */
  private note({ work, verdict, facts }: Attempted): void {
    if (verdict.kind === 'delivered') {
      this.succeeded();
    } else if (facts.at !== undefined) {
      this.outage.failed(work.eventId, this.monotonicMs(), { ...facts, at: facts.at });
    }
  }

  private succeeded(): void {
    if (!this.outage.succeeded()) return;
    this.lanes.wakeAll();
    this.changes.emit('room');
  }

  /** `dueMs`: when the next attempt stays due, where the schedule does not say it anew. */
  private conclude({ work, verdict, facts }: Attempted, dueMs: number | null): void {
    switch (verdict.kind) {
      case 'retry':
        this.retryLater(work, facts, dueMs ?? this.nowMs() + verdict.afterMs);
        return;
      case 'gone':
        // It waits until the destination is enabled again, and is due then.
        this.retryLater(work, { ...facts, next_attempt_at: facts.at ?? null }, Infinity);
        void this.switchOff(facts);
        return;
      case 'delivered':
      case 'failed':
        this.end(work, { ...facts, kind: verdict.kind });
    }
  }

  private end(work: Work, facts: Partial<Outcome> & Pick<Outcome, 'kind'>): void {
    this.settling.add(work.eventId);
    this.lanes.finish(work.eventId);
    this.changes.emit('room');
    void this.record(work, facts).then(() => {
      this.settling.delete(work.eventId);
    });
  }

  /** Says so until it is stored: nothing else would. */
  private async switchOff(facts: Partial<Outcome>): Promise<void> {
    while (!this.stopping) {
      try {
        await this.outage.gone(this.parts.clock.now(), facts);
        return;
      } catch (error) {
        const { id } = this.destination;
        warnOfFailure('a destination cannot be disabled yet', id, error);
        await delay(spread(PAUSE_AFTER_FAULT_MS));
      }
    }
  }

  private retryLater(work: Work, facts: Partial<Outcome>, dueMs: number): void {
    const event = dueMs - this.nowMs() <= KEPT_FOR_MS ? work.event : null;
    const waiting = { ...work, notBeforeMs: dueMs, journalled: true, event };
    const held = this.lanes.retry(waiting);
    void this.record(waiting, {
      next_attempt_at: dueMs === Infinity ? null : fromMillis(dueMs),
      ...facts,
      kind: 'retrying',
    });
    this.defer(held.filter(({ journalled }) => !journalled));
  }

  /** Events held behind a failing one are journalled as waiting, so that their messages can be acked. */
  private defer(held: readonly Work[]): void {
    for (const work of held) {
      this.lanes.update({ ...work, journalled: true, event: null });
      const heldUntil = fromMillis(work.heldUntilMs);
      void this.record(work, { kind: 'deferred', next_attempt_at: heldUntil });
    }
  }

  /** Journal before ack. */
  private async record(work: Work, facts: Partial<Outcome> & Pick<Outcome, 'kind'>): Promise<void> {
    const { id, scope } = this.destination;
    await this.parts.journal.record(
      id,
      outcomeOf(work, scope, { at: this.parts.clock.now(), ...facts }),
    );
    this.acks.release(work.eventId);
  }

  /** The destination as it is now: its URL, secrets and limits may have changed since the start. */
  private current(): DeliveryDestination {
    return this.parts.destinations.find(this.destination.id) ?? this.destination;
  }

  private async drain(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    this.gate.setLiveWaits(false);
    while (this.running > 0 || this.settling.size > 0) await delay(DRAIN_POLL_MS);
  }

  /** What is journalled, and so what comes due; pauses and paces go by `monotonicMs`. */
  private nowMs(): number {
    return this.parts.clock.nowMs();
  }

  private monotonicMs(): number {
    return this.parts.clock.monotonicMs();
  }
}
