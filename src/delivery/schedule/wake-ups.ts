interface Entry<T> {
  readonly thing: T;
  atMs: number;
  /** Where it stands in the heap. */
  index: number;
}

/** When things are to be woken: a binary heap that holds each thing once. */
export class WakeUps<T> {
  private readonly heap: Entry<T>[] = [];
  private readonly entries = new Map<T, Entry<T>>();

  get size(): number {
    return this.heap.length;
  }

  /** When the next is to be woken; null where nothing sleeps. */
  earliest(): number | null {
    return this.heap[0]?.atMs ?? null;
  }

  /** When a thing is to be woken; null where it does not sleep. */
  at(thing: T): number | null {
    return this.entries.get(thing)?.atMs ?? null;
  }

  /** Infinity: not by time alone. */
  set(thing: T, atMs: number): void {
    const known = this.entries.get(thing);
    const entry = known ?? { thing, atMs, index: this.heap.length };
    entry.atMs = atMs;
    if (known === undefined) {
      this.entries.set(thing, entry);
      this.heap.push(entry);
    }
    this.settle(entry);
  }

  delete(thing: T): void {
    const entry = this.entries.get(thing);
    if (entry === undefined) return;
    this.entries.delete(thing);
    const last = this.heap.pop();
    if (last === undefined || last === entry) return;
    this.put(last, entry.index);
    this.settle(last);
  }

  /** Everything that is due, removed. */
  due(nowMs: number): T[] {
    const things: T[] = [];
    for (let [top] = this.heap; top !== undefined && top.atMs <= nowMs; [top] = this.heap) {
      this.delete(top.thing);
      things.push(top.thing);
    }
    return things;
  }

  /** Moves an entry up or down to where it belongs. */
  private settle(entry: Entry<T>): void {
    for (;;) {
      const { index, atMs } = entry;
      const parent = this.heap[(index - 1) >> 1];
      const [left, right] = [this.heap[2 * index + 1], this.heap[2 * index + 2]];
      const child = right !== undefined && right.atMs < (left?.atMs ?? Infinity) ? right : left;
      if (parent !== undefined && atMs < parent.atMs) this.swap(entry, parent);
      else if (child !== undefined && child.atMs < atMs) this.swap(entry, child);
      else return;
    }
  }

  private swap(a: Entry<T>, b: Entry<T>): void {
    const { index } = a;
    this.put(a, b.index);
    this.put(b, index);
  }

  private put(entry: Entry<T>, index: number): void {
    this.heap[index] = entry;
    entry.index = index;
  }
}
