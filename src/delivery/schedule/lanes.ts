import { WakeUps } from './wake-ups';

/**
 * The order of the deliveries of one destination (D-62). Pure bookkeeping: the time is an input.
 *
 * Each subscriber has a lane. One delivery of a lane runs at a time, the lowest sequence first.
 * While that one waits for its retry, a newer one waits behind it for at most `HOLD_MS`. After that
 * it goes ahead (`relaxed`) or keeps waiting (`strict`). Lanes never wait for each other.
 */

/** The longest time for which a newer event waits behind an older one that fails. */
export const HOLD_MS = 5 * 60_000;

/** One event on its way to the destination. */
export interface Delivery {
  readonly eventId: string;
  readonly subscriberId: string;
  /** The event's number in its subscriber's stream. */
  readonly sequence: number;
  /**
   * The earliest time of the next attempt: the due time of a retry, or 0 if it may start at once.
   */
  readonly notBeforeMs: number;
  /** The end of its wait behind an older delivery of the same lane that waits for a retry. */
  readonly heldUntilMs: number;
}

/**
 * Returns the due time of a delivery after a failed probe. It is late enough for the next probe to
 * use another delivery: one event that the receiver can never accept must not keep the breaker
 * open. `wakeAll` ends the wait with the outage.
 */
export const computeDueAfterProbe = (notBeforeMs: number, nowMs: number): number =>
  Math.max(notBeforeMs, nowMs + HOLD_MS);

interface Lane<D extends Delivery> {
  readonly subscriberId: string;
  /** Waiting deliveries in sequence order. */
  waiting: D[];
  running: D | null;
}

export class Lanes<D extends Delivery> {
  private readonly lanes = new Map<string, Lane<D>>();
  private readonly byEvent = new Map<string, D>();
  /** Lanes that may have a delivery to start, in the order in which they became ready. */
  private readonly ready = new Set<Lane<D>>();
  private readonly sleeping = new WakeUps<Lane<D>>();

  constructor(private order: 'relaxed' | 'strict') {}

  /**
   * Sets the ordering. Deliveries that were held under the old ordering may start under the new
   * one.
   */
  set ordering(order: 'relaxed' | 'strict') {
    if (order === this.order) return;
    this.order = order;
    for (const lane of this.lanes.values()) this.ready.add(lane);
  }

  /** The number of deliveries, waiting or running. */
  get size(): number {
    return this.byEvent.size;
  }

  /** Returns every delivery, waiting or running. */
  all(): IterableIterator<D> {
    return this.byEvent.values();
  }

  get(eventId: string): D | undefined {
    return this.byEvent.get(eventId);
  }

  /** True if an older event of the subscriber waits for its retry, so that a newer one is held. */
  isHeld({ subscriberId, sequence }: Delivery, nowMs: number): boolean {
    const first = this.lanes.get(subscriberId)?.waiting[0];
    return first !== undefined && first.notBeforeMs > nowMs && first.sequence < sequence;
  }

  add(delivery: D): void {
    const { subscriberId, eventId } = delivery;
    const lane = this.lanes.get(subscriberId) ?? { subscriberId, waiting: [], running: null };
    this.lanes.set(subscriberId, lane);
    this.byEvent.set(eventId, delivery);
    insert(lane.waiting, delivery);
    this.wakeIfDueEarlier(lane, delivery);
  }

  /** Replaces a delivery that waits or runs. */
  update(delivery: D): void {
    const lane = this.lanes.get(delivery.subscriberId);
    if (lane === undefined || !this.byEvent.has(delivery.eventId)) return;
    this.byEvent.set(delivery.eventId, delivery);
    if (lane.running?.eventId === delivery.eventId) {
      lane.running = delivery;
      return;
    }
    lane.waiting[indexOf(lane.waiting, delivery)] = delivery;
    this.wakeIfDueEarlier(lane, delivery);
  }

  /** Marks the next due delivery as running and returns it; null if all others wait or run. */
  startNext(nowMs: number): D | null {
    for (const lane of this.sleeping.removeDue(nowMs)) this.ready.add(lane);
    for (const lane of this.ready) {
      this.ready.delete(lane);
      const found = this.startFirstDue(lane, nowMs);
      if (found !== null) return found;
    }
    return null;
  }

  /**
   * Marks a delivery as running to test whether an outage is over. It prefers one that is due but
   * also takes one that is not.
   */
  startProbe(nowMs: number): D | null {
    return this.startNext(nowMs) ?? this.startNext(Infinity);
  }

  /** True if a lane may have a delivery to start now. */
  get hasReady(): boolean {
    return this.ready.size > 0;
  }

