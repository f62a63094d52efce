import type { GroupBatch, GroupMessage } from '../../event-store/groups';
import { type Clock, fromMillis } from '../../kernel/time';
import type { Journal, Outcome } from '../journal/journal';
import { createOutcome, createWork, type DeliverableEvent, type Work } from '../journal/work';
import type { DeliveryDestination } from '../model/destination';
import { HOLD_MS, type Lanes } from '../schedule/lanes';
import { PendingAcks } from './acks';
import { createRetry } from './resumed-work';

/** The facts of an outcome. The recorder adds those that it does not have. */
export type OutcomeFacts = Partial<Outcome> & Pick<Outcome, 'kind'>;

interface RecorderParts {
  readonly destination: DeliveryDestination;
  readonly lanes: Lanes<Work>;
  readonly journal: Journal;
  readonly clock: Clock;
}

/**
 * Moves the deliveries of one destination through the lanes, journals their outcomes, and
 * acknowledges the message of an event only when the journal has its outcome.
 */
export class OutcomeRecorder {
  private readonly acks = new PendingAcks();
  /** Ids of events whose delivery has ended but whose outcome is not yet stored in the journal. */
  private readonly journalling = new Set<string>();

  constructor(private readonly parts: RecorderParts) {}

  /** True while the outcome of an ended delivery is not stored. */
  get isStoring(): boolean {
    return this.journalling.size > 0;
  }

  /** True if the delivery waits, is in flight, or has an outcome that is not stored yet. */
  isPending(eventId: string): boolean {
    return this.journalling.has(eventId) || this.parts.lanes.get(eventId) !== undefined;
  }

  /**
   * Adds the delivery of a message that has arrived. Returns true if the message must not be
   * acknowledged until its outcome is journalled.
   */
  acceptMessage(message: GroupMessage, event: DeliverableEvent, ack: GroupBatch['ack']): boolean {
    const { lanes, clock } = this.parts;
    const waiting = lanes.get(event.id);
    // The record of a deferred event may not be stored yet when its message arrives a second time.
    if (waiting?.journalled === true && !this.acks.has(event.id)) return false;
    this.acks.add(event.id, { message, ack });
    if (this.isPending(event.id)) return true;
    const nowMs = clock.nowMs();
    const work = createWork(event, message.categoryRevision, nowMs + HOLD_MS);
    const held = lanes.isHeld(work, nowMs);
    lanes.add(work);
    if (held) this.recordDeferred([work]);
    return true;
  }

  /** Drops the messages because their connection has ended. The store sends them again. */
  discardMessages(): void {
    this.acks.discardAll();
  }

  /** Ends a delivery that was delivered, or that failed for the last time. */
  finish(work: Work, facts: OutcomeFacts): void {
    this.journalling.add(work.eventId);
    this.parts.lanes.finish(work.eventId);
    void this.record(work, facts);
  }

  /** Puts a delivery back until its next attempt. `dueMs` is Infinity if it has no due time. */
  retryLater(work: Work, facts: Partial<Outcome>, dueMs: number): void {
    const held = this.putBack(work, facts, dueMs);
    this.recordDeferred(held.filter(({ journalled }) => !journalled));
  }

  /**
   * Puts a delivery back after a failed probe. The later events of its subscriber wait without a
   * record, like everything that waits for the end of the outage.
   */
  retryAfterProbe(work: Work, facts: Partial<Outcome>, dueMs: number): void {
    this.putBack(work, facts, dueMs);
  }

  /** Returns the deliveries that wait behind this one from now on. */
  private putBack(work: Work, facts: Partial<Outcome>, dueMs: number): readonly Work[] {
    const { lanes, clock } = this.parts;
    const waiting = createRetry(work, dueMs, clock.nowMs());
    const held = lanes.retry(waiting);
    void this.record(waiting, {
      next_attempt_at: dueMs === Infinity ? null : fromMillis(dueMs),
      ...facts,
      kind: 'retrying',
    });
    return held;
  }

  /** Journals an outcome and acknowledges the event only after that. */
  async record(work: Work, facts: OutcomeFacts): Promise<void> {
    const { destination, journal, clock } = this.parts;
    await journal.record(
      destination.id,
      createOutcome(work, destination.scope, { at: clock.now(), ...facts }),
    );
    // Both in the same turn: a message that arrives between them would never be acknowledged.
    if (facts.kind === 'delivered' || facts.kind === 'failed')
      this.journalling.delete(work.eventId);
    this.acks.markJournalled(work.eventId);
  }

  /**
   * Journals events that wait behind a failing one of the same subscriber, so that their messages
   * can be acknowledged.
   */
  private recordDeferred(held: readonly Work[]): void {
    for (const work of held) {
      this.parts.lanes.update({ ...work, journalled: true, event: null });
      const heldUntil = fromMillis(work.heldUntilMs);
      void this.record(work, { kind: 'deferred', next_attempt_at: heldUntil });
    }
  }
}
