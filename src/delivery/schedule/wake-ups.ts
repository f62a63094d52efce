interface Entry<T> {
  readonly item: T;
  atMs: number;
  /** The position in the heap. */
  index: number;
}

/** The wake-up times of items: a binary heap that holds each item once. */
export class WakeUps<T> {
  private readonly heap: Entry<T>[] = [];
  private readonly entries = new Map<T, Entry<T>>();

  get size(): number {
    return this.heap.length;
  }

  /** Returns the earliest wake-up time; null if no item is scheduled. */
  earliest(): number | null {
    return this.heap[0]?.atMs ?? null;
  }

  /** Returns the wake-up time of an item; null if it is not scheduled. */
  findTime(item: T): number | null {
    return this.entries.get(item)?.atMs ?? null;
  }

  /** Schedules an item. Infinity means that time alone never wakes it. */
  set(item: T, atMs: number): void {
    const known = this.entries.get(item);
    const entry = known ?? { item, atMs, index: this.heap.length };
    entry.atMs = atMs;
    if (known === undefined) {
      this.entries.set(item, entry);
      this.heap.push(entry);
    }
    this.moveToHeapPosition(entry);
  }

  delete(item: T): void {
    const entry = this.entries.get(item);
    if (entry === undefined) return;
    this.entries.delete(item);
    const last = this.heap.pop();
    if (last === undefined || last === entry) return;
    this.place(last, entry.index);
    this.moveToHeapPosition(last);
  }

  /** Removes and returns all items that are due. */
  removeDue(nowMs: number): T[] {
    const items: T[] = [];
    for (let [top] = this.heap; top !== undefined && top.atMs <= nowMs; [top] = this.heap) {
      this.delete(top.item);
      items.push(top.item);
    }
    return items;
  }

  /** Moves an entry up or down until the heap is in order. */
  private moveToHeapPosition(entry: Entry<T>): void {
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
    this.place(a, b.index);
    this.place(b, index);
  }

  private place(entry: Entry<T>, index: number): void {
    this.heap[index] = entry;
    entry.index = index;
  }
}
