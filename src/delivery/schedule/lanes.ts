import { WakeUps } from './wake-ups';

/**
 * In which order the deliveries of one destination go (D-62). Pure bookkeeping: time is an input.
 *
 * Each subscriber has a lane. In a lane one delivery runs at a time, in sequence order: the lowest
 * sequence first. While that one waits for its retry, a newer one waits behind it, at most
 * `HOLD_MS`, then goes ahead of it (`relaxed`) or not at all (`strict`). Lanes never wait for
 * each other.
 */

/** How long a newer event waits behind an older one that fails. */
export const HOLD_MS = 5 * 60_000;

/** One event on its way to the destination. */
export interface Delivery {
  readonly eventId: string;
  readonly subscriberId: string;
  /** The event's number in its subscriber's stream. */
  readonly sequence: number;
  /** Not before this moment: a retry's due time, 0 for a delivery that may go at once. */
  readonly notBeforeMs: number;
  /** Until when it stays behind an older delivery of its lane that waits. */
  readonly heldUntilMs: number;
}

interface Lane<D extends Delivery> {
  readonly subscriberId: string;
  /** In sequence order. */
  waiting: D[];
  running: D | null;
}

export class Lanes<D extends Delivery> {
  private readonly lanes = new Map<string, Lane<D>>();
  private readonly byEvent = new Map<string, D>();
  /** Lanes that may have something to run, in the order they became so. */
  private readonly ready = new Set<Lane<D>>();
  private readonly sleeping = new WakeUps<Lane<D>>();

  constructor(private order: 'relaxed' | 'strict') {}

  /** What was held under the old order may go under the new one. */
  set ordering(order: 'relaxed' | 'strict') {
    if (order === this.order) return;
    this.order = order;
    for (const lane of this.lanes.values()) this.ready.add(lane);
  }

  /** Deliveries waiting or running. */
  get size(): number {
    return this.byEvent.size;
  }

  /** Every delivery, waiting or running. */
  all(): IterableIterator<D> {
    return this.byEvent.values();
  }

  get(eventId: string): D | undefined {
    return this.byEvent.get(eventId);
  }

