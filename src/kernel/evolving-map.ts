interface Change<Key, Value> {
  readonly set: readonly (readonly [Key, Value])[];
  readonly deleted: readonly Key[];
}

interface Changes<Key, Value> {
  readonly newest: Change<Key, Value>;
  readonly before: Changes<Key, Value> | null;
}

/**
 * A map in the state of an aggregate, where each fact changes a few of very many entries: changes
 * are chained, and the whole is made anew only when they outnumber it. It never changes itself.
 */
export class EvolvingMap<Key, Value> {
  private constructor(
    private readonly whole: ReadonlyMap<Key, Value>,
    private readonly changes: Changes<Key, Value> | null,
    private readonly changed: number,
  ) {}

  static empty<Key, Value>(): EvolvingMap<Key, Value> {
    return new EvolvingMap<Key, Value>(new Map(), null, 0);
  }

  after(change: Change<Key, Value>): EvolvingMap<Key, Value> {
    const changed = this.changed + change.set.length + change.deleted.length;
    if (changed === this.changed) return this;
    const changes = { newest: change, before: this.changes };
    const next = new EvolvingMap(this.whole, changes, changed);
    return changed > this.whole.size ? new EvolvingMap(next.toMap(), null, 0) : next;
  }

  /** The entries as they are now; the caller's own. */
  toMap(): Map<Key, Value> {
    const found = new Map(this.whole);
    for (const { set, deleted } of this.inOrder()) {
      for (const [key, value] of set) found.set(key, value);
      for (const key of deleted) found.delete(key);
    }
    return found;
  }

  private inOrder(): Change<Key, Value>[] {
    const all: Change<Key, Value>[] = [];
    for (let each = this.changes; each !== null; each = each.before) all.push(each.newest);
    return all.reverse();
  }
}