  /**
   * Marks a waiting delivery as running out of turn and returns it; null while its lane runs
   * another one.
   */
  startOutOfTurn(eventId: string): D | null {
    const delivery = this.byEvent.get(eventId);
    if (delivery === undefined) return null;
    const lane = this.lanes.get(delivery.subscriberId);
    if (lane?.running !== null) return null;
    remove(lane.waiting, delivery);
    lane.running = delivery;
    return delivery;
  }

  /** Makes all waiting deliveries due now, in order, because the outage is over. */
  wakeAll(): void {
    for (const lane of this.lanes.values()) {
      lane.waiting = lane.waiting.map((delivery) => ({ ...delivery, notBeforeMs: 0 }));
      for (const delivery of lane.waiting) this.byEvent.set(delivery.eventId, delivery);
      this.ready.add(lane);
    }
  }

  /** Returns when the next waiting delivery becomes due by time; null if there is none. */
  nextDueMs(): number | null {
    return this.sleeping.earliest();
  }

  /** Removes a delivery that has ended, delivered or not. */
  finish(eventId: string): void {
    const delivery = this.byEvent.get(eventId);
    if (delivery === undefined) return;
    this.byEvent.delete(eventId);
    const lane = this.lanes.get(delivery.subscriberId);
    if (lane === undefined) return;
    if (lane.running?.eventId === eventId) lane.running = null;
    else remove(lane.waiting, delivery);
    this.keepOrRemove(lane);
  }

  /**
   * Puts a running delivery back to wait for its next attempt. Returns the newer deliveries that it
   * now holds.
   */
  retry(delivery: D): readonly D[] {
    const lane = this.lanes.get(delivery.subscriberId);
    if (lane === undefined) return [];
    lane.running = null;
    this.byEvent.set(delivery.eventId, delivery);
    insert(lane.waiting, delivery);
    this.keepOrRemove(lane);
    return lane.waiting.filter((waiting) => waiting.sequence > delivery.sequence);
  }

  /** Drops the waiting deliveries. The running ones continue. */
  forgetWaiting(): void {
    for (const lane of this.lanes.values()) {
      for (const { eventId } of lane.waiting) this.byEvent.delete(eventId);
      lane.waiting = [];
      this.keepOrRemove(lane);
    }
  }

  private keepOrRemove(lane: Lane<D>): void {
    if (lane.running === null && lane.waiting.length === 0) {
      this.lanes.delete(lane.subscriberId);
      this.ready.delete(lane);
      this.sleeping.delete(lane);
      return;
    }
    this.ready.add(lane);
  }

  private startFirstDue(lane: Lane<D>, nowMs: number): D | null {
    if (lane.running !== null) return null;
    const index = lane.waiting.findIndex(
      (delivery, i) => this.earliestStartMs(delivery, i) <= nowMs,
    );
    const found = lane.waiting[index];
    if (found === undefined) {
      this.sleepUntilDue(lane);
      return null;
    }
    lane.waiting.splice(index, 1);
    lane.running = found;
    return found;
  }

  private sleepUntilDue(lane: Lane<D>): void {
    const atMs = lane.waiting.reduce(
      (at, d, i) => Math.min(at, this.earliestStartMs(d, i)),
      Infinity,
    );
    this.sleeping.set(lane, atMs);
  }

  /** Reschedules a sleeping lane only if this delivery is due earlier. */
  private wakeIfDueEarlier(lane: Lane<D>, delivery: D): void {
    const wakesAtMs = this.sleeping.findTime(lane);
    if (this.ready.has(lane) || wakesAtMs === null) {
      this.ready.add(lane);
      return;
    }
    const runsAtMs = this.earliestStartMs(delivery, lane.waiting[0] === delivery ? 0 : 1);
    if (runsAtMs < wakesAtMs) this.sleeping.set(lane, runsAtMs);
  }

  /** Returns when a waiting delivery may start by time; `index` is its position in the lane. */
  private earliestStartMs({ notBeforeMs, heldUntilMs }: D, index: number): number {
    if (index === 0) return notBeforeMs;
    return this.order === 'strict' ? Infinity : Math.max(notBeforeMs, heldUntilMs);
  }
}

const insert = (waiting: Delivery[], delivery: Delivery): void => {
  const before = waiting.findLastIndex(({ sequence }) => sequence <= delivery.sequence);
  waiting.splice(before + 1, 0, delivery);
};

/**
 * Finds the position of a waiting delivery. The search is binary by sequence, because a lane may be
 * long.
 */
const indexOf = (waiting: readonly Delivery[], { eventId, sequence }: Delivery): number => {
  let [from, to] = [0, waiting.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((waiting[middle]?.sequence ?? Infinity) < sequence) from = middle + 1;
    else to = middle;
  }
  while (from < waiting.length && waiting[from]?.eventId !== eventId) from += 1;
  return from < waiting.length ? from : -1;
};

const remove = (waiting: Delivery[], delivery: Delivery): void => {
  const index = indexOf(waiting, delivery);
  if (index >= 0) waiting.splice(index, 1);
};