  /** True when an older event of the subscriber waits for its retry: a newer one is held. */
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
    this.rouse(lane, delivery);
  }

  /** Replaces what is known of a delivery that waits or runs. */
  update(delivery: D): void {
    const lane = this.lanes.get(delivery.subscriberId);
    if (lane === undefined || !this.byEvent.has(delivery.eventId)) return;
    this.byEvent.set(delivery.eventId, delivery);
    if (lane.running?.eventId === delivery.eventId) {
      lane.running = delivery;
      return;
    }
    lane.waiting[indexOf(lane.waiting, delivery)] = delivery;
    this.rouse(lane, delivery);
  }

  /** The next delivery to run, now marked as running; null when all wait or run. */
  next(nowMs: number): D | null {
    for (const lane of this.sleeping.due(nowMs)) this.ready.add(lane);
    for (const lane of this.ready) {
      this.ready.delete(lane);
      const found = this.takeFrom(lane, nowMs);
      if (found !== null) return found;
    }
    return null;
  }

  /** One whether it is due or not, those that are due first: it shows whether the outage is over. */
  nextProbe(nowMs: number): D | null {
    return this.next(nowMs) ?? this.next(Infinity);
  }

  /**
   * A probe that failed lets others be the next: one that the receiver will never digest must not
   * keep the breaker open. `wakeAll` ends its wait with the outage.
   */
  giveWay(delivery: D, nowMs: number): void {
    this.retry({ ...delivery, notBeforeMs: Math.max(delivery.notBeforeMs, nowMs + HOLD_MS) });
  }

  /** Whether some lane may have something to run now. */
  get hasReady(): boolean {
    return this.ready.size > 0;
  }

  /** Takes a waiting delivery out of turn, now marked as running; null while its lane runs one. */
  take(eventId: string): D | null {
    const delivery = this.byEvent.get(eventId);
    if (delivery === undefined) return null;
    const lane = this.lanes.get(delivery.subscriberId);
    if (lane?.running !== null) return null;
    remove(lane.waiting, delivery);
    lane.running = delivery;
    return delivery;
  }

  /** Everything that waits may go now, in order: what it waited for is over. */
  wakeAll(): void {
    for (const lane of this.lanes.values()) {
      lane.waiting = lane.waiting.map((delivery) => ({ ...delivery, notBeforeMs: 0 }));
      for (const delivery of lane.waiting) this.byEvent.set(delivery.eventId, delivery);
      this.ready.add(lane);
    }
  }

  /** When a waiting delivery becomes due, null when none does by time alone. */
  nextDueMs(): number | null {
    return this.sleeping.earliest();
  }

  /** The delivery has ended, one way or the other. */
  finish(eventId: string): void {
    const delivery = this.byEvent.get(eventId);
    if (delivery === undefined) return;
    this.byEvent.delete(eventId);
    const lane = this.lanes.get(delivery.subscriberId);
    if (lane === undefined) return;
    if (lane.running?.eventId === eventId) lane.running = null;
    else remove(lane.waiting, delivery);
    this.release(lane);
  }

  /** A running delivery failed and waits for its next attempt; answers those now held behind it. */
  retry(delivery: D): readonly D[] {
    const lane = this.lanes.get(delivery.subscriberId);
    if (lane === undefined) return [];
    lane.running = null;
    this.byEvent.set(delivery.eventId, delivery);
    insert(lane.waiting, delivery);
    this.release(lane);
    return lane.waiting.filter((waiting) => waiting.sequence > delivery.sequence);
  }

  /** Forgets what waits; what runs goes on. */
  forgetWaiting(): void {
    for (const lane of this.lanes.values()) {
      for (const { eventId } of lane.waiting) this.byEvent.delete(eventId);
      lane.waiting = [];
      this.release(lane);
    }
  }

  private release(lane: Lane<D>): void {
    if (lane.running === null && lane.waiting.length === 0) {
      this.lanes.delete(lane.subscriberId);
      this.ready.delete(lane);
      this.sleeping.delete(lane);
      return;
    }
    this.ready.add(lane);
  }

  private takeFrom(lane: Lane<D>, nowMs: number): D | null {
    if (lane.running !== null) return null;
    const index = lane.waiting.findIndex((delivery, i) => this.runsAtMs(delivery, i) <= nowMs);
    const found = lane.waiting[index];
    if (found === undefined) {
      this.sleep(lane);
      return null;
    }
    lane.waiting.splice(index, 1);
    lane.running = found;
    return found;
  }

  private sleep(lane: Lane<D>): void {
    const atMs = lane.waiting.reduce((at, d, i) => Math.min(at, this.runsAtMs(d, i)), Infinity);
    this.sleeping.set(lane, atMs);
  }

  /** A lane that sleeps need not be looked at for a delivery that waits: its hour may only be earlier. */
  private rouse(lane: Lane<D>, delivery: D): void {
    const wakesAtMs = this.sleeping.at(lane);
    if (this.ready.has(lane) || wakesAtMs === null) {
      this.ready.add(lane);
      return;
    }
    const runsAtMs = this.runsAtMs(delivery, lane.waiting[0] === delivery ? 0 : 1);
    if (runsAtMs < wakesAtMs) this.sleeping.set(lane, runsAtMs);
  }

  /** When a waiting delivery may run by time alone. */
  private runsAtMs({ notBeforeMs, heldUntilMs }: D, index: number): number {
    if (index === 0) return notBeforeMs;
    return this.order === 'strict' ? Infinity : Math.max(notBeforeMs, heldUntilMs);
  }
}

const insert = (waiting: Delivery[], delivery: Delivery): void => {
  const before = waiting.findLastIndex(({ sequence }) => sequence <= delivery.sequence);
  waiting.splice(before + 1, 0, delivery);
};

/** Where a delivery waits, found by its sequence: a lane may be long. */
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
