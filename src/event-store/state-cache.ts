import { LRUCache } from 'lru-cache';

/** Some 60 MiB: a fact of a subscriber takes about half a kilobyte in its state. */
const FACTS_MAX = 100_000;
/** What a state takes that has no facts yet, in facts. */
const FACTS_OF_A_STATE = 4;
/** A stream that is longer counts as this long: it would never be kept, and be read whole each time. */
const FACTS_COUNTED_MAX = FACTS_MAX / 4;

interface Loaded<State> {
  readonly state: State;
  readonly revision: number;
}

/** The states used last, as many as their facts leave room for: a stream may have one or ten thousand. */
export class StateCache {
  private readonly states: LRUCache<string, Loaded<unknown>>;

  constructor(factsMax = FACTS_MAX) {
    this.states = new LRUCache<string, Loaded<unknown>>({
      maxSize: factsMax,
      sizeCalculation: ({ revision }) =>
        Math.min(revision + 1 + FACTS_OF_A_STATE, FACTS_COUNTED_MAX, factsMax),
    });
  }

  get(stream: string): Loaded<unknown> | undefined {
    return this.states.get(stream);
  }

  set(stream: string, loaded: Loaded<unknown>): void {
    this.states.set(stream, loaded);
  }

  has(stream: string): boolean {
    return this.states.has(stream);
  }

  delete(stream: string): void {
    this.states.delete(stream);
  }
}
