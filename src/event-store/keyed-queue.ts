/**
 * Runs work with the same key one after the other, in the order of the calls. Work with different
 * keys runs in parallel.
 */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    const tail = turn.catch(() => undefined);
    this.tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
