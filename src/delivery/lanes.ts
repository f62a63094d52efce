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

  constructor(public ordering: 'relaxed' | 'strict') {}

  /** Deliveries waiting or running. */
  get size(): number {
    return this.byEvent.size;
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
    this.ready.add(lane);
  }

  /** Replaces what is known of a delivery that waits or runs. */
  update(delivery: D): void {
    const lane = this.lanes.get(delivery.subscriberId);
    if (lane === undefined || !this.byEvent.has(delivery.eventId)) return;
    this.byEvent.set(delivery.eventId, delivery);
    if (lane.running?.eventId === delivery.eventId) lane.running = delivery;
    lane.waiting = lane.waiting.map((d) => (d.eventId === delivery.eventId ? delivery : d));
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
    lane.waiting = lane.waiting.filter((waiting) => waiting.eventId !== eventId);
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
    else lane.waiting = lane.waiting.filter((waiting) => waiting.eventId !== eventId);
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
      return;
    }
    this.ready.add(lane);
  }

  private takeFrom(lane: Lane<D>, nowMs: number): D | null {
    if (lane.running !== null) return null;
    const index = lane.waiting.findIndex((delivery, i) => this.mayRun(delivery, i, nowMs));
    const found = lane.waiting[index];
    if (found === undefined) {
      this.sleep(lane);
      return null;
    }
    lane.waiting.splice(index, 1);
    lane.running = found;
    return found;
  }

  private mayRun({ notBeforeMs, heldUntilMs }: D, index: number, nowMs: number): boolean {
    if (notBeforeMs > nowMs) return false;
    return index === 0 || (this.ordering === 'relaxed' && heldUntilMs <= nowMs);
  }

  private sleep(lane: Lane<D>): void {
    const [first, ...newer] = lane.waiting;
    if (first === undefined) return;
    const passing = this.ordering === 'strict' ? [] : newer.map(passesAtMs);
    this.sleeping.add(lane, Math.min(first.notBeforeMs, ...passing));
  }
}

const passesAtMs = ({ notBeforeMs, heldUntilMs }: Delivery): number =>
  Math.max(notBeforeMs, heldUntilMs);

const insert = (waiting: Delivery[], delivery: Delivery): void => {
  const before = waiting.findLastIndex(({ sequence }) => sequence <= delivery.sequence);
  waiting.splice(before + 1, 0, delivery);
};

/** Things to wake at a time: a binary heap. A thing may be woken too early or twice, never late. */
class WakeUps<T> {
  private readonly heap: { readonly atMs: number; readonly thing: T }[] = [];

  earliest(): number | null {
    return this.heap[0]?.atMs ?? null;
  }

  add(thing: T, atMs: number): void {
    this.heap.push({ atMs, thing });
    let child = this.heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (this.at(parent) <= this.at(child)) return;
      this.swap(parent, child);
      child = parent;
    }
  }

  /** Everything that is due, removed. */
  due(nowMs: number): T[] {
    const things: T[] = [];
    while (this.heap.length > 0 && this.at(0) <= nowMs) things.push(this.pop());
    return things;
  }

  private pop(): T {
    this.swap(0, this.heap.length - 1);
    const top = this.heap.pop();
    if (top === undefined) throw new Error('pop from an empty heap');
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      const child = this.at(left + 1) < this.at(left) ? left + 1 : left;
      if (this.at(child) >= this.at(parent)) return top.thing;
      this.swap(parent, child);
      parent = child;
    }
  }

  private at(index: number): number {
    return this.heap[index]?.atMs ?? Infinity;
  }

  private swap(a: number, b: number): void {
    const first = this.heap[a];
    const second = this.heap[b];
    if (first === undefined || second === undefined) return;
    this.heap[a] = second;
    this.heap[b] = first;
  }
}
